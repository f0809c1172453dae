import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { DateText, InstantText, Paging } from '#foundation/fields.ts'
import { HEALTH_READS } from './rules.ts'

/** One admin's reads of the member's health information on one day. */
export const OwnHealthRead = z
  .object({
    /** The admin's name; null if the account no longer exists. */
    reader: z.string().nullable(),
    /** The list of updates, the notes next to a session's names, the emergency contact, or all answers. */
    what: z.enum(HEALTH_READS),
    day: DateText(),
    times: z.int(),
    lastAt: InstantText,
  })
  .meta({ id: 'OwnHealthRead' })
export type OwnHealthRead = z.output<typeof OwnHealthRead>

export const listOwnHealthReads = endpoint('GET /api/user/health-reads', {
  who: 'member',
  summary: 'Who at the studio read the member’s health information, one line per reader and day, newest first',
  query: Paging.pick({ limit: true, offset: true }),
  response: z.array(OwnHealthRead),
})
