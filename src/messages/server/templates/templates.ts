import type { MailName, Mails } from '../../mail.ts'
import type { TokenOf } from '../link-tokens.ts'
import { accountErased } from './account-erased.ts'
import { attention } from './attention.ts'
import { awaitedClassCancelled } from './awaited-class-cancelled.ts'
import { bookingCancelled } from './booking-cancelled.ts'
import { bookingConfirmed } from './booking-confirmed.ts'
import { bookingRescheduled } from './booking-rescheduled.ts'
import { classCancelled } from './class-cancelled.ts'
import { awaitedClassMoved, classMoved } from './class-moved.ts'
import { classReminder } from './class-reminder.ts'
import { creditReturned } from './credit-returned.ts'
import { complaintAnswered, complaintReceived } from './data-complaint.ts'
import { emailChanged, emailChangedTo, emailChangeUndone } from './email-changed.ts'
import { healthUpdateNotice } from './health-update-notice.ts'
import { invitation } from './invitation.ts'
import type { Site, WrittenMail } from './layout.ts'
import { manyFailures } from './many-failures.ts'
import { newsletterConfirm, unsubscribeLink } from './newsletter-confirm.ts'
import { passEnded, passOffHold, passOnHold } from './pass-held.ts'
import { passwordChanged } from './password-changed.ts'
import { paymentFailed } from './payment-failed.ts'
import { paymentNotice } from './payment-notice.ts'
import { paymentReturned, paymentReturnedNotice } from './payment-returned.ts'
import { placeFree, skippedInLine } from './place-free.ts'
import { placeFromWaitingList } from './place-from-waiting-list.ts'
import { purchaseRefunded } from './purchase-refunded.ts'
import { receipt } from './receipt.ts'
import { refundFailed } from './refund-failed.ts'
import { saleVoided } from './sale-voided.ts'
import { securityAlarm } from './security-alarm.ts'
import { setPassword } from './set-password.ts'
import { studioClosed } from './studio-closed.ts'
import { studioMessage } from './studio-message.ts'
import { verifyEmail } from './verify-email.ts'
import { welcome } from './welcome.ts'

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
