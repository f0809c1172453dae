import { type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { buttonClass } from '#ui/button.tsx'
import { late } from '#ui/late.tsx'
import { createStore } from '#ui/store.ts'
import { useIsGuest } from './session.ts'

/** Leads a member to the booking page and asks a guest for an account first. A link even where there is no script. */
export function BookLink({
  children,
  to = '/booking',
  variant = 'primary',
  small,
  className = '',
  onFollow,
}: {
  children: ReactNode
  /** The booking page, or a day or class of it. */
  to?: string
  variant?: 'primary' | 'secondary' | 'light' | 'text'
  small?: boolean
  className?: string
  onFollow?: () => void
}) {
  const guest = useIsGuest()
  return (
    <Link
      to={to}
      data-early=""
      className={variant === 'text' ? className : buttonClass({ variant, small }, className)}
      {...(guest ? { ...soonAccountRequired, 'aria-haspopup': 'dialog' } : { prefetch: 'intent' })}
      onClick={(event) => {
        onFollow?.()
        if (!guest || event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        requireAccount()
      }}
    >
      {children}
    </Link>
  )
}

const [AccountRequiredDialog, fetchDialog] = late(() => import('./account-required-dialog.tsx'))

const [useOpen, change] = createStore(false)

const close = () => change(() => false)

/** Asks a guest to make an account first. */
export const requireAccount = () => change(() => true)

/** Fetches the dialog's code ahead of the click. Spread into the thing that may open it. */
const soonAccountRequired = { onPointerEnter: () => void fetchDialog(), onFocus: () => void fetchDialog() }

/** Stands once, in the shell; loads the dialog only when a guest needs it. */
export function AccountRequired() {
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the dialog
  useEffect(close, [pathname])
  return useOpen() ? <AccountRequiredDialog onClose={close} /> : null
}
