import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { DateText, InstantText } from '#foundation/fields.ts'

/** Why data is kept after its retention period. */
const REASONS_TO_KEEP = [
  'admin',
  'teacher',
  'pass',
  'booking',
  'waiting',
  'voucher',
  'payment',
  'purchase',
  'dispute',
  'complaint',
] as const
export type ReasonToKeep = (typeof REASONS_TO_KEEP)[number]

/** Until when the studio keeps a member's data, by the rules of the nightly job. */
export const KeptUntil = z
  .object({
    /** The first day on which the account is erased if nothing more happens; null for admins and teachers. */
    account: DateText().nullable(),
    /** The start of that period. */
    accountSince: z.enum(['last_class', 'sign_up', 'invitation']),
    /** The same for health information; null if there is none. */
    health: DateText().nullable(),
    /** Why both are kept after those days. */
    keptBy: z.array(z.enum(REASONS_TO_KEEP)),
    /** When the oldest and the newest purchase are erased. */
    purchases: z.object({ count: z.int(), first: DateText(), last: DateText() }).nullable(),
  })
  .meta({ id: 'KeptUntil' })
export type KeptUntil = z.output<typeof KeptUntil>

export const getKeptUntil = endpoint('GET /api/user/kept-until', {
  who: 'member',
  summary: "Until when the member's data is kept, by the rules of the nightly retention job",
  response: KeptUntil,
})

/** What a member has agreed to, when, and in which words. */
export const OwnConsents = z
  .object({
    /** Null without health information. */
    health: z
      .object({ agreedAt: InstantText, healthDisclaimer: z.string().nullable(), dataConsent: z.string().nullable() })
      .nullable(),
    /** News and offers: the words of the health form, or where else they agreed. */
    marketing: z.object({ agreedAt: InstantText, text: z.string().nullable() }).nullable(),
    /** When they unsubscribed from news and offers. */
    objectedAt: InstantText.nullable(),
    /** When they confirmed the newsletter. */
    newsletterAt: InstantText.nullable(),
    /** The last recorded withdrawal of health consent. */
    withdrawnAt: InstantText.nullable(),
  })
  .meta({ id: 'OwnConsents' })
export type OwnConsents = z.output<typeof OwnConsents>

export const getConsents = endpoint('GET /api/user/consents', {
  who: 'member',
  summary: 'What the member has agreed to, with the words and dates',
  response: OwnConsents,
})

export const withdrawHealthConsent = endpoint('DELETE /api/user/health-consent', {
  who: 'member',
  summary:
    'Withdraw the consent to health information and erase the answers, the emergency contact and their history. Bookings stay; new ones need the form again',
  says: 'Your health information has been erased.',
})
