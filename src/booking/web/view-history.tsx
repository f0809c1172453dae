import { lazy, Suspense, useState } from 'react'
import { buttonClass } from '../../ui/button.tsx'
import { useSoon } from '../../ui/use-soon.ts'

const loadDialog = () => import('./history.tsx')
const HistoryDialog = lazy(loadDialog)

/** 'View History': opens the whole booking history. */
export function ViewHistory() {
  useSoon(loadDialog)
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={buttonClass({ variant: 'secondary' })} onClick={() => setOpen(true)}>
        View History
      </button>
      {open && (
        <Suspense>
          <HistoryDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
