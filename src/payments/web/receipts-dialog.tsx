import download from '@lucide/icons/icons/download'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../foundation/call.ts'
import { monthOf } from '../../foundation/dates.ts'
import { formatInstantDate, studioDate } from '../../foundation/instants.ts'
import { formatMoney } from '../../foundation/money.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import type { listOwnPurchases, OwnPurchase } from '../contract-receipts.ts'

/** What the member bought: a receipt each, and a statement of each month in which they bought something. */
export default function ReceiptsDialog({ onClose }: { onClose: () => void }) {
  const purchases = useQuery({
    queryKey: ['user', 'purchases'],
    queryFn: () => call<typeof listOwnPurchases>({ method: 'GET', path: '/api/user/purchases' }),
    gcTime: 0,
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Receipts"
      description="What you bought, the latest first, to keep or to print."
    >
      <div className="mt-6">
        <QueryView query={purchases} failed="Your receipts could not be loaded." empty="Nothing bought yet">
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

function Line({ purchase }: { purchase: OwnPurchase }) {
  const { id, receiptNumber, package: bought, amount, method, purchasedAt, refundedAmount, voidedAt } = purchase
  return (
    <li className="flex items-start justify-between gap-4 border-b border-line py-4">
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="font-medium">{bought.name}</p>
        <p className="text-[0.9375rem] text-ink-soft">
          {formatInstantDate(purchasedAt)}
          {method && `, ${method}`}
        </p>
        {refundedAmount && <p className="text-[0.9375rem] text-ink-soft">{formatMoney(refundedAmount)} refunded</p>}
        {voidedAt && <p className="text-[0.9375rem] text-ink-soft">Voided</p>}
      </div>
      <div className="flex-none text-right">
        <p className="tabular-nums">{formatMoney(amount)}</p>
        <Pdf href={`/api/user/purchases/${id}/receipt.pdf`}>Receipt {receiptNumber}</Pdf>
      </div>
    </li>
  )
}

function Pdf({ href, children }: { href: string; children: React.ReactNode }) {
  return (
    <a href={href} download className="link inline-flex min-h-11 items-center gap-2 text-[0.9375rem]">
      <Icon of={download} aria-hidden size={18} strokeWidth={1.5} /> {children} <span className="sr-only">as PDF</span>
    </a>
  )
}

const monthsOf = (purchases: readonly OwnPurchase[]) => [
  ...new Set(purchases.map(({ purchasedAt }) => studioDate(Temporal.Instant.from(purchasedAt)).toString().slice(0, 7))),
]
