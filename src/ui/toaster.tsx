import { late } from './late.tsx'
import { useToasts } from './toast.ts'

const [ToastViewer, fetchViewer] = late(() => import('./toast-viewer.tsx'))
/** For pages where something may fail without a connection: fetched before it does. */
export const loadToasts = fetchViewer
/** When a toast can be seen: before a redirect that it announces. Where its code cannot be had, nothing waits for it. */
export const toastsReady = () => loadToasts().then(nothing, nothing)
const nothing = () => {}

/** Where toasts appear. Loads its machinery with the first one. */
export function Toaster() {
  const toast = useToasts()
  // `aria-live`, though each toast announces itself: a dialog hides all but itself and what is live from screen readers.
  return <div aria-live="off">{toast && <ToastViewer toast={toast} />}</div>
}
