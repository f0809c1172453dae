import { accountMails } from './accounts.ts'
import { bookingMails } from './bookings.ts'
import { classMails } from './classes.ts'
import { companionMails } from './companions.ts'
import type { Templates } from './layout.ts'
import { newsletterMails } from './newsletter.ts'
import { ownerMails } from './owner.ts'
import { paymentMails } from './payments.ts'
import { regularMails } from './regular.ts'
import { securityMails } from './security.ts'
import { voucherMails } from './vouchers.ts'

export const templates: Templates = {
  ...accountMails,
  ...bookingMails,
  ...classMails,
  ...companionMails,
  ...newsletterMails,
  ...ownerMails,
  ...paymentMails,
  ...regularMails,
  ...securityMails,
  ...voucherMails,
}
