import { late } from './late.tsx'
import { toastDrawn, useToasts } from './toast.ts'

const [ToastViewer, fetchViewer] = late(() => import('./toast-viewer.tsx'))
/** For pages where something may fail without a connection: fetched before it does. */
export const loadToasts = fetchViewer
/** Resolves when a toast can be shown at once. Where its code cannot be had, nothing waits for it. */
export const toastsReady = () => loadToasts().then(nothing, nothing)
/** Resolves when the latest toast can be seen: the time to read it before a redirect starts then. */
export const toastShown = () => loadToasts().then(toastDrawn, nothing)
const nothing = () => {}

/** Where toasts appear. Loads its machinery with the first one. */
export function Toaster() {
  const toast = useToasts()
  // `aria-live`, though each toast announces itself: a dialog hides all but itself and what is live from screen readers.
  return <div aria-live="off">{toast && <ToastViewer toast={toast} />}</div>
}
