import { bookingsKey } from '../../../booking/web/stale.ts'
import { call } from '../../../foundation/call.ts'
import { analyticsKey } from '../../../insights/web/figures.ts'
import { usersKey } from '../../../insights/web/users.ts'
import { purchasesKey } from '../../../payments/web/purchases.ts'
import type { deleteUser } from '../../../privacy/contract.ts'
import { classesKey } from '../../../timetable/web/classes.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { ConfirmChange } from '../dialog-form.tsx'
import type { NamedUser } from './named-user.ts'

export function DeleteUserDialog({
  user,
  onClose,
  onDeleted,
}: {
  user: NamedUser
  onClose: () => void
  onDeleted?: () => void
}) {
  const remove = useAdminMutation({
    mutationFn: () =>
      call<typeof deleteUser>({ method: 'DELETE', path: '/api/admin/users/:id' }, { params: { id: user.id } }),
    says: { success: 'User deleted successfully', failure: 'Failed to delete user' },
    stale: [[...usersKey, 'list'], bookingsKey, classesKey, analyticsKey, purchasesKey, ['health']],
    onSuccess: () => {
      onClose()
      onDeleted?.()
    },
  })
  return (
    <ConfirmChange
      title="Delete user?"
      text={`Are you sure you want to delete ${user.firstName} ${user.lastName}? This action cannot be undone and will permanently remove their account and all associated data.`}
      confirm="Delete user"
      mutation={remove}
      onClose={onClose}
    />
  )
}
