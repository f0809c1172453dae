import { z } from 'zod'
import { SET_UP_ITEMS } from '#facts/rules.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { refusals } from '#foundation/refusal.ts'

export const setUpRefusals = refusals({
  not_ready_to_confirm: [409, 'Please fill this in first. It cannot be confirmed yet.'],
})

export const SetUpItem = z
  .object({
    item: z.enum(SET_UP_ITEMS),
    title: z.string(),
    /** The current state, in words. */
    text: z.string(),
    isDone: z.boolean(),
    /** `send` sends the test email; null where there is nothing to confirm. */
    action: z.enum(['confirm', 'send']).nullable(),
    /** The form that changes it. */
    link: z.object({ label: z.string(), path: z.string() }).nullable(),
  })
  .meta({ id: 'SetUpItem' })
export type SetUpItem = z.output<typeof SetUpItem>

export const SetUp = z
  .object({
    /** Empty in a demo, and once the owner has put the list away. */
    items: z.array(SetUpItem),
    done: z.int(),
  })
  .meta({ id: 'SetUp' })
export type SetUp = z.output<typeof SetUp>

export const readSetUp = endpoint('GET /api/admin/set-up', {
  summary: 'The set-up list of a live site: the current state of each item and what the owner has confirmed',
  response: SetUp,
})

export const confirmSetUp = endpoint('POST /api/admin/set-up/:item', {
  summary: 'Confirm an item of the set-up list, send the test email, or close the finished list; returns the list',
  params: z.object({ item: z.enum([...SET_UP_ITEMS, 'finished']) }),
  response: SetUp,
  refusals: [setUpRefusals.not_ready_to_confirm],
})
