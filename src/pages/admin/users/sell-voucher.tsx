import { fullName } from '#accounts/rules.ts'
import { VoucherSaleForm } from '#payments/contract-desk.ts'
import { staffPaymentsApi } from '#payments/web/staff-api.ts'
import { studio } from '#studio.ts'
import { giftOf } from '#vouchers/contract.ts'
import { GiftFields } from '#vouchers/web/gift-fields.tsx'
import { ChangeDialog } from '../dialog-form.tsx'
import { SaleFields } from './credit-dialogs.tsx'
import type { UserName } from './member-details.tsx'

export const SELL_VOUCHER = 'Sell voucher'

/** A gift voucher that a member pays for at the desk. */
export function SellVoucherDialog({ user, onClose }: { user: UserName; onClose: () => void }) {
  return (
    <ChangeDialog
      title="Sell a gift voucher"
      description={`What ${fullName(user)} pays for a pass for someone else. It can be redeemed for ${studio.policies.voucher.validityMonths} months${user.email === null ? '. You can print the receipt on their page.' : `; we’ll email ${fullName(user)} the receipt.`}`}
      schema={VoucherSaleForm}
      values={{
        packageId: '',
        method: 'cash',
        amount: '',
        note: '',
        recipientName: '',
        recipientEmail: '',
        message: '',
        sendOn: '',
      }}
      mutationFn={({ packageId, method, amount, note, ...gift }) =>
        staffPaymentsApi.sellVoucher.call({
          params: { id: user.id },
          body: { packageId: Number(packageId), method, amount, note, gift: giftOf(gift) },
        })
      }
      toasts={{ success: 'Voucher sold', failure: 'Failed to sell the voucher' }}
      submit={SELL_VOUCHER}
      onClose={onClose}
    >
      <SaleFields isOffered={({ isForImports, purchaseOncePerUser }) => !isForImports && !purchaseOncePerUser}>
        <GiftFields buyer={user.email === null ? 'you get' : `${user.firstName} gets`} />
      </SaleFields>
    </ChangeDialog>
  )
}
