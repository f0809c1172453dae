import { lazy, Suspense, useState } from 'react'
import { buttonClass } from '../../ui/button.tsx'
import { useSoon } from '../../ui/use-soon.ts'

const loadDialog = () => import('./subscribe-dialog.tsx')
const SubscribeDialog = lazy(loadDialog)

/** Opens what is needed to have one's classes, or an admin the studio's, in one's own calendar. */
export function SubscribeButton({ isAdmin }: { isAdmin: boolean }) {
  useSoon(loadDialog)
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={buttonClass({ variant: 'secondary' })} onClick={() => setOpen(true)}>
        Subscribe in your calendar
      </button>
      {open && (
        <Suspense>
          <SubscribeDialog isAdmin={isAdmin} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
