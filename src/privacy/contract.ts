import { accountRefusals } from '../accounts/contract.ts'
import { endpoint } from '../foundation/endpoint.ts'
import { Message, UserPathId } from '../foundation/fields.ts'

export const deleteUser = endpoint({
  who: 'admin',
  method: 'DELETE',
  path: '/api/admin/users/:id',
  summary: 'Delete a user: upcoming bookings are cancelled; account, bookings, health data and passes are erased',
  params: UserPathId,
  reply: Message,
  refusals: [accountRefusals.user_not_found, accountRefusals.cannot_delete_self, accountRefusals.last_admin],
})
