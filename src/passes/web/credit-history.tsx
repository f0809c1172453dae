import { lazy, Suspense, useState } from 'react'
import { useSoon } from '../../ui/use-soon.ts'

const loadDialog = () => import('./credit-history-dialog.tsx')
const CreditHistoryDialog = lazy(loadDialog)

/** 'Credit history': opens every movement of the member's credits, in words. */
export function CreditHistory() {
  useSoon(loadDialog)
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="link mt-3 inline-flex min-h-11 items-center text-[0.9375rem]"
        onClick={() => setOpen(true)}
      >
        Credit history
      </button>
      {open && (
        <Suspense>
          <CreditHistoryDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
