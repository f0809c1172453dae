import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '#ui/button.tsx'
import { requireAccount, soonAccountRequired } from './account-required.tsx'
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
