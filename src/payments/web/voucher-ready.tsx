import { useMemberQuery } from '#accounts/web/session.ts'
import { paymentsApi } from './api.ts'
import { VOUCHER_READY } from './checkout.ts'
import { VoucherCardLink, voucherWay } from './own-voucher.tsx'

/** The gift voucher that was just bought, with its card. */
export default function VoucherReady() {
  const purchases = useMemberQuery({ ...paymentsApi.listOwnPurchases.queryOptions(), gcTime: 0 })
  const voucher = purchases.data?.find((purchase) => purchase.voucher)?.voucher
  return (
    <>
      <p className="mt-1 text-ink-soft">{VOUCHER_READY}</p>
      {voucher && (
        <div className="wrap-anywhere">
          <p className="mt-1 mb-2 text-ink-soft">
            For {voucher.recipientName}. {voucherWay(voucher)}
          </p>
          <VoucherCardLink voucher={voucher} />
        </div>
      )}
    </>
  )
}
