import { bookingQueries, classQueries } from '#booking/web/change-bookings.ts'
import { healthQueries } from '#health/web/health.ts'
import { insightsApi } from '#insights/web/api.ts'
import { paymentsApi } from '#payments/web/api.ts'
import { privacyApi } from '#privacy/web/api.ts'
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
    mutationFn: () => privacyApi.deleteUser.call({ params: { id: user.id } }),
    says: { success: 'User deleted successfully', failure: 'Failed to delete user' },
    stale: [
      insightsApi.listUsers,
      ...bookingQueries,
      ...classQueries,
      insightsApi.getAnalytics,
      paymentsApi.listPurchases,
      ...healthQueries,
    ],
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
