import { z } from 'zod'
import { ASKED_AGAIN_AFTER_MINUTES } from '#accounts/rules.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { InstantText } from '#foundation/fields.ts'
import { refusals } from '#foundation/refusal.ts'

export const attentionRefusals = refusals({
  already_settled: [404, 'This has been settled meanwhile.'],
  action_not_available: [400, 'This cannot be done about it.'],
})

/** What can need the owner; `rules.ts` says from when on, `words.ts` how it is told. */
export const KINDS = [
  'retention_held',
  'data_complaint',
  'mail_undelivered',
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
] as const
export type Kind = (typeof KINDS)[number]

/** What can be done about it here: sent (or tried) again, marked as settled, or confirmed. */
const Action = z.enum(['send_again', 'done', 'confirm'])
export type Action = z.output<typeof Action>

export const AttentionItem = z
  .object({
    kind: z.enum(KINDS),
    /** Which one of its kind. */
    about: z.string(),
    since: InstantText.nullable(),
    title: z.string(),
    text: z.string(),
    actions: z.array(Action),
    /** Where in the admin's area it is looked at or settled. */
    link: z.object({ label: z.string(), path: z.string() }).nullable(),
  })
  .meta({ id: 'AttentionItem' })
export type AttentionItem = z.output<typeof AttentionItem>

const Items = z.array(AttentionItem)
const body = z.object({
  kind: z.enum(KINDS, 'Please say what is meant'),
  about: z.string('Please say what is meant').max(300, 'Please say what is meant'),
})

export const listAttention = endpoint('GET /api/admin/attention', {
  who: 'admin',
  summary: 'What needs the owner now: mails, refunds, payments, jobs, the disk and the backup; empty on a good day',
  reply: Items,
})

export const markDone = endpoint('POST /api/admin/attention/done', {
  who: 'admin',
  summary: 'Mark one of them as settled; answers what is left',
  body,
  reply: Items,
  refusals: [attentionRefusals.already_settled, attentionRefusals.action_not_available],
})

export const sendAgain = endpoint('POST /api/admin/attention/send-again', {
  who: 'admin',
  summary: 'Send the mails or the refund again, or try the jobs again now; answers what is left',
  body,
  reply: Items,
  refusals: [attentionRefusals.already_settled, attentionRefusals.action_not_available],
})

export const confirm = endpoint('POST /api/admin/attention/confirm', {
  who: 'admin',
  asksAgainAfterMinutes: ASKED_AGAIN_AFTER_MINUTES,
  summary: 'Confirm that what data retention holds back is to be erased now; returns what is left',
  body,
  reply: Items,
  refusals: [attentionRefusals.already_settled, attentionRefusals.action_not_available],
})
