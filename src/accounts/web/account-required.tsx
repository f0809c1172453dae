import { lazy, Suspense } from 'react'
import { createStore } from '../../ui/store.ts'

const loadDialog = () => import('./account-required-dialog.tsx')
const AccountRequiredDialog = lazy(loadDialog)

const [useOpen, change] = createStore(false)

/** Asks a guest to make an account first. */
export const requireAccount = () => change(() => true)

/** Fetches the dialog's code ahead of the click. Spread into the thing that may open it. */
export const soonAccountRequired = { onPointerEnter: () => void loadDialog(), onFocus: () => void loadDialog() }

/** Stands once, in the shell; loads the dialog only when a guest needs it. */
export function AccountRequired() {
  return useOpen() ? (
    <Suspense>
      <AccountRequiredDialog onClose={() => change(() => false)} />
    </Suspense>
  ) : null
}
