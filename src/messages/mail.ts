/** Who a mail goes to. */
export type Recipient = { email: string; firstName: string }

/** What a mail about a class says of it. Times are wall time at the studio, dates `YYYY-MM-DD`. */
export type MailedClass = {
  title: string
  date: string
  startTime: string
  endTime: string
  instructorName: string
  /** Instants, ISO 8601: for the calendar file. */
  startsAt: string
  endsAt: string
}

/**
 * What a calendar knows an entry by: the same `uid` from the first booking through every move to the end, and a
 * `sequence` that counts its changes up. `changedAt`: the last of them, an instant.
 */
export type CalendarEntry = { uid: string; sequence: number; changedAt: string }

/** A class in which the recipient has (or had) a place. */
export type MailedBooking = MailedClass & { bookingId: number; calendar: CalendarEntry }

/** A booking that the studio cancelled. `isCreditLost`: the pass that paid had been voided, so no credit came back. */
type CancelledBooking = MailedBooking & { isCreditLost?: true }

/** What cancelling would mean when the place was taken. Absent in a mail that an earlier release queued. */
type IfCancelled = { ifCancelled?: 'credit_returned' | 'forfeited' | 'too_late' }

/** Why a place was not given to a member in line. */
export type WhySkipped = 'blocked' | 'no_credit' | 'pass_on_hold' | 'health_missing' | 'overlapping_booking'

/** What a mail says of a pass whose payment moved. Decimal amounts. */
type AboutPass = { to: Recipient; packageName: string; amount: string }

/** `addedAt`: an instant, ISO 8601. */
type MailedPasskey = { label: string; addedAt: string }

