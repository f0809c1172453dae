import { z } from 'zod'
import { accountRefusals } from '#accounts/contract.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { Message, requiredText, UserPathId } from '#foundation/fields.ts'

export const BlockForm = z.object({ reason: requiredText('Please write down why', 500) })
export type BlockForm = z.output<typeof BlockForm>

export const blockMember = endpoint('PUT /api/admin/users/:id/block', {
  who: 'admin',
  summary:
    'Block a member: they see what they have and can cancel, and cannot book, move, wait or buy; they leave every waiting list',
  params: UserPathId,
  body: BlockForm,
  reply: Message,
  refusals: [accountRefusals.user_not_found, accountRefusals.cannot_block_admin],
})

export const unblockMember = endpoint('DELETE /api/admin/users/:id/block', {
  who: 'admin',
  summary: 'Let a blocked member book and buy again',
  params: UserPathId,
  reply: Message,
  refusals: [accountRefusals.user_not_found],
})
