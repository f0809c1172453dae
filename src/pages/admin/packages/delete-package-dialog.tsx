import { insightsApi } from '#insights/web/api.ts'
import type { Package } from '#packages/contract.ts'
import { packageQueries, packagesApi } from '#packages/web/packages.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { ConfirmChange } from '../dialog-form.tsx'

export function DeletePackageDialog({ sold, onClose }: { sold: Package; onClose: () => void }) {
  const remove = useAdminMutation({
    mutationFn: () => packagesApi.deletePackage.call({ params: { id: sold.id } }),
    says: { success: 'Package deleted successfully', failure: 'Failed to delete package' },
    stale: [...packageQueries, insightsApi.getAnalytics],
    onSuccess: onClose,
  })
  return (
    <ConfirmChange
      title="Delete package?"
      text={`${sold.name} leaves every list and can no longer be bought or gifted. Passes that members hold stay valid.`}
      keep="Keep"
      confirm="Delete package"
      mutation={remove}
      onClose={onClose}
    />
  )
}
