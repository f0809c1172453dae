import { lazy, Suspense } from 'react'
import { useToasts } from './toast.ts'

const ToastViewer = lazy(() => import('./toast-viewer.tsx'))

/** Where toasts appear. Loads its machinery with the first one. */
export function Toaster() {
  const toast = useToasts()
  return toast ? (
    <Suspense>
      <ToastViewer toast={toast} />
    </Suspense>
  ) : null
}
