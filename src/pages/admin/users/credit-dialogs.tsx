import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useForm, useFormContext } from 'react-hook-form'
import type { z } from 'zod'
import { fullName } from '#accounts/rules.ts'
import { keysOf } from '#foundation/collections.ts'
import { formatMoney } from '#foundation/money.ts'
import type { AdminPackage, Package } from '#packages/contract.ts'
import { packagesApi } from '#packages/web/packages.ts'
import { GiftForm } from '#passes/contract.ts'
import { passesApi } from '#passes/web/passes.ts'
import { DESK_METHODS } from '#payments/contract.ts'
import { SaleForm } from '#payments/contract-desk.ts'
import { staffPaymentsApi } from '#payments/web/staff-api.ts'
import { studio } from '#studio.ts'
import { Dialog } from '#ui/dialog.tsx'
import { SelectField } from '#ui/form-choices.tsx'
import { NumberField, TextArea, TextField } from '#ui/form-fields.tsx'
import { ReadFailed } from '#ui/query-view.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { DialogForm, FormDialog } from '../dialog-form.tsx'
import { RECORD_SALE, type UserName } from './member-details.tsx'

export const usePackages = () => useQuery(packagesApi.listAllPackages.queryOptions())

type PackageFieldProps = {
  wordsOf: (sold: Package) => string
  isOffered?: (sold: AdminPackage) => boolean
  onChoose?: (id: string) => void
}

export function PackageField({ wordsOf, isOffered = () => true, onChoose }: PackageFieldProps) {
  const { data, error, refetch } = usePackages()
  return (
    <div>
      <SelectField
        // A select cannot show a value before it has the option: mount it again with the packages.
        key={data ? 'loaded' : 'loading'}
        name="packageId"
        rules={{ onChange: (event) => onChoose?.(event.target.value) }}
        label="Package"
        choose={data || error ? 'Choose a package' : 'Loading packages…'}
        options={(data ?? [])
          .filter(isOffered)
          .map((sold) => [sold.id, wordsOf(sold) + (sold.isActive ? '' : ' (hidden)')])}
      />
      {error && <ReadFailed title="The packages could not be loaded." error={error} onAgain={refetch} />}
    </div>
  )
}

/** The validity choices. */
const MONTHS = [3, 6, 12, 24] as const

type GiftProps = {
  user: UserName
  /** Preselects the smallest package that can be bought more than once. */
  hasSuggestion?: boolean
  /** Called after the gift; by default the dialog closes. */
  onGiven?: () => void
  onClose: () => void
}

export function GiftCreditsDialog({ user, hasSuggestion = false, onGiven, onClose }: GiftProps) {
  const form = useForm({
    resolver: zodResolver(GiftForm),
    defaultValues: { packageId: '', creditsToGift: 1, expiryMonths: 12 },
  })
  const gift = useAdminMutation({
    mutationFn: ({ packageId, ...sent }: GiftForm) =>
      passesApi.giftCredits.call(
        // The endpoint takes the user twice, in the path and in the body.
        { params: { userId: user.id }, body: { packageId: Number(packageId), ...sent, ...{ userId: user.id } } },
      ),
    toasts: { success: 'Credits gifted successfully', failure: 'Failed to gift credits' },
    onSuccess: onGiven ?? onClose,
  })
  const suggested = usePackages().data?.find((sold) => hasSuggestion && sold.isActive && !sold.purchaseOncePerUser)?.id
  const { setValue } = form
  useEffect(() => {
    if (suggested) setValue('packageId', String(suggested))
  }, [suggested, setValue])
  return (
    <FormDialog
      title="Gift Credits"
      description={`A pass for ${fullName(user)}, without payment.`}
      form={form}
      mutation={gift}
      submit="Gift Credits"
      onClose={onClose}
    >
      <PackageField wordsOf={({ name }) => name} />
      <NumberField
        name="creditsToGift"
        label="Credits"
        help={studio.session.credit}
        min={1}
        max={50}
        // Invalid input counts as 1.
        rules={{
          onBlur: ({ target }) => {
            if (!(Number.isInteger(target.valueAsNumber) && target.valueAsNumber >= 1))
              setValue('creditsToGift', 1, { shouldValidate: true })
          },
        }}
      />
      <SelectField
        name="expiryMonths"
        rules={{ valueAsNumber: true }}
        label="Valid for"
        options={MONTHS.map((months) => [months, `${months} months`])}
      />
    </FormDialog>
  )
}

