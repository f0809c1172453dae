import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { keysOf } from '#foundation/collections.ts'
import { insightsApi } from '#insights/web/api.ts'
import { History } from '#insights/web/history.tsx'
import { type Package, PackageDialogForm } from '#packages/contract.ts'
import { packageQueries, packagesApi } from '#packages/web/packages.ts'
import { Dialog } from '#ui/dialog.tsx'
import { showRefusedFields } from '#ui/refused-fields.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { DialogForm, useFreshVersion } from '../dialog-form.tsx'
import { PackageFields } from './package-fields.tsx'

/** One class, one month, two people (specification, section 9). */
const EMPTY: PackageDialogForm = {
  name: '',
  description: '',
  price: '',
  classCount: 1,
  validityMonths: 1,
  maxParticipants: 2,
  isLimitedOffer: false,
  purchaseOncePerUser: false,
}
const FIELDS = keysOf(EMPTY)
const STALE = [...packageQueries, insightsApi.getAnalytics]

const valuesOf = (sold: Package): PackageDialogForm => ({
  name: sold.name,
  description: sold.description ?? '',
  price: sold.price,
  classCount: sold.classCount,
  validityMonths: sold.validityMonths,
  maxParticipants: sold.maxParticipants,
  isLimitedOffer: sold.isLimitedOffer,
  purchaseOncePerUser: sold.purchaseOncePerUser,
})

export function CreatePackageDialog({ onClose }: { onClose: () => void }) {
  const form = useForm<PackageDialogForm>({ resolver: zodResolver(PackageDialogForm), defaultValues: EMPTY })
  const create = useAdminMutation({
    mutationFn: (body: PackageDialogForm) => packagesApi.createPackage.call({ body }),
    says: { success: 'Package created successfully', failure: 'Failed to create package', fixed: true },
    stale: STALE,
    onSuccess: onClose,
    onRefused: (error) => showRefusedFields(error, form.setError, FIELDS),
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Create Package"
      description="It goes on sale at once; hide it until it is ready."
    >
      <DialogForm form={form} mutation={create} submit="Create Package" onClose={onClose}>
        <PackageFields />
      </DialogForm>
    </Dialog>
  )
}

export function EditPackageDialog({ sold, onClose }: { sold: Package; onClose: () => void }) {
  const queries = useQueryClient()
  const form = useForm<PackageDialogForm>({ resolver: zodResolver(PackageDialogForm), defaultValues: valuesOf(sold) })
  const { base, take } = useFreshVersion(sold, form, valuesOf)
  const edit = useAdminMutation({
    mutationFn: (sent: PackageDialogForm) =>
      packagesApi.editPackage.call({ params: { id: sold.id }, body: { ...sent, ifUpdatedAt: base.updatedAt } }),
    says: { success: 'Package updated successfully', failure: 'Failed to update package', fixed: true },
    stale: STALE,
    onSuccess: onClose,
    onRefused: (error) => showRefusedFields(error, form.setError, FIELDS),
  })
  const load = async () => {
    const fresh = (await queries.fetchQuery({ ...packagesApi.listAllPackages.queryOptions(), staleTime: 0 })).find(
      ({ id }) => id === sold.id,
    )
    if (fresh) take(fresh)
  }
  return (
    <Dialog open onClose={onClose} title="Edit Package" description="Passes that members hold keep what was bought.">
      <DialogForm form={form} mutation={edit} submit="Save" onLoad={load} onClose={onClose}>
        <PackageFields />
      </DialogForm>
      <History subject={`package:${sold.id}`} />
    </Dialog>
  )
}
