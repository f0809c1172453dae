import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { late } from '#ui/late.tsx'
import { createStore } from '#ui/store.ts'

const [AccountRequiredDialog, fetchDialog] = late(() => import('./account-required-dialog.tsx'))

const [useOpen, change] = createStore(false)

const close = () => change(() => false)

/** Asks a guest to make an account first. */
export const requireAccount = () => change(() => true)

/** Fetches the dialog's code ahead of the click. Spread into the thing that may open it. */
export const soonAccountRequired = { onPointerEnter: () => void fetchDialog(), onFocus: () => void fetchDialog() }

/** Stands once, in the shell; loads the dialog only when a guest needs it. */
export function AccountRequired() {
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the dialog
  useEffect(close, [pathname])
  return useOpen() ? <AccountRequiredDialog onClose={close} /> : null
}