export const aboutSale = (user: UserName) =>
  `What ${fullName(user)} paid at the desk. The pass is active straight away${user.email === null ? '. You can print the receipt on their page.' : ', and we’ll email the receipt.'}`

type SaleProps = {
  user: UserName
  /** The label of the way back to another form; this form then takes the focus. */
  back?: string
  onDone?: () => void
  onClose: () => void
}

export function RecordSaleDialog(props: SaleProps) {
  return (
    <Dialog onClose={props.onClose} title={RECORD_SALE} description={aboutSale(props.user)}>
      <RecordSale {...props} />
    </Dialog>
  )
}

/** The form alone, as a step of another dialog. It starts with what the member bought last, if it is still sold. */
export function RecordSale({ user, back, onClose, onDone = onClose }: SaleProps) {
  const packages = usePackages().data
  const form = useForm<z.input<typeof SaleForm>, unknown, z.output<typeof SaleForm>>({
    resolver: zodResolver(SaleForm),
    defaultValues: { packageId: '', method: 'cash', amount: '', note: '' },
  })
  const sell = useAdminMutation({
    mutationFn: ({ packageId, ...sent }: z.output<typeof SaleForm>) =>
      staffPaymentsApi.recordSale.call({
        params: { id: user.id },
        body: { packageId: Number(packageId), ...sent },
      }),
    toasts: { success: 'Sale recorded', failure: 'Failed to record the sale' },
    onSuccess: onDone,
  })
  const { dirtyFields } = form.formState
  const { setFocus } = form
  const isLoaded = packages !== undefined
  useEffect(() => {
    if (back && isLoaded) setFocus('packageId')
  }, [back, isLoaded, setFocus])
  const bought = useQuery(
    staffPaymentsApi.listPurchases.pageOptions({ query: { userId: user.id, limit: 1, offset: 0 } }),
  )
  const again = packages?.find(({ id, isActive }) => isActive && id === bought.data?.rows[0]?.package.id)
  const isUntouched = !dirtyFields.packageId && !dirtyFields.amount
  const { reset, getValues } = form
  useEffect(() => {
    if (again && isUntouched) reset({ ...getValues(), packageId: String(again.id), amount: again.price })
  }, [again, isUntouched, reset, getValues])
  return (
    <DialogForm form={form} mutation={sell} submit={RECORD_SALE} cancel={back} onClose={onClose}>
      <SaleFields isOffered={({ isForImports }) => !isForImports} />
    </DialogForm>
  )
}

/** The package, what was paid and how, and a note. A chosen package fills in its price, unless an amount was typed. */
export function SaleFields({
  isOffered,
  children,
}: {
  isOffered: (sold: AdminPackage) => boolean
  children?: ReactNode
}) {
  const packages = usePackages().data
  const { setValue, formState } = useFormContext()
  const { dirtyFields } = formState
  return (
    <>
      <PackageField
        wordsOf={({ name, price }) => `${name}, ${formatMoney(price)}`}
        isOffered={isOffered}
        onChoose={(id) => {
          if (!dirtyFields.amount) setValue('amount', packages?.find((sold) => String(sold.id) === id)?.price ?? '')
        }}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField
          name="method"
          label="Paid by"
          options={keysOf(DESK_METHODS).map((method) => [method, DESK_METHODS[method]])}
        />
        <TextField name="amount" label="Amount (£)" inputMode="decimal" />
      </div>
      {children}
      <TextArea name="note" label="Note" optional rows={2} help="For your records; it is not on the receipt." />
    </>
  )
}
