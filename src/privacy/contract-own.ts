import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { DateText, InstantText, Message } from '#foundation/fields.ts'

/** Why something is kept although its time would be over. */
export const REASONS_TO_KEEP = [
  'admin',
  'pass',
  'booking',
  'waiting',
  'payment',
  'purchase',
  'dispute',
  'complaint',
] as const
export type ReasonToKeep = (typeof REASONS_TO_KEEP)[number]

/** Until when the studio keeps what it knows of a member, as the nightly job will have it. */
export const KeptUntil = z
  .object({
    /** The first day on which the account is over, if nothing more happens; null for admins. */
    account: DateText().nullable(),
    /** What that day counts from. */
    accountSince: z.enum(['last_class', 'sign_up', 'invitation']),
    /** The same of the health information; null where there is none. */
    health: DateText().nullable(),
    /** What keeps both beyond those days. */
    keptBy: z.array(z.enum(REASONS_TO_KEEP)),
    /** On which days the oldest and the newest of the purchases are over; null where there is none. */
    purchases: z.object({ count: z.int(), first: DateText(), last: DateText() }).nullable(),
  })
  .meta({ id: 'KeptUntil' })
export type KeptUntil = z.output<typeof KeptUntil>

export const getKeptUntil = endpoint('GET /api/user/kept-until', {
  who: 'member',
  summary: 'What is kept of the member until when, by the rules of the nightly retention job',
  reply: KeptUntil,
})

/** What a member has agreed to, in the words they agreed to, and when. */
export const OwnConsents = z
  .object({
    /** Null: no health information is there, so nothing is agreed to. */
    health: z
      .object({ agreedAt: InstantText, healthDisclaimer: z.string().nullable(), dataConsent: z.string().nullable() })
      .nullable(),
    /** News and offers: agreed to with the health form; null: not, or no longer. */
    marketing: z.object({ agreedAt: InstantText, text: z.string().nullable() }).nullable(),
    /** When they said no to news and offers. */
    objectedAt: InstantText.nullable(),
    /** When they confirmed the newsletter. */
    newsletterAt: InstantText.nullable(),
    /** When they last withdrew the consent to health information, as far as that is on record. */
    withdrawnAt: InstantText.nullable(),
  })
  .meta({ id: 'OwnConsents' })
export type OwnConsents = z.output<typeof OwnConsents>

export const getConsents = endpoint('GET /api/user/consents', {
  who: 'member',
  summary: 'What the member has agreed to, the words and the dates',
  reply: OwnConsents,
})

export const withdrawHealthConsent = endpoint('DELETE /api/user/health-consent', {
  who: 'member',
  summary:
    'Withdraw the consent to health information: the answers, the emergency contact and their history are erased. Bookings stay; new ones need the form again',
  reply: Message,
})
