import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { formatInstantDate } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import type { Purchase, PurchaseRefund } from '#payments/contract.ts'
import { paymentsApi } from '#payments/web/api.ts'
import { PurchaseStatus } from '#payments/web/purchase-status.tsx'
import { Button } from '#ui/button.tsx'
import { PagedView, SearchBox, SelectFilter, usePaging } from '#ui/pager.tsx'
import { Rows } from '#ui/rows.tsx'
import { DecideRefundDialog, OtherRefundDialog, RefundDialog, VoidSaleDialog } from './refund-dialogs.tsx'

const SHOWN = [
  ['', 'All purchases'],
  ['true', 'Need your attention'],
] as const

/** Sales, newest first; optionally only those with a dispute or an open decision. */
export function Purchases() {
  const paging = usePaging()
  const { search, params, setSearch, filter } = paging
  const [query] = useSearchParams()
  const attention = query.get('attention') === 'true' ? 'true' : undefined
  const purchases = useQuery(paymentsApi.listPurchases.pageOptions({ query: { ...params, attention } }))
  return (
    <>
      <div className="mb-6 flex flex-wrap items-end gap-4">
        <SearchBox label="Search purchases" search={search} onSearch={setSearch} />
        <SelectFilter
          label="Show"
          value={attention ?? ''}
          options={SHOWN}
          onChange={(chosen) => filter({ attention: chosen })}
        />
      </div>
      <PagedView
        query={purchases}
        failed="The purchases could not be loaded."
        paging={paging}
        empty={attention ? 'Nothing needs your attention' : 'No purchases yet'}
        noMatches={search && `No purchases match “${search}”.`}
      >
        {(rows) => <PurchaseRows purchases={rows} />}
      </PagedView>
    </>
  )
}

type Asked =
  | { what: 'refund' | 'other' | 'void'; purchase: Purchase }
  | { what: 'decide'; purchase: Purchase; refund: PurchaseRefund }

/** Purchases with their status and actions. */
export function PurchaseRows({ purchases, ofOne = false }: { purchases: Purchase[]; ofOne?: boolean }) {
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const columns = [
    { head: 'Member', cell: Buyer },
    {
      head: 'Package',
      // Next to long statuses the column stays as wide as the longest word of a name.
      cell: (purchase: Purchase) => <span className="[overflow-wrap:break-word]">{purchase.package.name}</span>,
    },
    {
      head: 'Date',
      cell: (purchase: Purchase) => (
        <span className="whitespace-nowrap">{formatInstantDate(purchase.purchasedAt)}</span>
      ),
    },
    { head: 'Paid', cell: Paid, numeric: true },
    { head: 'Status', cell: (purchase: Purchase) => <PurchaseStatus {...purchase} /> },
  ]
  return (
    <>
      <Rows
        label="Purchases"
        rows={purchases}
        keyOf={(purchase) => purchase.id}
        columns={ofOne ? columns.slice(1) : columns}
        actions={(purchase) => <Actions purchase={purchase} onAsk={setAsked} />}
      />
      {asked?.what === 'refund' && <RefundDialog purchase={asked.purchase} onClose={close} />}
      {asked?.what === 'other' && <OtherRefundDialog purchase={asked.purchase} onClose={close} />}
      {asked?.what === 'void' && asked.purchase.user && (
        <VoidSaleDialog purchase={asked.purchase} user={asked.purchase.user} onClose={close} />
      )}
      {asked?.what === 'decide' && (
        <DecideRefundDialog purchase={asked.purchase} refund={asked.refund} onClose={close} />
      )}
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

function Paid({ id, receiptNumber, amount, method, note }: Purchase) {
  return (
    <>
      {formatMoney(amount)}
      {method && <span className="block text-[0.8125rem]/[1.4] text-ink-mute">{method}</span>}
      {note && (
        <span className="block text-[0.8125rem]/[1.4] [overflow-wrap:anywhere] whitespace-normal text-ink-mute">
          {note}
        </span>
      )}
      <a
        href={`/api/admin/purchases/${id}/receipt.pdf`}
        download
        className="link inline-flex min-h-8 items-center text-[0.8125rem]"
      >
        Receipt {receiptNumber}
      </a>
    </>
  )
}

/** An open decision first, then the refund under the policy or why there is none, then any other refund. */
function Actions({ purchase, onAsk }: { purchase: Purchase; onAsk: (asked: Asked) => void }) {
  const { refund, refunds, user } = purchase
  const whose = `${purchase.package.name} of ${user ? `${user.firstName} ${user.lastName}` : 'a deleted user'}`
  const undecided = refunds.find(({ decision }) => decision)
  const mayRefund = Number(refund.most) > 0
  return (
    <span className="inline-flex flex-wrap items-center gap-1 lg:justify-end">
      {undecided && (
        <Button
          variant="secondary"
          small
          aria-label={`Decide about ${whose}`}
          onClick={() => onAsk({ what: 'decide', purchase, refund: undecided })}
        >
          Decide
        </Button>
      )}
      {refund.amount && (
        <Button
          variant={undecided ? 'quiet' : 'secondary'}
          small
          aria-label={`Refund ${whose}`}
          onClick={() => onAsk({ what: 'refund', purchase })}
        >
          Refund
        </Button>
      )}
      {purchase.mayVoid && (
        <Button variant="quiet" small aria-label={`Void ${whose}`} onClick={() => onAsk({ what: 'void', purchase })}>
          Void
        </Button>
      )}
      {!refund.amount && refunds.length === 0 && !purchase.voidedAt && (
        <span className="max-w-60 text-[0.875rem]/[1.4] text-ink-mute">
          {mayRefund && 'By the refund policy: '}
          {refund.reason}
        </span>
      )}
      {mayRefund && (
        <Button
          variant="quiet"
          small
          aria-label={`Other refund for ${whose}`}
          onClick={() => onAsk({ what: 'other', purchase })}
        >
          Other refund
        </Button>
      )}
    </span>
  )
}
