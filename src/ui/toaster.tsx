import { late } from './late.tsx'
import { toastMounted, useToasts } from './toast.ts'

const [ToastViewer, fetchViewer] = late(() => import('./toast-viewer.tsx'))
/** Preloads the toast viewer, for pages that may lose their connection. */
export const loadToasts = fetchViewer
/** Resolves when a toast can be shown immediately, or when its code failed to load. */
export const toastsReady = () => loadToasts().then(nothing, nothing)
/** Resolves when the latest toast is visible; a redirect waits for it. */
export const toastShown = () => loadToasts().then(toastMounted, nothing)
const nothing = () => {}

export function Toaster() {
  const toast = useToasts()
  // Each toast announces itself. `aria-live` keeps this element visible to screen readers while a dialog hides the
  // rest.
  return <div aria-live="off">{toast && <ToastViewer toast={toast} />}</div>
}
