import { z } from 'zod'
import { keysOf } from '#foundation/collections.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { DateText, InstantText, Paging } from '#foundation/fields.ts'
import { SECURITY_KINDS, SECURITY_OUTCOMES } from '#security/contract.ts'

/** Somebody on record; of an account that is gone the id alone, a pseudonym. */
const OnRecord = z.object({ id: z.string(), name: z.string().nullable() })

/** A line of the security record, whichever of its three tables holds it. */
export const SecurityLine = z
  .object({
    /** `event:12`, `change:7`, `read:3`. */
    id: z.string(),
    at: InstantText,
    kind: z.enum(keysOf(SECURITY_KINDS)),
    outcome: z.enum(keysOf(SECURITY_OUTCOMES)),
    /** Who did it; null: nobody who was signed in. */
    actor: OnRecord.nullable(),
    /** Whose account it is about; null: of none, of none that is known, or of several. */
    subject: OnRecord.nullable(),
    /** How many accounts a reading was about; 1 otherwise. */
    subjects: z.int(),
    /** The network it came from: IPv4 /24, IPv6 /48. */
    from: z.string().nullable(),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()])),
  })
  .meta({ id: 'SecurityLine' })
export type SecurityLine = z.output<typeof SecurityLine>

export const listSecurityRecord = endpoint('GET /api/admin/security', {
  who: 'admin',
  summary:
    'Who came in, who was kept out, what happened to the ways in, who read, exported, erased, changed settings and refunded; the newest first',
  query: Paging.extend({
    kind: z.enum(keysOf(SECURITY_KINDS)).optional(),
    /** Days at the studio, both included. */
    from: DateText().optional(),
    to: DateText().optional(),
  }),
  reply: z.array(SecurityLine),
})
