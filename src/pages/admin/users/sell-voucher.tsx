import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { fullName } from '#accounts/rules.ts'
import { keysOf } from '#foundation/collections.ts'
import { formatMoney } from '#foundation/money.ts'
import { DESK_METHODS } from '#payments/contract.ts'
import { VoucherSaleForm } from '#payments/contract-desk.ts'
import { staffPaymentsApi } from '#payments/web/staff-api.ts'
import { studio } from '#studio.ts'
import { SelectField } from '#ui/form-choices.tsx'
import { TextArea, TextField } from '#ui/form-fields.tsx'
import { giftOf } from '#vouchers/contract.ts'
import { GiftFields } from '#vouchers/web/gift-fields.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { FormDialog } from '../dialog-form.tsx'
import { PackageField, usePackages } from './credit-dialogs.tsx'
import type { UserName } from './member-details.tsx'

export const SELL_VOUCHER = 'Sell voucher'

/** A gift voucher that a member pays for at the desk. */
export function SellVoucherDialog({ user, onClose }: { user: UserName; onClose: () => void }) {
  const packages = usePackages().data
  const form = useForm<z.input<typeof VoucherSaleForm>, unknown, z.output<typeof VoucherSaleForm>>({
    resolver: zodResolver(VoucherSaleForm),
    defaultValues: {
      packageId: '',
      method: 'cash',
      amount: '',
      note: '',
      recipientName: '',
      recipientEmail: '',
      message: '',
      sendOn: '',
    },
  })
  const sell = useAdminMutation({
    mutationFn: ({ packageId, method, amount, note, ...gift }: z.output<typeof VoucherSaleForm>) =>
      staffPaymentsApi.sellVoucher.call({
        params: { id: user.id },
        body: { packageId: Number(packageId), method, amount, note, gift: giftOf(gift) },
      }),
    toasts: { success: 'Voucher sold', failure: 'Failed to sell the voucher' },
    onSuccess: onClose,
  })
  const { dirtyFields } = form.formState
  const fillPrice = (id: string) => {
    const chosen = packages?.find((sold) => String(sold.id) === id)
    // Keep an amount that was typed.
    if (!dirtyFields.amount) form.setValue('amount', chosen?.price ?? '')
  }
  return (
    <FormDialog
      title="Sell a gift voucher"
      description={`What ${fullName(user)} pays for a pass for someone else. It can be redeemed for ${studio.policies.voucher.validityMonths} months${user.email === null ? '. You can print the receipt on their page.' : `; we’ll email ${fullName(user)} the receipt.`}`}
      form={form}
      mutation={sell}
      submit={SELL_VOUCHER}
      onClose={onClose}
    >
      <PackageField
        wordsOf={({ name, price }) => `${name}, ${formatMoney(price)}`}
        isOffered={({ isForImports, purchaseOncePerUser }) => !isForImports && !purchaseOncePerUser}
        onChoose={fillPrice}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField
          name="method"
          label="Paid by"
          options={keysOf(DESK_METHODS).map((method) => [method, DESK_METHODS[method]])}
        />
        <TextField name="amount" label="Amount (£)" inputMode="decimal" />
      </div>
      <GiftFields buyer={user.email === null ? 'you get' : `${user.firstName} gets`} />
      <TextArea name="note" label="Note" optional rows={2} help="For your records; it is not on the receipt." />
    </FormDialog>
  )
}
