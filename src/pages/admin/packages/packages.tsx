import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useFormContext } from 'react-hook-form'
import { useSearchParams } from 'react-router'
import { addDays, formatDate } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import { History } from '#insights/web/history.tsx'
import { type AdminPackage, PackageDialogForm } from '#packages/contract.ts'
import { classes, packagesApi, validity } from '#packages/web/packages.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { SelectField, Tick } from '#ui/form-choices.tsx'
import { DateField } from '#ui/form-date-field.tsx'
import { NumberField, TextArea, TextField } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { RowButton } from '#ui/rows.tsx'
import { useDialog } from '#ui/use-dialog.ts'
import { present } from '#ui/use-now.ts'
import { Views, viewOf } from '#ui/views.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { ConfirmChange, FormDialog, useFreshVersion } from '../dialog-form.tsx'
import { useQuickAction } from '../quick-action.ts'
import { CodeDialog, PromotionCodes } from './codes.tsx'
import { Purchases } from './purchases.tsx'
import { Vouchers } from './vouchers.tsx'

const VIEWS = [
  ['packages', 'Packages'],
  ['purchases', 'Purchases'],
  ['codes', 'Codes'],
  ['vouchers', 'Vouchers'],
] as const

export default function PackagesTab() {
  const [query] = useSearchParams()
  const view = viewOf(query, VIEWS)
  const creating = (close: () => void) => <PackageDialog onClose={close} />
  const { dialog, open } = useDialog(useQuickAction() === 'create' ? creating : undefined)
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <Views label="Show" views={VIEWS} />
        {view === 'packages' && <Button onClick={() => open(PackageDialog, {})}>Create Package</Button>}
        {view === 'codes' && <Button onClick={() => open(CodeDialog, {})}>Create Code</Button>}
      </div>
      {view === 'packages' && <Packages />}
      {view === 'purchases' && <Purchases />}
      {view === 'codes' && <PromotionCodes />}
      {view === 'vouchers' && <Vouchers />}
      {dialog}
    </>
  )
}

