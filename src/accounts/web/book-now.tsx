import { type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { buttonClass } from '#ui/button.tsx'
import { late } from '#ui/late.tsx'
import { createStore } from '#ui/store.ts'
import { useIsGuest } from './session.ts'

/**
 * A link to the booking page; guests are asked to create an account first.
 *
 * @param props.kept what waits for a guest after the login: 'Monday 23 November, 09:30'
 */
export function BookLink({
  children,
  to = '/booking',
  variant = 'primary',
  small,
  className = '',
  kept,
  onFollow,
}: {
  children: ReactNode
  to?: string
  variant?: 'primary' | 'secondary' | 'light' | 'text'
  small?: boolean
  className?: string
  kept?: string
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
        requireAccount(kept)
      }}
    >
      {children}
    </Link>
  )
}

const [AccountRequiredDialog, fetchDialog] = late(() => import('./account-required-dialog.tsx'))

const [useOpen, change] = createStore<{ kept: string | undefined } | null>(null)

const close = () => change(() => null)

/** @param kept what waits for the guest after the login */
export const requireAccount = (kept?: string) => change(() => ({ kept }))

const preloadAccountRequired = { onPointerEnter: () => void fetchDialog(), onFocus: () => void fetchDialog() }

/** Part of the shell. The dialog loads when a guest needs it. */
export function AccountRequired() {
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the dialog
  useEffect(close, [pathname])
  const open = useOpen()
  return open && <AccountRequiredDialog kept={open.kept} onClose={close} />
}