/** Every mail the studio sends and what it needs to be written. Health answers have no place here. */
export type Mails = {
  welcome: { to: Recipient }
  /** `linkId`: what the link's token is made from when the mail is written; the token itself waits nowhere. */
  'verify-email': { to: Recipient; linkId: string }
  'set-password': { to: Recipient; linkId: string }
  /** To the address that was theirs; the link brings it back. */
  'email-changed': { to: Recipient; newEmail: string; linkId: string }
  /** To the address that is theirs now. */
  'email-changed-to': { to: Recipient }
  /**
   * A change of address was undone. `isBack`: to the address that is theirs again, with a link to set a password and what was
   * removed with the old one; else to the other.
   */
  'email-change-undone': {
    to: Recipient
    isBack: boolean
    /** These two are absent in a mail that an earlier release queued. */
    linkId?: string
    removed?: { passkeys: MailedPasskey[]; hadApp: boolean; recoveryCodes: number }
  }
  /** `at`: an instant, ISO 8601; `browser`, `system`: where it was changed, as far as that is known. */
  'password-changed': {
    to: Recipient
    at: string
    browser: string | null
    system: string | null
    /** Those removed with the old password, and those that still sign in. Absent in a mail that an earlier release queued. */
    passkeys?: { removed: MailedPasskey[]; kept: MailedPasskey[] }
    isFormerAddress?: true
  }
  /** The studio has added them: the link sets their first password. */
  invitation: { to: Recipient; linkId: string }
  receipt: {
    to: Recipient
    packageName: string
    classCount: number
    /** Decimal amounts. */
    amount: string
    /** What was paid with: `Visa ending 4242`; null when the provider does not say. */
    method: string | null
    /** Instants, ISO 8601. */
    paidAt: string
    expiresAt: string
    purchaseId: number
    /** Absent in a mail that an earlier release queued, whose purchases were numbered by themselves. */
    receiptNumber?: number
    /** Paid face to face at the studio. Absent in a mail that an earlier release queued. */
    isOnPremises?: boolean
    /** When they asked to begin within the days in which they can cancel, an instant. Absent in older mails. */
    beginRequestedAt?: string | null
  }
  'booking-confirmed': { to: Recipient; class: MailedBooking } & IfCancelled
  /** `from`: where the place was before. */
  'booking-rescheduled': { to: Recipient; class: MailedBooking; from: MailedClass } & IfCancelled
  'booking-cancelled': {
    to: Recipient
    class: MailedBooking
    /** `pass_ended`: its payment went back, and the booking with it; `no_pass`: the pass was voided before. */
    outcome: 'credit_returned' | 'forfeited' | 'pass_ended' | 'no_pass'
    /** Absent in a mail that an earlier release queued. */
    reason?: 'in_time' | 'late' | 'moved' | 'decided'
  }
  /** For who had classes to come when the account was deleted. */
  'account-erased': { to: Recipient; classes: MailedBooking[] }
  /** An admin gave back a credit that the rules had kept. `expiresAt`: an instant, ISO 8601. */
  'credit-returned': { to: Recipient; class: MailedClass; reason: string; expiresAt: string }
  'class-cancelled': { to: Recipient; class: CancelledBooking }
  /** For who waited for it. */
  'awaited-class-cancelled': { to: Recipient; class: MailedClass }
  /** The studio is closed for days: one mail about all that somebody had booked in them, or waited for. */
  'studio-closed': {
    to: Recipient
    /** Absent in a mail that an earlier release queued. */
    closureId?: number
    from: string
    until: string
    reason: string
    booked: CancelledBooking[]
    /** Classes they had cancelled late, whose credits came back. Absent in a mail that an earlier release queued. */
    late?: MailedClass[]
    awaited: MailedClass[]
  }
  /** The studio has moved it; `from`: as it was before. An instant, ISO 8601. */
  'class-moved': { to: Recipient; class: MailedBooking; from: MailedClass; movedAt: string }
  /** For who waits for it; `isFree`: it has a free place. */
  'awaited-class-moved': {
    to: Recipient
    classId: number
    class: MailedClass
    from: MailedClass
    movedAt: string
    isFree: boolean
  }
  /** A freed place became theirs: booked and paid. */
  'place-from-waiting-list': { to: Recipient; class: MailedBooking }
  /** A place is free for whoever books first. */
  'place-free': { to: Recipient; classId: number; class: MailedClass; because?: WhySkipped }
  /** A place went to someone further back in line, as they could not take it. */
  'skipped-in-line': { to: Recipient; classId: number; class: MailedClass; because: WhySkipped }
  /** `isMoved`: by the studio since it was booked. */
  'class-reminder': { to: Recipient; class: MailedBooking; isMoved: boolean }
  /** For the owner: that somebody saved health information, and nothing of what it says. */
  'health-update-notice': { to: Recipient; member: { name: string } }
  /** Money that goes back for a pass, and what that means for the pass. Decimal amounts. */
  'purchase-refunded': {
    to: Recipient
    packageName: string
    paid: string
    amount: string
    fee: string | null
    method: string | null
    /** Of a sale at the desk, where it was given back. Absent in a mail that an earlier release queued. */
    deskMethod?: 'cash' | 'bank_transfer' | 'card_reader' | 'other' | null
    pass: 'ended' | 'fewer_credits' | 'kept' | 'none'
  }
  /** A sale at the desk that was recorded by mistake. */
  'sale-voided': { to: Recipient; packageName: string; amount: string; purchaseId: number; receiptNumber: number }
  /** A refund that did not arrive. */
  'refund-failed': { to: Recipient; packageName: string; amount: string }
  /** A bank disputes the payment: the pass cannot pay until that is decided; it may again; it has ended. */
  'pass-on-hold': AboutPass
  'pass-off-hold': AboutPass
  'pass-ended': AboutPass
  /** A payment by a method that takes days has failed after all. */
  'payment-failed': AboutPass
  'payment-returned': {
    to: Recipient
    packageName: string
    amount: string
    currency: string
    method: string | null
    because: 'held' | 'blocked' | 'mismatched'
  }
  /** The same news for the owner. Without a member: the account that paid no longer exists. */
  'payment-returned-notice': {
    to: Recipient
    member: { name: string; email: string } | null
    packageName: string
    amount: string
    currency: string
    because: 'held' | 'blocked' | 'mismatched' | 'member_gone'
  }
  /** For the owner: what happened to a payment at the card provider. `detail`: the provider's own word for why. */
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
    /** The member was not told of it: they are erased, or it changes nothing for them. */
    isMemberUntold?: true
  }
  /**
   * Something about who can get into an account. `about`: whose, where it is not the reader's own. `at`: an instant, ISO 8601;
   * `network`, `browser` and `system`: from where, as far as that is known.
   */
  'security-alarm': {
    to: Recipient
    kind:
      | 'new_sign_in'
      | 'many_failures'
      | 'made_admin'
      | 'no_longer_admin'
      | 'factor_added'
      | 'factor_removed'
      | 'recovery_code_used'
      | 'recovery_codes_renewed'
    about: { name: string } | null
    at: string
    network: string | null
    browser: string | null
    system: string | null
    /** The account had this address until lately, and the link to restore it still works. */
    isFormerAddress?: true
  }
  /** For the owner: sign-ins fail all over the site, as when one password is tried at many accounts. `at`: an instant, ISO 8601. */
  'many-failures': { to: Recipient; at: string }
  /** What somebody complained of about their data is on record. `answerBy`: `YYYY-MM-DD`. */
  'complaint-received': { to: Recipient; complaint: string; answerBy: string }
  'complaint-answered': { to: Recipient; complaint: string; answer: string }
  /** For the owner: what needs attention, in the words of its list. */
  attention: { to: Recipient; items: { title: string; text: string }[] }
  /**
   * What the studio writes to many, its words filled in: plain text. `recipientId`: the row that says what becomes of it;
   * null for a test. `unsubscribe`: a path, where it is news or offers.
   */
  'studio-message': {
    to: Recipient
    recipientId: string | null
    subject: string
    text: string
    unsubscribe: string | null
    isNewsletter: boolean
  }
  /** `isConfirmed`: the address is on the list already. Subscribers have given no name. */
  'newsletter-confirm': { to: Pick<Recipient, 'email'>; token: string; isConfirmed: boolean }
  /** A link to unsubscribe, requested at this address. */
  'unsubscribe-link': { to: Pick<Recipient, 'email'> }
}
export type MailName = keyof Mails

/** A mail waiting in the outbox: its name and what it says. */
export type MailJob<Name extends MailName = MailName> = { [M in Name]: { mail: M; data: Mails[M] } }[Name]
