import { type ComponentType, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { SearchBox, SelectFilter, type usePaging } from '#ui/pager.tsx'
import { useDialog } from '#ui/use-dialog.ts'
import { FindMemberDialog } from '../bookings/book-for-member.tsx'
import type { UserName } from '../users/member-details.tsx'

type SaleProps = {
  /** The button. */
  sell: string
  /** Records the sale once it is known who pays. */
  Sale: ComponentType<{ user: UserName; onClose: () => void }>
}

type HeadProps = SaleProps & {
  of: string
  paging: ReturnType<typeof usePaging>
  filter: [name: string, value: string | undefined, options: readonly (readonly [string, string])[]]
}

/** Above a list of sales: its search, its filter, and the button that sells. */
export function SalesHead({ of, paging, filter: [name, value, options], ...sale }: HeadProps) {
  const { dialog, open } = useDialog()
  return (
    <div className="mb-6 flex flex-wrap items-end gap-3">
      <SearchBox label={`Search ${of}`} search={paging.search} onSearch={paging.setSearch} />
      <SelectFilter
        label="Show"
        value={value ?? ''}
        options={options}
        onChange={(chosen) => paging.filter({ [name]: chosen })}
      />
      <Button small className="ml-auto" onClick={() => open(SellDialog, sale)}>
        {sale.sell}
      </Button>
      {dialog}
    </div>
  )
}

/** Asks who pays, then records the sale. */
export function SellDialog({ sell, Sale, onClose }: SaleProps & { onClose: () => void }) {
  const [payer, setPayer] = useState<UserName>()
  if (payer) return <Sale user={payer} onClose={onClose} />
  return <FindMemberDialog title={sell} description="Who pays for it?" onFound={setPayer} onClose={onClose} />
}