function Packages() {
  const { dialog, open } = useDialog()
  return (
    <>
      <QueryView
        query={useQuery(packagesApi.listAllPackages.queryOptions())}
        failed="The packages could not be loaded."
        empty="No packages yet"
      >
        {(packages) => (
          <ul className="grid gap-5 sm:grid-cols-2 xl:grid-cols-3">
            {packages.map((sold) => (
              <li key={sold.id}>
                <PackageCard
                  sold={sold}
                  onEdit={() => open(PackageDialog, { sold })}
                  onDelete={() => open(DeletePackageDialog, { sold })}
                />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      {dialog}
    </>
  )
}

function PackageCard({ sold, onEdit, onDelete }: { sold: AdminPackage; onEdit: () => void; onDelete: () => void }) {
  const toggle = useAdminMutation({
    mutationFn: () => packagesApi.togglePackageVisibility.call({ params: { id: sold.id } }),
    toasts: {
      success: ({ isActive }) => (isActive ? 'Package shown to users' : 'Package hidden from users'),
      failure: 'Failed to toggle package visibility',
    },
  })
  return (
    <article aria-label={sold.name} className="card flex h-full flex-col p-6">
      <div className="flex min-h-8 flex-wrap gap-2 empty:hidden">
        {sold.isLimitedOffer && <Badge tone="clay">Limited Offer</Badge>}
        {!sold.isActive && <Badge tone="sand">Hidden</Badge>}
      </div>
      <div className="mt-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="min-w-0 text-body/snug font-medium wrap-anywhere">{sold.name}</h2>
        <p className="figure text-[1.75rem]">{formatMoney(sold.price)}</p>
      </div>
      {sold.nextPrice && (
        <p className="text-small text-ink-soft">
          {formatMoney(sold.nextPrice.price)} from {formatDate(sold.nextPrice.from)}
        </p>
      )}
      {sold.description && <p className="mt-2 text-small/even wrap-anywhere text-ink-soft">{sold.description}</p>}
      <ul className="mt-4 mb-5 grid gap-1 text-small text-ink-soft">
        <li>{classes(sold.classCount)} included</li>
        <li>{validity(sold.validityMonths)}</li>
        <li>up to {sold.maxParticipants} participants</li>
        {sold.purchaseOncePerUser && <li>once per member</li>}
      </ul>
      <div className="mt-auto flex flex-wrap gap-2 border-t border-line pt-4">
        <RowButton label="Edit" name={`Edit ${sold.name}`} onClick={onEdit} />
        <RowButton
          label={sold.isActive ? 'Hide' : 'Show'}
          name={`${sold.isActive ? 'Hide' : 'Show'} ${sold.name}`}
          runs={toggle}
        />
        <RowButton label="Delete" name={`Delete ${sold.name}`} danger onClick={onDelete} />
      </div>
    </article>
  )
}

/** One class, one month, two people. */
const EMPTY: PackageDialogForm = {
  name: '',
  description: '',
  price: '',
  nextPrice: { price: '', from: '' },
  classCount: 1,
  validityMonths: 1,
  maxParticipants: 2,
  isLimitedOffer: false,
  purchaseOncePerUser: false,
}

/** The body that is sent; without a next price it has none. */
const bodyOf = (typed: PackageDialogForm) => ({
  ...typed,
  nextPrice: typed.nextPrice.price.trim() ? typed.nextPrice : null,
})

/** What else a package has is not sent: the form's schema leaves it out. */
const valuesOf = (sold: AdminPackage): PackageDialogForm => ({
  ...sold,
  description: sold.description ?? '',
  nextPrice: sold.nextPrice ?? EMPTY.nextPrice,
})

const CREATE = {
  title: 'Create Package',
  description: 'It goes on sale as soon as you create it. Hide it straight afterwards if it is not ready.',
  submit: 'Create Package',
}
const EDIT = { title: 'Edit Package', description: 'Passes that members already hold do not change.', submit: 'Save' }

/** Creates a package, or edits one. */
function PackageDialog({ sold, onClose }: { sold?: AdminPackage; onClose: () => void }) {
  const form = useForm<PackageDialogForm>({
    resolver: zodResolver(PackageDialogForm),
    defaultValues: sold ? valuesOf(sold) : EMPTY,
  })
  const { base, take } = useFreshVersion(sold, form, valuesOf)
  const save = useAdminMutation({
    mutationFn: (typed: PackageDialogForm) => {
      const body = bodyOf(typed)
      if (!base) return packagesApi.createPackage.call({ body })
      return packagesApi.editPackage.call({ params: { id: base.id }, body: { ...body, ifUpdatedAt: base.updatedAt } })
    },
    toasts: sold
      ? { success: 'Package updated successfully', failure: 'Failed to update package', fixed: true }
      : { success: 'Package created successfully', failure: 'Failed to create package', fixed: true },
    onSuccess: onClose,
  })
  const load = async () => {
    const fresh = (await packagesApi.listAllPackages.call()).find(({ id }) => id === sold?.id)
    if (fresh) take(fresh)
  }
  return (
    <FormDialog
      {...(sold ? EDIT : CREATE)}
      form={form}
      mutation={save}
      onLoad={load}
      onClose={onClose}
      after={sold && <History subject={`package:${sold.id}`} />}
    >
      <PackageFields />
    </FormDialog>
  )
}

function PackageFields() {
  return (
    <>
      <TextField name="name" label="Name" />
      <TextArea
        name="description"
        label="Description"
        help="If you leave this empty, the card says “8 classes for ultimate flexibility”."
        rows={2}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="price" label="Price (£)" inputMode="decimal" />
        <SelectField
          name="maxParticipants"
          rules={{ valueAsNumber: true }}
          label="Max participants"
          options={[
            [2, '2 (duo)'],
            [1, '1 (one-on-one)'],
          ]}
        />
        <NumberField name="classCount" label="Class count" min={1} />
        <NumberField name="validityMonths" label="Validity (months)" min={1} />
      </div>
      <NextPrice />
      <div>
        <Tick name="isLimitedOffer" label="Limited offer" />
        <Tick name="purchaseOncePerUser" label="Can be bought once per member" />
      </div>
    </>
  )
}

/** A button opens the fields, unless a new price is planned already. */
function NextPrice() {
  const { getValues } = useFormContext<PackageDialogForm>()
  const [isOpen, setOpen] = useState(getValues('nextPrice.price') !== '')
  if (!isOpen) {
    return (
      <Button variant="quiet" small className="justify-self-start px-0" onClick={() => setOpen(true)}>
        Plan another price from a date
      </Button>
    )
  }
  return (
    <fieldset>
      <legend className="text-small/snug font-medium">Another price later</legend>
      <p className="mt-1 text-small/snug text-ink-mute">
        Leave the new price empty to keep this one. It applies from midnight at the start of the day.
      </p>
      <div className="mt-3 grid gap-5 sm:grid-cols-2">
        <TextField name="nextPrice.price" label="New price (£)" inputMode="decimal" />
        <DateField name="nextPrice.from" label="New price from" min={addDays(today(present()), 1)} />
      </div>
    </fieldset>
  )
}

function DeletePackageDialog({ sold, onClose }: { sold: AdminPackage; onClose: () => void }) {
  return (
    <ConfirmChange
      title="Delete package?"
      text={`${sold.name} will be removed from every list and can no longer be bought or gifted. Passes that members hold stay valid.`}
      keep="Keep"
      confirm="Delete package"
      mutationFn={() => packagesApi.deletePackage.call({ params: { id: sold.id } })}
      toasts={{ success: 'Package deleted successfully', failure: 'Failed to delete package' }}
      onClose={onClose}
    />
  )
}
