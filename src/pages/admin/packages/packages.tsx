import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Package } from '#packages/contract.ts'
import { packagesApi } from '#packages/web/packages.ts'
import { Button } from '#ui/button.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { Views, viewOf } from '#ui/views.tsx'
import { CREATE, useOpened } from '../quick-action.ts'
import { DeletePackageDialog } from './delete-package-dialog.tsx'
import { PackageCard } from './package-card.tsx'
import { CreatePackageDialog, EditPackageDialog } from './package-dialog.tsx'
import { Purchases } from './purchases.tsx'

const VIEWS = [
  ['packages', 'Packages'],
  ['purchases', 'Purchases'],
] as const

export default function PackagesTab() {
  const [query] = useSearchParams()
  const view = viewOf(query, VIEWS)
  const [creating, setCreating] = useOpened(CREATE)
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <Views label="Show" views={VIEWS} />
        {view === 'packages' && <Button onClick={() => setCreating(true)}>Create Package</Button>}
      </div>
      {view === 'packages' ? <Packages /> : <Purchases />}
      {creating && <CreatePackageDialog onClose={() => setCreating(false)} />}
    </>
  )
}

function Packages() {
  const [open, setOpen] = useState<{ dialog: 'edit' | 'delete'; sold: Package }>()
  const close = () => setOpen(undefined)
  return (
    <>
      <QueryView
        query={useQuery(packagesApi.listAllPackages.queryOptions())}
        failed="The packages could not be loaded."
        empty="No packages yet"
      >
        {(packages) => (
          <ul className="grid gap-5 sm:grid-cols-2 xl:grid-cols-3">
            {packages.map((sold) => (
              <li key={sold.id}>
                <PackageCard
                  sold={sold}
                  onEdit={() => setOpen({ dialog: 'edit', sold })}
                  onDelete={() => setOpen({ dialog: 'delete', sold })}
                />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      {open?.dialog === 'edit' && <EditPackageDialog sold={open.sold} onClose={close} />}
      {open?.dialog === 'delete' && <DeletePackageDialog sold={open.sold} onClose={close} />}
    </>
  )
}
