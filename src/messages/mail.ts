/** Who a mail goes to. */
export type Recipient = { email: string; firstName: string }

/** What a mail about a class says of it. Times are London wall time, dates `YYYY-MM-DD`. */
export type MailedClass = {
  bookingId: number
  title: string
  date: string
  startTime: string
  endTime: string
  instructorName: string
  /** Instants, ISO 8601: for the calendar file. */
  startsAt: string
  endsAt: string
}

/** Every mail the studio sends and what it needs to be written. Health answers have no place here. */
export type Mails = {
  welcome: { to: Recipient }
  'verify-email': { to: Recipient; token: string }
  'set-password': { to: Recipient; token: string }
  receipt: {
    to: Recipient
    packageName: string
    classCount: number
    /** Decimal pounds. */
    amount: string
    /** Instants, ISO 8601. */
    paidAt: string
    expiresAt: string
    purchaseId: number
  }
  'booking-confirmed': { to: Recipient; class: MailedClass }
  /** `from`: where the place was before. */
  'booking-rescheduled': { to: Recipient; class: MailedClass; from: MailedClass }
  'booking-cancelled': { to: Recipient; class: MailedClass; outcome: 'credit_returned' | 'forfeited' }
  'class-cancelled': { to: Recipient; class: MailedClass }
  'payment-returned': { to: Recipient; packageName: string; amount: string }
  /** The same news for the owner. Without a member: the account that paid no longer exists. */
  'payment-returned-notice': {
    to: Recipient
    member: { name: string; email: string } | null
    packageName: string
    amount: string
  }
}
export type MailName = keyof Mails

/** A mail waiting in the outbox: its name and what it says. */
export type MailJob = { [M in MailName]: { mail: M; data: Mails[M] } }[MailName]
