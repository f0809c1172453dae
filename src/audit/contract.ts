import { z } from 'zod'

/** What an admin can change, and the fields that the audit log may hold. Health answers, passwords and notes never are. */
export const AUDITED = {
  user: [
    'username',
    'email',
    'firstName',
    'lastName',
    'phone',
    'isAdmin',
    'isTeacher',
    'package',
    'credits',
    'validityMonths',
    'class',
    'override',
    'reason',
    'linesLeft',
  ],
  class: [
    'title',
    'description',
    'date',
    'startTime',
    'endTime',
    'maxParticipants',
    'price',
    'passPrice',
    'instructorName',
    'isActive',
    'bookingsCancelled',
    'peopleTold',
    'bookingsBack',
  ],
  package: [
    'name',
    'description',
    'price',
    'nextPrice',
    'nextPriceFrom',
    'classCount',
    'validityMonths',
    'maxParticipants',
    'isLimitedOffer',
    'purchaseOncePerUser',
    'isActive',
  ],
  purchase: ['package', 'amount', 'method', 'refunded', 'reason', 'credits'],
  booking: ['class', 'status', 'paymentStatus'],
  health_update: ['notificationSent'],
  closure: ['from', 'to', 'fromTime', 'toTime', 'reason', 'classes', 'bookingsCancelled', 'peopleTold', 'bookingsBack'],
  studio: [
    'name',
    'address',
    'place',
    'phone',
    'email',
    'ownerEmail',
    'door',
    'parking',
    'transport',
    'Monday',
    'Tuesday',
    'Wednesday',
    'Thursday',
    'Friday',
    'Saturday',
    'Sunday',
    'timetable',
    'notice',
    'price',
    'passPrice',
    'social',
    'legal',
    'teacher',
    'role',
    'background',
    'story',
    'pictures',
    'vat',
    'cancelling',
    'refunds',
  ],
  /** Not its text, which may contain personal data. */
  message: ['audience', 'kind', 'recipients'],
  /** Only the kind of item: its title may contain personal data. */
  attention: [],
} as const

export type SubjectKind = keyof typeof AUDITED
export type AuditedField<K extends SubjectKind> = (typeof AUDITED)[K][number]

/** Actions and their labels. */
export const ACTIONS = {
  created: 'Created',
  imported: 'Imported from a file',
  import_taken_back: 'Import taken back',
  invited: 'Invited to set a password',
  blocked: 'Blocked',
  unblocked: 'Unblocked',
  exported: 'Data downloaded',
  edited: 'Edited',
  picture_uploaded: 'Picture uploaded',
  deleted: 'Deleted',
  undone: 'Cancellation undone',
  shown: 'Shown to users',
  hidden: 'Hidden from users',
  credits_gifted: 'Credits gifted',
  pass_deleted: 'Pass deleted',
  health_typed_in: 'Paper health form typed in',
  note_added: 'Note added',
  note_deleted: 'Note deleted',
  booked_for: 'Booked for the member',
  booking_cancelled_for: 'Booking cancelled for the member',
  moved_for: 'Moved for the member',
  credit_returned: 'Credit given back',
  refunded: 'Refunded',
  sold: 'Sale recorded',
  voided: 'Sale voided',
  complaint_opened: 'Complaint noted',
  complaint_closed: 'Complaint closed',
  complaint_answered: 'Complaint about data answered',
  refund_decided: 'Refund decided',
  marked_sent: 'Marked as sent',
  marked_done: 'Marked as done',
  confirmed: 'Confirmed',
  sent_again: 'Sent again',
  sent: 'Sent',
  attended: 'Marked as attended',
  session_note_written: 'Note on the session written',
  session_note_deleted: 'Note on the session deleted',
  no_show: 'Marked as a no-show',
} as const
export type AuditAction = keyof typeof ACTIONS

const plain = z.union([z.string(), z.number(), z.boolean(), z.null()])
export const AuditChanges = z.record(z.string(), z.object({ before: plain.optional(), after: plain.optional() }))
export type AuditChanges = z.output<typeof AuditChanges>

/** `user:42`. */
export const SubjectText = z
  .string('Enter a subject, such as user:42')
  .regex(new RegExp(`^(${Object.keys(AUDITED).join('|')}):[\\w-]{1,64}$`), 'Enter a subject, such as user:42')
