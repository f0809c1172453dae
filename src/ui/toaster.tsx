import { lazy, Suspense } from 'react'
import { useToasts } from './toast.ts'

/** For pages where something may fail without a connection: fetched before it does. */
export const loadToasts = () => import('./toast-viewer.tsx')
/** When a toast can be seen: before a redirect that it announces. Where its code cannot be had, nothing waits for it. */
export const toastsReady = () => loadToasts().then(nothing, nothing)
const nothing = () => {}
const ToastViewer = lazy(loadToasts)

/** Where toasts appear. Loads its machinery with the first one. */
export function Toaster() {
  const toast = useToasts()
  // `aria-live`, though each toast announces itself: a dialog hides all but itself and what is live from screen readers.
  return (
    <div aria-live="off">
      {toast && (
        <Suspense>
          <ToastViewer toast={toast} />
        </Suspense>
      )}
    </div>
  )
}
