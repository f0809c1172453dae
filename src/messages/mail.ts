import type { PersonName } from '#foundation/person-names.ts'

export type Recipient = { email: string; firstName: string }
/** Somebody whose address may have been entered by another person. */
export type Stranger = { email: string; firstName: PersonName }
/** A member without an email address, whom the owner calls instead. */
export type ByPhone = { email: null; firstName: string; userId: string }

/** Times are local to the studio, dates are `YYYY-MM-DD`, instants are ISO 8601. */
export type MailedClass = {
  title: string
  date: string
  startTime: string
  endTime: string
  instructorName: string
  startsAt: string
  endsAt: string
}

/**
 * Identifies an entry in a calendar: a booking keeps its `uid` for good, and `sequence` goes up with each change.
 * `changedAt` is the instant of the last one.
 */
export type CalendarEntry = { uid: string; sequence: number; changedAt: string }

/** A class in which the recipient has (or had) a place. */
export type MailedBooking = MailedClass & { bookingId: number; calendar: CalendarEntry }

/**
 * `isCreditLost`: the pass had been voided, so the credit was not returned. `paidBy`: the member who paid, for a
 * companion; `paidFor`: the companion whose credit the recipient got back too.
 */
type CancelledBooking = MailedBooking & {
  isCreditLost?: true
  paidBy?: string | undefined
  paidFor?: string | undefined
}

/**
 * A class with its new teacher. `insteadOf`: whom it was booked with, or if it is given back, who had it in
 * between.
 */
export type TaughtBooking = MailedBooking & {
  insteadOf: string
  isBack: boolean
  /** Cancelling returns the credit until the start. */
  isMoved: boolean
  hasPassEnded: boolean
}

/** What cancelling would have cost at the time of booking. */
type IfCancelled = { ifCancelled: 'credit_returned' | 'forfeited' | 'too_late' }

/** Why a member on the waiting list was not given a place. */
export type SkipReason =
  | 'blocked'
  | 'no_credit'
  | 'pass_on_hold'
  | 'pass_paused'
  | 'health_missing'
  | 'overlapping_booking'

/** Why a date of a regular booking was not booked. */
type RegularCode = SkipReason | 'tonight' | 'too_soon' | 'full' | 'skipped' | 'closed' | 'already_booked'
type RegularSlot = { day: string; startTime: string }

/**
 * `amount` is decimal. `isGift`: to the member who redeemed a gift voucher that another person paid for. To its buyer,
 * `isVoucher`: nobody has redeemed it yet; `isGiven`: another member has.
 */
type PassPayment = { to: Recipient; packageName: string; amount: string; isGift?: boolean } & Bought
type Bought = { isVoucher?: boolean; isGiven?: boolean }

/** `addedAt`: an instant, ISO 8601. */
type MailedPasskey = { label: string; addedAt: string }
export type RemovedFactors = { passkeys: MailedPasskey[]; hadApp: boolean; recoveryCodes: number }

