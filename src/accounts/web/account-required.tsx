import { lazy, Suspense, useEffect } from 'react'
import { useLocation } from 'react-router'
import { createStore } from '../../ui/store.ts'

const loadDialog = () => import('./account-required-dialog.tsx')
const AccountRequiredDialog = lazy(loadDialog)

const [useOpen, change] = createStore(false)

const close = () => change(() => false)

/** Asks a guest to make an account first. */
export const requireAccount = () => change(() => true)

/** Fetches the dialog's code ahead of the click. Spread into the thing that may open it. */
export const soonAccountRequired = { onPointerEnter: () => void loadDialog(), onFocus: () => void loadDialog() }

/** Stands once, in the shell; loads the dialog only when a guest needs it. */
export function AccountRequired() {
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the dialog
  useEffect(close, [pathname])
  return useOpen() ? (
    <Suspense>
      <AccountRequiredDialog onClose={close} />
    </Suspense>
  ) : null
}
