import { type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { buttonClass } from '#ui/button.tsx'
import { late } from '#ui/late.tsx'
import { createStore } from '#ui/store.ts'
import { useIsGuest } from './session.ts'

/** A link to the booking page; guests are asked to create an account first. */
export function BookLink({
  children,
  to = '/booking',
  variant = 'primary',
  small,
  className = '',
  onFollow,
}: {
  children: ReactNode
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
      {...(guest ? { ...preloadAccountRequired, 'aria-haspopup': 'dialog' } : { prefetch: 'intent' })}
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

export const requireAccount = () => change(() => true)

const preloadAccountRequired = { onPointerEnter: () => void fetchDialog(), onFocus: () => void fetchDialog() }

/** Part of the shell. The dialog loads when a guest needs it. */
export function AccountRequired() {
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the dialog
  useEffect(close, [pathname])
  return useOpen() ? <AccountRequiredDialog onClose={close} /> : null
}
