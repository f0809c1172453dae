import { useQuery } from '@tanstack/react-query'
import { paymentsApi } from '#payments/web/api.ts'
import { QueryView } from '#ui/query-view.tsx'
import { PurchaseRows } from '../packages/purchases.tsx'

/** What a member bought, with what became of each payment. */
export function MemberPurchases({ userId }: { userId: string }) {
  return (
    <QueryView
      query={useQuery(paymentsApi.listPurchases.pageOptions({ query: { userId, limit: 50, offset: 0 } }))}
      failed="The purchases could not be loaded."
    >
      {({ rows }) =>
        rows.length === 0 ? <p className="text-ink-mute">No purchases yet</p> : <PurchaseRows purchases={rows} ofOne />
      }
    </QueryView>
  )
}
