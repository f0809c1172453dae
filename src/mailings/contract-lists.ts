import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { InstantText, Paging } from '#foundation/fields.ts'
import { LISTS } from './rules.ts'

export const Prompts = z
  .object({
    /** Classes of the next seven days that have not started. */
    week: z.object({ classes: z.int(), places: z.int(), taken: z.int() }),
    /** How many members are on each list. */
    lists: z.record(z.enum(LISTS), z.int()),
  })
  .meta({ id: 'Prompts' })
export type Prompts = z.output<typeof Prompts>

export const getPrompts = endpoint('GET /api/admin/prompts', {
  who: 'admin',
  summary: 'How full the next seven days are, and how many members are on each list',
  reply: Prompts,
})

export const WeekClass = z
  .object({
    id: z.int(),
    title: z.string(),
    date: z.iso.date(),
    startTime: z.string(),
    maxParticipants: z.int(),
    bookedCount: z.int(),
    /** Free places kept for the waiting list until the morning. */
    heldPlaces: z.int(),
    people: z.array(z.object({ userId: z.string(), firstName: z.string(), lastName: z.string() })),
  })
  .meta({ id: 'WeekClass' })
export type WeekClass = z.output<typeof WeekClass>

export const listWeek = endpoint('GET /api/admin/prompts/week', {
  who: 'admin',
  summary: 'The classes of the next seven days that have not started, with their members but without health data',
  reply: z.array(WeekClass),
})

export const Prompted = z
  .object({
    userId: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    /** Expiring or remaining credits; null on other lists. */
    credits: z.int().nullable(),
    /** When the credits expire, the last class ended, or the next one starts. */
    at: InstantText,
    /** Whether news and offers may go to them. */
    mayNudge: z.boolean(),
  })
  .meta({ id: 'Prompted' })
export type Prompted = z.output<typeof Prompted>

export const listPrompted = endpoint('GET /api/admin/prompts/people', {
  who: 'admin',
  summary: 'The members on a list, the most urgent first',
  query: Paging.pick({ limit: true, offset: true }).extend({ list: z.enum(LISTS, 'Please choose a list') }),
  reply: z.array(Prompted),
})
