import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import {
  DateText,
  FlagText,
  InstantText,
  isInOrder,
  Paging,
  PathId,
  requiredText,
  spansAtMost,
  withDefault,
} from '#foundation/fields.ts'
import { refusals } from '#foundation/refusal.ts'
import { Package, packageRefusals } from '#packages/contract.ts'
import { CAUSED_BY, LEDGER_KINDS } from './rules.ts'

export const passRefusals = refusals({
  pass_not_found: [404, 'Pass not found.'],
  user_not_found: [404, 'User not found.'],
  pass_ended: [400, 'This pass was voided or refunded.'],
  pass_expired: [400, 'This pass has expired. You can extend it, but not pause it.'],
  pause_before_pass: [400, 'A pause cannot start before the day the member got the pass.'],
  pause_after_expiry: [400, 'A pause must start by the day the pass expires.'],
  already_paused: [400, 'This pass is already paused on all of these days.'],
  not_paused: [400, 'This pass has no pause left to end.'],
  expiry_not_later: [400, 'Please choose a day after the current expiry, today or later.'],
})

/** London dates, first and last included. */
export const DateRange = z.object({ from: z.iso.date(), to: z.iso.date() })

export const Pass = z
  .object({
    id: z.int(),
    userId: z.string(),
    packageId: z.int(),
    creditsRemaining: z.int(),
    creditsTotal: z.int(),
    expiresAt: InstantText,
    createdAt: InstantText,
    /** Since when a dispute keeps it from paying. */
    frozenAt: InstantText.nullable(),
    /** Voided or refunded. */
    isEnded: z.boolean(),
    /** The days on which the studio has paused it, past ones included. */
    paused: z.array(DateRange),
    package: Package,
    /** The same as `package`. Clients use both names. */
    classPass: Package,
  })
  .meta({ id: 'UserPass' })
export type Pass = z.output<typeof Pass>

/** A line of a member's ledger. `credits` is 0 for a forfeit, a no-show, a pause and mostly for an extension. */
export const LedgerLine = z
  .object({
    id: z.int(),
    kind: z.enum(LEDGER_KINDS),
    credits: z.int(),
    passId: z.int(),
    package: z.string(),
    bookingId: z.int().nullable(),
    /** As it was at the time; null if the line is not about a booking. */
    class: z.object({ title: z.string(), date: z.iso.date(), startTime: z.string() }).nullable(),
    /** `name`: an admin's, shown to admins only. */
    causedBy: z.object({ by: z.enum(CAUSED_BY), name: z.string().nullable() }),
    reason: z.string().nullable(),
    at: InstantText,
  })
  .meta({ id: 'LedgerLine' })
export type LedgerLine = z.output<typeof LedgerLine>

export const listCredits = endpoint('GET /api/user/credits', {
  who: 'member',
  summary: "The member's credit history, the newest line first: every movement with its class, cause and reason",
  query: Paging.pick({ limit: true, offset: true }),
  response: z.array(LedgerLine),
})

export const listPasses = endpoint('GET /api/user/passes', {
  who: 'member',
  alias: ['/api/user-passes'],
  summary:
    "The member's passes, the one that expires first leading; `activeOnly=true` keeps unexpired ones that hold credits",
  query: z.object({ activeOnly: FlagText().optional() }),
  response: z.array(Pass),
})

const credits = z
  .number('At least 1 credit required')
  .min(1, 'At least 1 credit required')
  .int('Please enter a whole number')
  .max(50, 'At most 50 credits can be gifted at once')
const months = z
  .int('Validity must be at least 1 month')
  .min(1, 'Validity must be at least 1 month')
  .max(120, 'Please enter at most 120')

export const GiftForm = z.object({
  packageId: z.string().min(1, 'Package is required'),
  creditsToGift: credits,
  expiryMonths: months,
})
export type GiftForm = z.output<typeof GiftForm>

export const giftCredits = endpoint('POST /api/admin/users/:userId/gift-credits', {
  summary: 'Give a member a pass with credits, without payment',
  params: z.object({ userId: z.string().min(1).max(64) }),
  body: z.object({
    packageId: z.int('Package is required').min(1, 'Package is required').max(2_147_483_647, 'Package is required'),
    creditsToGift: credits,
    expiryMonths: withDefault(months, 12),
  }),
  response: Pass,
  status: 201,
  refusals: [passRefusals.user_not_found, packageRefusals.package_not_found],
})

export const deletePass = endpoint('DELETE /api/admin/user-passes/:id', {
  summary: 'Void what is left of a pass by a correction line',
  params: PathId,
  says: 'User pass deleted successfully',
  refusals: [passRefusals.pass_not_found],
})

const MAX_PAUSE_DAYS = 366
const reason = requiredText('Please enter the reason', 500)
const pauseDays = { from: DateText('Please enter the first day'), to: DateText('Please enter the last day') }
const ENDS_BEFORE = { path: ['to'], message: 'The last day cannot be before the first' }
const TOO_LONG = { path: ['to'], message: 'Please pause at most a year at once' }

export const PauseDays = z
  .object(pauseDays)
  .refine(isInOrder, ENDS_BEFORE)
  .refine(spansAtMost(MAX_PAUSE_DAYS), TOO_LONG)
export const PauseForm = z
  .object({ ...pauseDays, reason })
  .refine(isInOrder, ENDS_BEFORE)
  .refine(spansAtMost(MAX_PAUSE_DAYS), TOO_LONG)
export type PauseForm = z.output<typeof PauseForm>

export const resumePass = endpoint('DELETE /api/admin/user-passes/:id/pause', {
  summary: 'End the pause of a pass early, and any pause still to come; the days not used are taken off its validity',
  params: PathId,
  response: Pass,
  refusals: [passRefusals.pass_not_found, passRefusals.pass_ended, passRefusals.not_paused],
})

export const ExtensionForm = z.object({
  /** A London date, which is the last day, or an instant on it. */
  expiresAt: z.union([DateText('Please choose the new last day'), z.iso.datetime()], 'Please choose the new last day'),
  reason,
})
export type ExtensionForm = z.output<typeof ExtensionForm>

export const extendPass = endpoint('PUT /api/admin/user-passes/:id', {
  summary: 'Extend a pass, also an expired one: credits that it lost when it expired come back',
  params: PathId,
  body: ExtensionForm,
  response: Pass,
  refusals: [passRefusals.pass_not_found, passRefusals.pass_ended, passRefusals.expiry_not_later],
})
