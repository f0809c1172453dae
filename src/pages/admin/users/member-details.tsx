import phoneIcon from '@lucide/icons/icons/phone'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { mayBeInvited, phoneHref } from '#accounts/rules.ts'
import type { AdminUser } from '#insights/contract.ts'
import { Badge } from '#ui/badge.tsx'
import { Icon } from '#ui/icon.tsx'

export const RECORD_SALE = 'Record a sale'

/** `email`: null without an address, undefined if unknown. */
export type UserName = { id: string; firstName: string; lastName: string; email?: string | null }

/** A link to a member's page; `inText` within a sentence. */
export function MemberLink({
  id,
  inText = false,
  className = '',
  children,
}: {
  id: string
  inText?: boolean
  className?: string
  children: ReactNode
}) {
  const target = inText ? '' : 'inline-flex min-h-8 min-w-8 items-center wrap-anywhere'
  return (
    <Link to={`/admin?tab=Users&user=${id}`} className={`link ${target} ${className}`}>
      {children}
    </Link>
  )
}

/** A phone number as a link; nothing if there is none. */
export function PhoneLink({ phone, name }: { phone: string | null; name: string }) {
  if (!phone) return null
  return (
    <a
      href={phoneHref(phone)}
      aria-label={`Call ${name}, ${phone}`}
      className="link inline-flex min-h-8 items-center gap-1.5 text-small whitespace-nowrap tabular-nums"
    >
      <Icon of={phoneIcon} size={16} />
      {phone}
    </a>
  )
}

/** A member who cannot log in yet, and whether they were invited. */
export function InvitedBadge({ user }: { user: AdminUser }) {
  if (user.email === null) return <Badge tone="sand">Phone only</Badge>
  if (!mayBeInvited(user)) return null
  return user.invitedAt ? <Badge tone="clay">Invited</Badge> : <Badge tone="sand">Not invited yet</Badge>
}

/** An email address that may wrap before its `@` only. */
export function Breakable({ text }: { text: string }) {
  const at = text.lastIndexOf('@')
  if (at < 1) return text
  return (
    <>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </>
  )
}
