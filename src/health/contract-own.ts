import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { DateText, InstantText, Paging } from '#foundation/fields.ts'

/** Somebody of the studio read the member's health information on a day. */
export const OwnHealthRead = z
  .object({
    /** Who; null: somebody who no longer has an account here. */
    reader: z.string().nullable(),
    /** Changes in the studio's list, what the instructor sees beside a session's names, or all answers. */
    what: z.enum(['health_updates', 'session_notes', 'answers']),
    /** At the studio. */
    day: DateText(),
    /** How often on that day, and when for the last time. */
    times: z.int(),
    lastAt: InstantText,
  })
  .meta({ id: 'OwnHealthRead' })
export type OwnHealthRead = z.output<typeof OwnHealthRead>

export const listOwnHealthReads = endpoint('GET /api/user/health-reads', {
  who: 'member',
  summary:
    'Who of the studio read the member’s health information and when, a line for each reader and day, newest first',
  query: Paging.pick({ limit: true, offset: true }),
  reply: z.array(OwnHealthRead),
})
