import { lazy, Suspense, useState } from 'react'
import { buttonClass } from '../../ui/button.tsx'

const HistoryDialog = lazy(() => import('./history.tsx'))

/** 'View History': opens the whole booking history. */
export function ViewHistory() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={buttonClass({ look: 'secondary' })} onClick={() => setOpen(true)}>
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
