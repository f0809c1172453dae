import { z } from 'zod'
import { keysOf } from '#foundation/collections.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { DateText, InstantText, Paging } from '#foundation/fields.ts'
import { SECURITY_KINDS, SECURITY_OUTCOMES } from '#security/contract.ts'

/** A user; only the id, a pseudonym, once the account is erased. */
const OnRecord = z.object({ id: z.string(), name: z.string().nullable() })

/** A line of the security record, from one of three tables. */
export const SecurityLine = z
  .object({
    /** `event:12`, `change:7`, `read:3`. */
    id: z.string(),
    at: InstantText,
    kind: z.enum(keysOf(SECURITY_KINDS)),
    outcome: z.enum(keysOf(SECURITY_OUTCOMES)),
    /** Who did it; null for a visitor. */
    actor: OnRecord.nullable(),
    /** The account it is about; null for none, an unknown one or several. */
    subject: OnRecord.nullable(),
    /** How many accounts were read; otherwise 1. */
    subjects: z.int(),
    /** The network: IPv4 /24, IPv6 /48. */
    from: z.string().nullable(),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()])),
  })
  .meta({ id: 'SecurityLine' })
export type SecurityLine = z.output<typeof SecurityLine>

export const listSecurityRecord = endpoint('GET /api/admin/security', {
  summary:
    'Sign-ins and refused attempts, changes of access, and who read, exported, erased, changed settings or refunded; newest first',
  query: Paging.extend({
    kind: z.enum(keysOf(SECURITY_KINDS)).optional(),
    /** Dates in London, inclusive. */
    from: DateText().optional(),
    to: DateText().optional(),
  }),
  response: z.array(SecurityLine),
})
