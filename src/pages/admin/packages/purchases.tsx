import { useState } from 'react'
import { Link } from 'react-router'
import { formatPounds } from '../../../foundation/money.ts'
import type { Purchase } from '../../../payments/contract.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Pager, SearchBox, usePaging } from '../../../ui/pager.tsx'
import { Read } from '../../../ui/read.tsx'
import { Rows } from '../../../ui/rows.tsx'
import { dayOf } from '../days.ts'
import { usePurchases } from '../queries.ts'
import { RefundDialog } from './refund-dialog.tsx'

/** What was sold, the newest first; what can be refunded says so, what cannot says why. */
export function Purchases() {
  const { search, page, wish, look, turn } = usePaging()
  const [asked, setAsked] = useState<Purchase>()
  return (
    <>
      <div className="mb-6">
        <SearchBox label="Search purchases" search={search} onSearch={look} />
      </div>
      <Read of={usePurchases(wish)} failed="The purchases could not be loaded.">
        {({ rows, total }) =>
          rows.length === 0 && page === 1 ? (
            <p className="py-10 text-center text-ink-soft">
              {search ? `No purchase fits “${search}”.` : 'No purchases yet'}
            </p>
          ) : (
            <>
              <Rows
                label="Purchases"
                rows={rows}
                keyOf={(purchase) => purchase.id}
                columns={[
                  { head: 'Member', cell: Buyer },
                  { head: 'Package', cell: (purchase) => purchase.package.name },
                  {
                    head: 'Date',
                    cell: (purchase) => <span className="whitespace-nowrap">{dayOf(purchase.purchasedAt)}</span>,
                  },
                  { head: 'Paid', cell: (purchase) => formatPounds(purchase.amount), numeric: true },
                  { head: 'Status', cell: Status },
                ]}
                actions={(purchase) => <RefundAction purchase={purchase} onAsk={() => setAsked(purchase)} />}
              />
              <Pager page={page} total={total} onTurn={turn} />
            </>
          )
        }
      </Read>
      {asked && <RefundDialog purchase={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function Buyer({ user }: Purchase) {
  if (!user) return <span className="text-ink-mute">Deleted user</span>
  return (
    <Link to={`/admin?tab=Users&user=${user.id}`} className="link inline-flex min-h-8 items-center">
      {user.firstName} {user.lastName}
    </Link>
  )
}

function Status({ refundedAmount, refundSentAt }: Purchase) {
  if (!refundedAmount) return <Badge tone="ok">Paid</Badge>
  return (
    <Badge tone="info">
      {refundSentAt ? 'Refunded' : 'Refund on its way'} {formatPounds(refundedAmount)}
    </Badge>
  )
}

function RefundAction({ purchase, onAsk }: { purchase: Purchase; onAsk: () => void }) {
  const { refund, refundedAt, user } = purchase
  if (refund.amount && user) {
    return (
      <Button
        look="secondary"
        small
        aria-label={`Refund ${purchase.package.name} of ${user.firstName} ${user.lastName}`}
        onClick={onAsk}
      >
        Refund
      </Button>
    )
  }
  return refundedAt ? null : <span className="max-w-60 text-[0.875rem]/[1.4] text-ink-mute">{refund.reason}</span>
}
