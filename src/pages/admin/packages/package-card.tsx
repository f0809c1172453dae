import { formatMoney } from '#foundation/money.ts'
import { insightsApi } from '#insights/web/api.ts'
import type { Package } from '#packages/contract.ts'
import { classes, packageQueries, packagesApi, validity } from '#packages/web/packages.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { useAdminMutation } from '../admin-mutation.ts'

/** One package as the owner sees it, and what can be done to it. */
export function PackageCard({ sold, onEdit, onDelete }: { sold: Package; onEdit: () => void; onDelete: () => void }) {
  const toggle = useAdminMutation({
    mutationFn: () => packagesApi.togglePackageVisibility.call({ params: { id: sold.id } }),
    says: {
      success: ({ isActive }) => (isActive ? 'Package shown to users' : 'Package hidden from users'),
      failure: 'Failed to toggle package visibility',
    },
    stale: [...packageQueries, insightsApi.getAnalytics],
  })
  return (
    <article className="card flex h-full flex-col p-6">
      <div className="flex min-h-8 flex-wrap gap-2 empty:hidden">
        {sold.isLimitedOffer && <Badge tone="clay">Limited Offer</Badge>}
        {!sold.isActive && <Badge tone="sand">Hidden</Badge>}
      </div>
      <div className="mt-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="min-w-0 text-[1.0625rem]/[1.4] font-medium [overflow-wrap:anywhere]">{sold.name}</h2>
        <p className="figure text-[1.75rem]">{formatMoney(sold.price)}</p>
      </div>
      {sold.description && (
        <p className="mt-2 text-[0.9375rem]/[1.45] [overflow-wrap:anywhere] text-ink-soft">{sold.description}</p>
      )}
      <ul className="mt-4 mb-5 grid gap-1 text-[0.9375rem] text-ink-soft">
        <li>{classes(sold.classCount)} included</li>
        <li>{validity(sold.validityMonths)}</li>
        <li>up to {sold.maxParticipants} participants</li>
        {sold.purchaseOncePerUser && <li>once per member</li>}
      </ul>
      <div className="mt-auto flex flex-wrap gap-2 border-t border-line pt-4">
        <Button variant="secondary" small aria-label={`Edit ${sold.name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button
          variant="secondary"
          small
          busy={toggle.isPending}
          aria-label={`${sold.isActive ? 'Hide' : 'Show'} ${sold.name}`}
          onClick={() => toggle.mutate()}
        >
          {sold.isActive ? 'Hide' : 'Show'}
        </Button>
        <Button
          variant="secondary"
          small
          className="not-disabled:border-err/40 not-disabled:text-err"
          aria-label={`Delete ${sold.name}`}
          onClick={onDelete}
        >
          Delete
        </Button>
      </div>
    </article>
  )
}
