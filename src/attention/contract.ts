import { z } from 'zod'
import { STEP_UP_AFTER_MINUTES } from '#accounts/rules.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { InstantText } from '#foundation/fields.ts'
import { refusals } from '#foundation/refusal.ts'

export const attentionRefusals = refusals({
  already_settled: [404, 'This has already been dealt with.'],
  action_not_available: [400, 'This action is not available here.'],
})

/** What can need the owner's attention; `rules.ts` has the limits, `server/items.ts` the sentences. */
export const KINDS = [
  'retention_held',
  'data_complaint',
  'mail_undelivered',
  'failing',
  'checkout_differs',
  'text_failed',
  'texts_used_up',
  'call_member',
  'place_to_offer',
  'queue_late',
  'job_failed',
  'refund_unsent',
  'return_failed',
  'payment_mismatched',
  'payment_unread',
  'purchases_undecided',
  'fee_in_cooling_off',
  'disk_full',
  'backup_old',
  'own_calendar_unread',
  'scripts_blocked',
  'legal_missing',
] as const
export type Kind = (typeof KINDS)[number]

const Action = z.enum(['send_again', 'done', 'confirm'])
export type Action = z.output<typeof Action>

export const AttentionItem = z
  .object({
    kind: z.enum(KINDS),
    /** Identifies an item of its kind. */
    about: z.string(),
    since: InstantText.nullable(),
    title: z.string(),
    text: z.string(),
    actions: z.array(Action),
    /** The number to call, for an item about a call. */
    phone: z.string().nullable(),
    /** The admin page where it can be dealt with. */
    link: z.object({ label: z.string(), path: z.string() }).nullable(),
  })
  .meta({ id: 'AttentionItem' })
export type AttentionItem = z.output<typeof AttentionItem>

const Items = z.array(AttentionItem)
const body = z.object({
  kind: z.enum(KINDS, 'Enter the kind of the item'),
  about: z.string('Enter what the item is about').max(300, 'Please use at most 300 characters'),
})

export const listAttention = endpoint('GET /api/admin/attention', {
  summary: 'What needs the owner’s attention: emails, refunds, payments, jobs, the disk and the backup',
  response: Items,
})

export const markDone = endpoint('POST /api/admin/attention/done', {
  summary: 'Mark an item as done; returns the remaining items',
  body,
  response: Items,
  refusals: [attentionRefusals.already_settled, attentionRefusals.action_not_available],
})

export const sendAgain = endpoint('POST /api/admin/attention/send-again', {
  summary: 'Send emails or a refund again, or retry jobs now; returns the remaining items',
  body,
  response: Items,
  refusals: [attentionRefusals.already_settled, attentionRefusals.action_not_available],
})

export const confirm = endpoint('POST /api/admin/attention/confirm', {
  stepUpAfterMinutes: STEP_UP_AFTER_MINUTES,
  summary: 'Confirm that data retention may erase what it held back; returns the remaining items',
  body,
  response: Items,
  refusals: [attentionRefusals.already_settled, attentionRefusals.action_not_available],
})
