import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { InstantText, Message, Paging, PathId, withDefault } from '#foundation/fields.ts'
import { refusals } from '#foundation/refusal.ts'
import { Package, packageRefusals } from '#packages/contract.ts'

export const passRefusals = refusals({
  pass_not_found: [404, 'Pass not found.'],
  user_not_found: [404, 'User not found.'],
})

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
    package: Package,
    /** The specification's other name for `package`. */
    classPass: Package,
  })
  .meta({ id: 'UserPass' })
export type Pass = z.output<typeof Pass>

/** A line of a member's ledger. `credits` is 0 for a forfeit or a no-show. */
export const LedgerLine = z
  .object({
    id: z.int(),
    kind: z.enum([
      'purchase',
      'gift',
      'booking',
      'return',
      'goodwill',
      'forfeit',
      'no_show',
      'expiry',
      'refund',
      'correction',
    ]),
    credits: z.int(),
    passId: z.int(),
    package: z.string(),
    bookingId: z.int().nullable(),
    /** As it was at the time; null if the line is not about a booking. */
    class: z.object({ title: z.string(), date: z.iso.date(), startTime: z.string() }).nullable(),
    /** Null on old lines, which lack it. `name`: an admin's, shown to admins only. */
    causedBy: z
      .object({ by: z.enum(['member', 'admin', 'system', 'provider']), name: z.string().nullable() })
      .nullable(),
    reason: z.string().nullable(),
    at: InstantText,
  })
  .meta({ id: 'LedgerLine' })
export type LedgerLine = z.output<typeof LedgerLine>

export const listCredits = endpoint('GET /api/user/credits', {
  who: 'member',
  summary: "The member's credit history, the newest line first: every movement with its class, cause and reason",
  query: Paging.pick({ limit: true, offset: true }),
  reply: z.array(LedgerLine),
})

export const listPasses = endpoint('GET /api/user/passes', {
  who: 'member',
  alias: ['/api/user-passes'],
  summary:
    "The member's passes, the one that expires first leading; `activeOnly=true` keeps unexpired ones that hold credits",
  query: z.object({ activeOnly: z.enum(['true', 'false']).optional() }),
  reply: z.array(Pass),
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
  who: 'admin',
  acceptsIdempotencyKey: true,
  summary: 'Give a member a pass with credits, without payment',
  params: z.object({ userId: z.string().min(1).max(64) }),
  body: z.object({
    packageId: z.int('Package is required').min(1, 'Package is required').max(2_147_483_647, 'Package is required'),
    creditsToGift: credits,
    expiryMonths: withDefault(months, 12),
  }),
  reply: Pass,
  status: 201,
  refusals: [passRefusals.user_not_found, packageRefusals.package_not_found],
})

export const deletePass = endpoint('DELETE /api/admin/user-passes/:id', {
  who: 'admin',
  summary: 'Void what is left of a pass by a correction line',
  params: PathId,
  reply: Message,
  refusals: [passRefusals.pass_not_found],
})
