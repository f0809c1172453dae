import type { MailName, Mails } from '../../mail.ts'
import type { TokenOf } from '../link-tokens.ts'
import {
  accountErased,
  complaintAnswered,
  complaintReceived,
  invitation,
  setPassword,
  verifyEmail,
  welcome,
} from './accounts.ts'
import { bookingCancelled, bookingConfirmed, bookingRescheduled, classReminder } from './bookings.ts'
import {
  awaitedClassCancelled,
  awaitedClassMoved,
  classCancelled,
  classMoved,
  creditReturned,
  studioClosed,
} from './classes.ts'
import type { Site, WrittenMail } from './layout.ts'
import { newsletterConfirm, studioMessage, unsubscribeLink } from './newsletter.ts'
import { attention, healthUpdateNotice, manyFailures, paymentNotice } from './owner.ts'
import {
  passEnded,
  passOffHold,
  passOnHold,
  paymentFailed,
  paymentReturned,
  paymentReturnedNotice,
  purchaseRefunded,
  receipt,
  refundFailed,
  saleVoided,
} from './payments.ts'
import { emailChanged, emailChangedTo, emailChangeUndone, passwordChanged, securityAlarm } from './security.ts'
import { placeFree, placeFromWaitingList, skippedInLine } from './waiting-list.ts'

/** Which template writes which mail. */
export const templates: { readonly [M in MailName]: (data: Mails[M], site: Site, tokenOf: TokenOf) => WrittenMail } = {
  welcome,
  'verify-email': verifyEmail,
  'set-password': setPassword,
  'password-changed': passwordChanged,
  'email-changed': emailChanged,
  'email-changed-to': emailChangedTo,
  'email-change-undone': emailChangeUndone,
  invitation,
  receipt,
  'booking-confirmed': bookingConfirmed,
  'booking-rescheduled': bookingRescheduled,
  'booking-cancelled': bookingCancelled,
  'class-cancelled': classCancelled,
  'account-erased': accountErased,
  'awaited-class-cancelled': awaitedClassCancelled,
  'studio-closed': studioClosed,
  'studio-message': studioMessage,
  'class-moved': classMoved,
  'awaited-class-moved': awaitedClassMoved,
  'class-reminder': classReminder,
  'credit-returned': creditReturned,
  'health-update-notice': healthUpdateNotice,
  'place-free': placeFree,
  'skipped-in-line': skippedInLine,
  'place-from-waiting-list': placeFromWaitingList,
  'purchase-refunded': purchaseRefunded,
  'sale-voided': saleVoided,
  'refund-failed': refundFailed,
  'pass-on-hold': passOnHold,
  'pass-off-hold': passOffHold,
  'pass-ended': passEnded,
  'payment-failed': paymentFailed,
  'payment-notice': paymentNotice,
  'payment-returned': paymentReturned,
  'payment-returned-notice': paymentReturnedNotice,
  'security-alarm': securityAlarm,
  'many-failures': manyFailures,
  'complaint-received': complaintReceived,
  'complaint-answered': complaintAnswered,
  attention,
  'newsletter-confirm': newsletterConfirm,
  'unsubscribe-link': unsubscribeLink,
}
