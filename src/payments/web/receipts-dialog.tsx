import download from '@lucide/icons/icons/download'
import { useQuery } from '@tanstack/react-query'
import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { formRefusal } from '#foundation/call.ts'
import { monthOf } from '#foundation/dates.ts'
import { formatInstantDate, studioDate } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import { studio } from '#studio.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { FormError } from '#ui/field.tsx'
import { Icon } from '#ui/icon.tsx'
import { QueryView } from '#ui/query-view.tsx'
import type { OwnPurchase } from '../contract-receipts.ts'
import { paymentsApi } from './api.ts'
import { OwnVoucher } from './own-voucher.tsx'

/** The member's receipts, and a statement of each month with a purchase. */
export default function ReceiptsDialog({ onClose }: { onClose: () => void }) {
  const purchases = useQuery({
    ...paymentsApi.listOwnPurchases.queryOptions(),
    gcTime: 0,
  })
  return (
    <Dialog onClose={onClose} title="Receipts" description="What you bought, the latest first, to keep or to print.">
      <div className="mt-6">
        <QueryView query={purchases} failed="Your receipts could not be loaded." empty="No purchases yet">
          {(all) => (
            <>
              <ul className="border-t border-line">
                {all.map((purchase) => (
                  <Line key={purchase.id} purchase={purchase} />
                ))}
              </ul>
              <h3 className="mt-8 font-medium">Statements</h3>
              <ul className="mt-1 grid">
                {monthsOf(all).map((month) => (
                  <li key={month}>
                    <Pdf href={`/api/user/statement.pdf?month=${month}`}>
                      {monthOf(`${month}-01`)} {month.slice(0, 4)}
                    </Pdf>
                  </li>
                ))}
              </ul>
            </>
          )}
        </QueryView>
      </div>
    </Dialog>
  )
}

type Shown = { purchase: OwnPurchase }

function Line({ purchase }: Shown) {
  const { id, receiptNumber, package: bought, amount, method, purchasedAt, refundedAmount, voidedAt } = purchase
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 border-b border-line py-4">
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="font-medium">{bought.name}</p>
        <p className="text-small text-ink-soft">
          {formatInstantDate(purchasedAt)}
          {method && `, ${method}`}
        </p>
        {refundedAmount && <p className="text-small text-ink-soft">{formatMoney(refundedAmount)} refunded</p>}
        {voidedAt && <p className="text-small text-ink-soft">Voided</p>}
      </div>
      <div className="flex-none text-right">
        <p className="tabular-nums">{formatMoney(amount)}</p>
        <Pdf href={`/api/user/purchases/${id}/receipt.pdf`}>Receipt {receiptNumber}</Pdf>
      </div>
      {purchase.voucher && <OwnVoucher voucher={purchase.voucher} />}
      <BeginRequest purchase={purchase} />
    </li>
  )
}

/** The request to start within the cancellation period, with a button to withdraw it. */
function BeginRequest({ purchase: { id, package: bought, beginRequestedAt, mayWithdrawBeginRequest } }: Shown) {
  const withdraw = useMemberMutation({
    mutationFn: () => paymentsApi.withdrawBeginRequest.call({ params: { id } }),
  })
  if (!beginRequestedAt) return null
  return (
    <div className="basis-full text-small text-ink-soft">
      <p>
        On {formatInstantDate(beginRequestedAt)} you asked us to start within the {studio.policies.coolingOffDays} days
        in which you can cancel.
      </p>
      {mayWithdrawBeginRequest && (
        <Button
          variant="quiet"
          small
          className="-mx-2 px-2 underline underline-offset-4"
          busy={withdraw.isPending}
          aria-label={`Withdraw this request for ${bought.name}`}
          onClick={() => withdraw.mutate()}
        >
          Withdraw this request
        </Button>
      )}
      <FormError>{formRefusal(withdraw.error, 'This could not be withdrawn. Please try again.')}</FormError>
    </div>
  )
}

function Pdf({ href, children }: { href: string; children: React.ReactNode }) {
  return (
    <a href={href} download className="link inline-flex min-h-11 items-center gap-2 text-small">
      <Icon of={download} size={18} /> {children} <span className="sr-only">as PDF</span>
    </a>
  )
}

const monthsOf = (purchases: readonly OwnPurchase[]) => [
  ...new Set(purchases.map(({ purchasedAt }) => studioDate(Temporal.Instant.from(purchasedAt)).toString().slice(0, 7))),
]