/** Every mail and the data it is rendered from. Amounts are decimal. Never add health answers. */
export type Mails = {
  welcome: { to: Recipient }
  /** The link's token is derived from `linkId` when the mail is rendered, and never stored. */
  'verify-email': { to: Recipient; linkId: string }
  'set-password': { to: Recipient; linkId: string }
  /** To the address that a member asked for; the link makes it theirs. */
  'confirm-new-email': { to: Recipient; linkId: string }
  /** To the old address; the link restores it. */
  'email-changed': { to: Recipient; newEmail: string; linkId: string }
  /** To the new address. */
  'email-changed-to': { to: Recipient }
  /** `restored`: to the address that is back, with a link to set a password; null: to the address that was undone. */
  'email-change-undone': { to: Recipient; restored: { linkId: string; removed: RemovedFactors } | null }
  /** `at` is an ISO 8601 instant; `browser` and `system` are null if unknown. */
  'password-changed': {
    to: Recipient
    at: string
    browser: string | null
    system: string | null
    passkeys: { removed: MailedPasskey[]; kept: MailedPasskey[] }
    isFormerAddress?: true
  }
  /** For a member whom the studio has added: the link sets their first password. */
  invitation: { to: Recipient; linkId: string }
  receipt: {
    to: Recipient
    packageName: string
    classCount: number
    amount: string
    /** Empty for the package alone. */
    lines: readonly { label: string; amount: string }[]
    /** For example `Visa ending 4242`. */
    method: string | null
    /** ISO 8601 instants. */
    paidAt: string
    expiresAt: string
    purchaseId: number
    receiptNumber: number
    /** A desk sale. */
    isOnPremises: boolean
    /** The instant of the request to begin within the cancellation period. */
    beginRequestedAt: string | null
    /** The receipt of a gift voucher; `expiresAt` is the voucher's. */
    isVoucher: boolean
  }
  /** A gift voucher, to its recipient. `from`: the buyer's name. `code` is filled in when rendered, never stored. */
  voucher: {
    to: Stranger
    voucherId: number
    from: string | null
    packageName: string
    /** An ISO 8601 instant. */
    expiresAt: string
    code?: string
    /** From the buyer; filled in like the code. */
    message?: string | null
  }
  /** The same, to the buyer. */
  'voucher-to-print': {
    to: Recipient
    voucherId: number
    recipientName: string
    packageName: string
    expiresAt: string
    code?: string
  }
  /** To the buyer: its recipient has erased their account, or their mail server refuses the address. */
  'voucher-not-sent': {
    to: Recipient
    voucherId: number
    packageName: string
    expiresAt: string
    because: 'erased' | 'refused'
  }
  /** To the buyer of a voucher that has not been redeemed. */
  'voucher-expires': {
    to: Recipient
    voucherId: number
    recipientName: string
    lastFour: string
    packageName: string
    expiresAt: string
  }
  /** `bookedBy`: the member who paid, for a companion. */
  'booking-confirmed': { to: Recipient; class: MailedBooking; bookedBy?: string } & IfCancelled
  /**
   * The link's token is derived from `linkId`. `from`: the class before the studio moved it. `until` is an instant.
   * `every`: the slot of a regular booking, for which accepting counts too. `isBooked`: they have this class already.
   */
  'companion-invited': {
    every?: { day: string; startTime: string } | undefined
    isBooked?: true | undefined
    to: Stranger
    class: MailedClass
    invitedBy: string
    until: string
    linkId: string
    from?: MailedClass
  }
  /** A place that was held for the recipient has ended. */
  'invitation-ended': {
    to: Stranger
    class: MailedClass
    invitedBy: string
    why: 'expired' | 'declined' | 'withdrawn' | 'class_cancelled' | 'pass_ended'
  }
  /** To the member who invited the companion. */
  'companion-answered': {
    to: Recipient
    class: MailedClass
    companion: string
    answer: 'accepted' | 'declined'
    /** Whether they come along every week was the question, or a part of it. */
    every?: { day: string; startTime: string } | undefined
    isBooked?: true | undefined
  }
  /** To the member who invited the companion: the held place has ended. */
  'held-place-ended': {
    to: Recipient
    class: MailedClass
    companion: string
    why: 'expired' | 'withdrawn' | 'class_cancelled' | 'pass_ended'
    isCreditLost: boolean
  }
  /** One of two people has left. `credit`: of the member who paid; left out in mails to the companion. */
  'other-place-ended': {
    to: Recipient
    class: MailedClass
    other: string
    credit?: 'credit_returned' | 'forfeited' | 'pass_ended'
  }
  'booking-rescheduled': { to: Recipient; class: MailedBooking; from: MailedClass } & IfCancelled
  'booking-cancelled': {
    to: Recipient
    class: MailedBooking
    /** `pass_ended`: its payment was returned, which ended the booking; `no_pass`: it had been voided before. */
    outcome: 'credit_returned' | 'forfeited' | 'pass_ended' | 'no_pass'
    /** `decided`: an admin chose the outcome; null: the outcome is the reason. */
    reason: 'in_time' | 'late' | 'moved' | 'other_teacher' | 'paused' | 'decided' | null
    /** The member who paid, for a companion; `isByPayer`: and who has cancelled it. */
    paidBy?: string | undefined
    isByPayer?: boolean
  }
  /** The answer to a request for rights over data that the site carries out at once. */
  'rights-request-done': { to: Recipient; did: 'downloaded' | 'health_withdrawn' }
  /** `classes`: the upcoming ones, which are cancelled. */
  'account-erased': { to: Recipient; classes: MailedBooking[] }
  /** Credits for a class that came back without a booking of the recipient’s. `expiresAt` is an ISO 8601 instant. */
  'credit-returned': {
    to: Recipient
    class: MailedClass
    reason: string
    expiresAt: string
    /** For the member and a companion. */
    hasBothCredits?: true | undefined
  }
  /** `expiresOn`: the pass's last day. `booked`: classes booked until then. `free`: the next with a place. */
  'credits-expire': {
    to: Recipient
    credits: number
    packageName: string
    expiresOn: string
    booked: number
    free: Pick<MailedClass, 'title' | 'date' | 'startTime' | 'endTime'>[]
    /** Weekly slots that are booked for the member, as `every Friday at 08:00`. */
    regular?: string[] | undefined
    /** The pause that the pass is in, or its next one; both days included. */
    pausedOn?: { from: string; to: string }
  }
  /**
   * The dates of a regular booking. `kind`: it was set up; dates were booked since; or the monthly overview of what was
   * booked since the last email. `notBooked`: the dates that the member cannot have, and why.
   */
  'regular-dates': RegularSlot & {
    to: Recipient
    kind: 'set_up' | 'booked' | 'monthly'
    booked: MailedBooking[]
    notBooked: { date: string; code: RegularCode }[]
    bookedUntil: string | null
    /** Places booked for the companion, with the member's credits. */
    companion?: { firstName: string; dates: string[] } | undefined
    /** For the companion: the member who pays. */
    bookedBy?: string | undefined
  }
  /** A member's credits cover less than two weeks of a regular booking. */
  'regular-credits': RegularSlot & { to: Recipient; bookedUntil: string | null }
  /**
   * `because`: who ended it; `timetable`: the slot has no classes; `merged`: the studio has moved it to the time of
   * another one. `cancelled`: bookings that ended with it.
   */
  'regular-ended': RegularSlot & {
    to: Recipient
    because: 'member' | 'studio' | 'timetable' | 'merged'
    cancelled: MailedBooking[]
    /** Booked since the last email, and still booked. */
    kept: MailedBooking[]
    /** For the companion: the member whose regular booking it was. */
    bookedBy?: string | undefined
  }
  /** To the member who pays. `cancelled`: the companion's places that ended with it. */
  'regular-companion-left': RegularSlot & { to: Recipient; companion: string; cancelled: MailedBooking[] }
  /** The studio paused or extended a pass, or ended its pause. Dates are `YYYY-MM-DD`; `expiresOn`: its last day. */
  'pass-validity': {
    to: Recipient
    change: 'paused' | 'resumed' | 'extended'
    packageName: string
    expiresOn: string
    /** Of a pause; both days included. */
    pausedOn?: { from: string; to: string }
    reason?: string
  }
  'class-cancelled': { to: Recipient; class: CancelledBooking }
  /** For members on the waiting list. */
  'awaited-class-cancelled': { to: Recipient; class: MailedClass }
  /** A studio closure: one mail per member about everything they had booked or were waiting for. */
  'studio-closed': {
    to: Recipient
    closureId: number
    from: string
    until: string
    /** Closed on this one day only from `from` to `to`. */
    hours?: { from: string; to: string }
    reason: string
    booked: CancelledBooking[]
    /** Credits for a late cancellation of the recipient’s, or for the place of a `companion` whom they paid for. */
    late: (MailedClass & { companion?: string | undefined })[]
    awaited: MailedClass[]
  }
  /** `from`: the class before it was moved. `movedAt`: an ISO 8601 instant. `paidBy`: who paid, for a companion. */
  'class-moved': {
    to: Recipient
    class: MailedBooking
    from: MailedClass
    movedAt: string
    paidBy?: string | undefined
    /** The pass that paid takes no credit back, as when the member who paid was erased. */
    hasPassEnded?: boolean
  }
  /**
   * One mail per member about all classes that were given to one teacher at `changedAt`, or back to the one they were
   * booked with.
   */
  'teacher-changed': { to: Recipient; taught: TaughtBooking[]; changedAt: string }
  /** A free place that is the recipient's alone until an ISO 8601 instant. */
  'place-offered': { to: Recipient; classId: number; class: MailedClass; until: string }
  /** For members on the waiting list. `isFree`: the class has a free place. */
  'awaited-class-moved': {
    to: Recipient
    classId: number
    class: MailedClass
    from: MailedClass
    movedAt: string
    isFree: boolean
  }
  /** A free place was booked for a member on the waiting list. */
  'place-from-waiting-list': { to: Recipient; class: MailedBooking }
  /** The first member to book gets the place. */
  'place-free': { to: Recipient; classId: number; class: MailedClass; because?: SkipReason }
  /** The place was given to the next member on the waiting list. */
  'skipped-on-waiting-list': { to: Recipient; classId: number; class: MailedClass; because: SkipReason }
  /** `isMoved`: the studio has moved the class since it was booked. `paidBy`: the member who paid, for a companion. */
  'class-reminder': {
    to: Recipient
    class: MailedBooking
    isMoved: boolean
    paidBy?: string | undefined
    hasPassEnded?: boolean
  }
  /** For the owner. Contains no answers. */
  'health-update-notice': { to: Recipient; member: { name: string } }
  'purchase-refunded': {
    to: Recipient
    packageName: string
    paid: string
    amount: string
    fee: string | null
    method: string | null
    /** How money was given back by hand; `other`: as it was paid. */
    deskMethod: 'cash' | 'bank_transfer' | 'card_reader' | 'other' | 'agreed' | null
    /** `gift_`: another member holds the pass. */
    pass:
      | ('ended' | 'fewer_credits' | 'kept' | 'none')
      | ('gift_ended' | 'gift_fewer_credits' | 'gift_kept')
      | ('voucher_void' | 'voucher_kept')
  }
  /** To the member who redeemed a voucher that was partly refunded. */
  'gift-credits-taken': { to: Recipient; packageName: string; credits: number }
  /** A desk sale recorded by mistake. */
  'sale-voided': { to: Recipient; packageName: string; amount: string; purchaseId: number; receiptNumber: number }
  'refund-failed': { to: Recipient; packageName: string; amount: string }
  /** A dispute was opened, won or lost. */
  'pass-on-hold': PassPayment
  'pass-off-hold': PassPayment
  'pass-ended': PassPayment
  /** A payment by a method that takes days. */
  'payment-failed': PassPayment
  'payment-returned': {
    to: Recipient
    packageName: string
    amount: string
    currency: string
    method: string | null
    because: 'held' | 'blocked' | 'mismatched'
  }
  /** For the owner. `member` is null if the account no longer exists. */
  'payment-returned-notice': {
    to: Recipient
    member: { name: string; email: string } | null
    packageName: string
    amount: string
    currency: string
    because: 'held' | 'blocked' | 'mismatched' | 'member_gone'
  }
  /** For the owner: an event at the card provider. `detail`: the provider's own reason. */
  'payment-notice': {
    to: Recipient
    kind:
      | 'inquiry_opened'
      | 'inquiry_closed'
      | 'dispute_opened'
      | 'dispute_won'
      | 'dispute_lost'
      | 'fraud_warning'
      | 'refund_failed'
      | 'refund_not_needed'
      | 'refunded_there'
      | 'more_refunded_there'
      | 'partly_refunded_there'
      | 'still_processing'
    member: { name: string; email: string } | null
    packageName: string
    paid: string
    amount: string
    detail: string | null
    respondBy: string | null
    bookingsCancelled: number
    /** The member was not emailed: they are erased, or nothing changes for them. */
    isMemberNotNotified?: true
    /** It bought a gift voucher that has not been redeemed. */
    isVoucher?: true
  }
  /** `about`: the account's owner, if it is not the recipient's own. `at` is an ISO 8601 instant. */
  'security-alarm': {
    to: Recipient
    kind:
      | 'new_sign_in'
      | 'many_failures'
      | 'made_admin'
      | 'no_longer_admin'
      | 'made_teacher'
      | 'no_longer_teacher'
      | 'factor_added'
      | 'factor_removed'
      | 'recovery_code_used'
      | 'recovery_codes_renewed'
    about: { name: string } | null
    at: string
    network: string | null
    browser: string | null
    system: string | null
    /** To the account's former address, whose restore link still works. */
    isFormerAddress?: true
  }
  /** For the owner, on request: shows that emails leave. */
  'test-email': { to: Recipient }
  /** For the owner: many bookings or payments end in a server error. `at` is an ISO 8601 instant. */
  failing: { to: Recipient; kind: 'booking' | 'payment'; total: number; failed: number; at: string }
  /** For the owner: sign-ins fail across the site. `at` is an ISO 8601 instant. */
  'many-failures': { to: Recipient; at: string }
  /**
   * A complaint about personal data was recorded. `answerBy` is `YYYY-MM-DD`. `complaint` is null if the address is not
   * known to be the writer's own.
   */
  'complaint-received': { to: Stranger; complaint: string | null; answerBy: string; hasNoAccount?: true }
  'complaint-answered': { to: Stranger; complaint: string; answer: string }
  /** For the owner. */
  attention: { to: Recipient; items: { title: string; text: string }[] }
  /**
   * A message to many members in plain text. `recipientId`: the row that records the outcome; null for a test.
   * `unsubscribe`: a path, for news and offers.
   */
  'studio-message': {
    to: Recipient
    recipientId: string | null
    subject: string
    text: string
    /** Sizes in pixels of the files. */
    pictures: { path: string; alt: string; width: number; height: number }[]
    unsubscribe: string | null
    isNewsletter: boolean
  }
  /** `isConfirmed`: the address is on the list already. */
  'newsletter-confirm': { to: Pick<Recipient, 'email'>; token: string; isConfirmed: boolean }
  'unsubscribe-link': { to: Pick<Recipient, 'email'> }
}
export type MailName = keyof Mails

/** A mail in the outbox. */
export type MailJob<Name extends MailName = MailName> = { [M in Name]: { mail: M; data: Mails[M] } }[Name]
