import { formatPounds } from '../../foundation/money.ts'
import { useAllPackages } from '../../insights/web/admin-lists.ts'
import { Badge } from '../../ui/badge.tsx'
import { Read } from '../../ui/read.tsx'
import { Rows } from '../../ui/rows.tsx'

export default function PackagesTab() {
  return (
    <Read of={useAllPackages()} failed="The packages could not be loaded." empty="No packages yet">
      {(packages) => (
        <Rows
          label="Packages"
          rows={packages}
          keyOf={(sold) => sold.id}
          columns={[
            {
              head: 'Package',
              cell: (sold) => (
                <span className="inline-flex flex-wrap items-center gap-2">
                  {sold.name} {sold.isLimitedOffer && <Badge tone="clay">Limited Offer</Badge>}
                  {!sold.isActive && <Badge tone="sand">Hidden</Badge>}
                </span>
              ),
            },
            { head: 'Price', cell: (sold) => formatPounds(sold.price), numeric: true },
            { head: 'Classes', cell: (sold) => sold.classCount, numeric: true },
            { head: 'Validity (months)', cell: (sold) => sold.validityMonths, numeric: true },
            { head: 'Participants', cell: (sold) => `up to ${sold.maxParticipants} participants` },
          ]}
        />
      )}
    </Read>
  )
}
