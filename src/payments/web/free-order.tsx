import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { errorMessage } from '#foundation/call.ts'
import { formatMoney } from '#foundation/money.ts'
import type { Package } from '#packages/contract.ts'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/field.tsx'
import { toastError } from '#ui/toast.ts'
import type { Gift } from '#vouchers/contract.ts'
import { paymentsApi } from './api.ts'
import { NOT_INITIALIZED } from './checkout.ts'

/** The order costs nothing. */
export default function FreeOrder({
  sold,
  order: wanted,
  onDone,
}: {
  sold: Package
  order: { code: string; gift: Gift | undefined }
  onDone: () => void
}) {
  const order = useFreeOrder({ packageId: sold.id, ...wanted }, onDone)
  return (
    <>
      <p>With this code there is nothing to pay. Your {wanted.gift ? 'voucher is ready' : 'pass is active'} at once.</p>
      <FormError>{order.error ? errorMessage(order.error, NOT_INITIALIZED.description) : undefined}</FormError>
      <Button className="mt-5 w-full px-4" busy={order.isPending || order.isSuccess} onClick={() => order.mutate()}>
        Complete Payment - {formatMoney(0)}
      </Button>
    </>
  )
}

/** Buys what a code makes free. */
function useFreeOrder(body: { packageId: number; code: string; gift?: Gift | undefined }, onDone: () => void) {
  return useMemberMutation({
    mutationFn: () => paymentsApi.buyForFree.call({ body }),
    onDone,
    onError: (error) => toastError(error, NOT_INITIALIZED.description),
  })
}
