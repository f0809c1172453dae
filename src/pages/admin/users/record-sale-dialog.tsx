import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { keysOf } from '#foundation/collections.ts'
import { newKey } from '#foundation/lost-answers.ts'
import { formatPrice } from '#foundation/money.ts'
import { insightsApi, memberQueries } from '#insights/web/api.ts'
import type { Package } from '#packages/contract.ts'
import { packagesApi } from '#packages/web/packages.ts'
import { passQueries } from '#passes/web/passes.ts'
import { DESK_METHODS } from '#payments/contract.ts'
import { SaleForm } from '#payments/contract-desk.ts'
import { paymentsApi } from '#payments/web/api.ts'
import { SelectField } from '#ui/choices.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextArea, TextField } from '#ui/field.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { showRefusedFields } from '#ui/refused-fields.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { DialogForm } from '../dialog-form.tsx'
import type { NamedUser } from './named-user.ts'

export const RECORD_SALE = 'Record a sale'
/** What a sale means, before it is recorded. */
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
  /** What the way out is called, where it leads back to another form: this one then takes the focus. */
  back?: string
  onDone: () => void
  onClose: () => void
}

/** The form alone, for a dialog that goes on with something else. */
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
  // An opened dialog is one sale, however often its answer is lost.
  const [key] = useState(newKey)
  const send = ({ packageId, ...sent }: z.output<typeof SaleForm>) =>
    paymentsApi.recordSale.call({ params: { id: user.id }, body: { packageId: Number(packageId), ...sent }, key })
  const sell = useAdminMutation({
    mutationFn: send,
    lookAgain: send,
    says: { success: 'Sale recorded', failure: 'Failed to record the sale' },
    stale: [paymentsApi.listPurchases, ...memberQueries, ...passQueries, insightsApi.getAnalytics],
    onSuccess: onDone,
    onRefused: (error) => showRefusedFields(error, form.setError, ['packageId', 'method', 'amount', 'note']),
  })
  const { errors, dirtyFields } = form.formState
  const { setFocus } = form
  useEffect(() => {
    if (back) setFocus('packageId')
  }, [back, setFocus])
  const fillPrice = (id: string) => {
    const chosen = packages.find((one) => String(one.id) === id)
    // An amount that was typed stays.
    if (!dirtyFields.amount) form.setValue('amount', chosen?.price ?? '')
  }
  return (
    <DialogForm form={form} mutation={sell} submit={RECORD_SALE} {...(back ? { cancel: back } : {})} onClose={onClose}>
      <SelectField
        label="Package"
        choose="Choose a package"
        options={packages.map((one) => [one.id, wordsOf(one)])}
        error={errors.packageId?.message}
        {...form.register('packageId', { onChange: (event) => fillPrice(event.target.value) })}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField
          label="Paid by"
          options={keysOf(DESK_METHODS).map((method) => [method, DESK_METHODS[method]])}
          error={errors.method?.message}
          {...form.register('method')}
        />
        <TextField label="Amount (£)" inputMode="decimal" error={errors.amount?.message} {...form.register('amount')} />
      </div>
      <TextArea
        label="Note"
        optional
        rows={2}
        help="For your records; it is not on the receipt."
        error={errors.note?.message}
        {...form.register('note')}
      />
    </DialogForm>
  )
}

/** `8 Class Pass, £424`. */
const wordsOf = ({ name, price, isActive }: Package) => `${name}, ${formatPrice(price)}${isActive ? '' : ' (hidden)'}`
