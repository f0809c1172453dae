import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { keysOf } from '#foundation/collections.ts'
import { formatPrice } from '#foundation/money.ts'
import { insightsApi, memberQueries } from '#insights/web/api.ts'
import type { Package } from '#packages/contract.ts'
import { packagesApi } from '#packages/web/packages.ts'
import { passQueries } from '#passes/web/passes.ts'
import { DESK_METHODS } from '#payments/contract.ts'
import { SaleForm } from '#payments/contract-desk.ts'
import { paymentsApi } from '#payments/web/api.ts'
import { Dialog } from '#ui/dialog.tsx'
import { SelectField, TextArea, TextField } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { DialogForm } from '../dialog-form.tsx'
import type { NamedUser } from './user-dialogs.tsx'

export const RECORD_SALE = 'Record a sale'
/** What recording a sale does. */
export const aboutSale = ({ firstName, lastName }: NamedUser) =>
  `What ${firstName} ${lastName} paid at the desk. The pass is active at once, and the receipt is emailed.`

/** Records what a member paid at the desk. */
export function RecordSaleDialog({ user, onClose }: { user: NamedUser; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={RECORD_SALE} description={aboutSale(user)}>
      <RecordSale user={user} onDone={onClose} onClose={onClose} />
    </Dialog>
  )
}

type Parts = {
  user: NamedUser
  /** The label of the way back to another form; this form then takes the focus. */
  back?: string
  onDone: () => void
  onClose: () => void
}

/** The form alone, as a step of another dialog. */
export function RecordSale(parts: Parts) {
  return (
    <QueryView query={useQuery(packagesApi.listAllPackages.queryOptions())} failed="The packages could not be loaded.">
      {(packages) => <Form packages={packages} {...parts} />}
    </QueryView>
  )
}

type Typed = z.input<typeof SaleForm>
const EMPTY: Typed = { packageId: '', method: 'cash', amount: '', note: '' }

function Form({ user, packages, back, onDone, onClose }: Parts & { packages: Package[] }) {
  const form = useForm<Typed, unknown, z.output<typeof SaleForm>>({
    resolver: zodResolver(SaleForm),
    defaultValues: EMPTY,
  })
  const sell = useAdminMutation({
    mutationFn: ({ packageId, ...sent }: z.output<typeof SaleForm>, key) =>
      paymentsApi.recordSale.call({ params: { id: user.id }, body: { packageId: Number(packageId), ...sent }, key }),
    isRepeatable: true,
    says: { success: 'Sale recorded', failure: 'Failed to record the sale' },
    stale: [paymentsApi.listPurchases, ...memberQueries, ...passQueries, insightsApi.getAnalytics],
    onSuccess: onDone,
  })
  const { dirtyFields } = form.formState
  const { setFocus } = form
  useEffect(() => {
    if (back) setFocus('packageId')
  }, [back, setFocus])
  const fillPrice = (id: string) => {
    const chosen = packages.find((one) => String(one.id) === id)
    // Keep an amount that was typed.
    if (!dirtyFields.amount) form.setValue('amount', chosen?.price ?? '')
  }
  return (
    <DialogForm form={form} mutation={sell} submit={RECORD_SALE} {...(back ? { cancel: back } : {})} onClose={onClose}>
      <SelectField
        name="packageId"
        rules={{ onChange: (event) => fillPrice(event.target.value) }}
        label="Package"
        choose="Choose a package"
        options={packages.map((one) => [one.id, wordsOf(one)])}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField
          name="method"
          label="Paid by"
          options={keysOf(DESK_METHODS).map((method) => [method, DESK_METHODS[method]])}
        />
        <TextField name="amount" label="Amount (£)" inputMode="decimal" />
      </div>
      <TextArea name="note" label="Note" optional rows={2} help="For your records; it is not on the receipt." />
    </DialogForm>
  )
}

/** `8 Class Pass, £424`. */
const wordsOf = ({ name, price, isActive }: Package) => `${name}, ${formatPrice(price)}${isActive ? '' : ' (hidden)'}`
