import type { CurrentUser } from '#accounts/contract.ts'

export const CLASSES = '/harrogate-reformer-pilates-classes'
export const CONTACT = '/contact_harrogate_reformer_pilates'

export const MAIN_LINKS = [
  { to: '/', label: 'Home' },
  { to: '/about', label: 'About' },
  { to: CLASSES, label: 'Classes' },
  { to: '/pricing', label: 'Pricing' },
  { to: CONTACT, label: 'Contact' },
] as const

export const FOOTER_LINKS = [
  { to: '/', label: 'Home' },
  { to: '/about', label: 'About' },
  { to: CLASSES, label: 'Classes' },
  { to: '/pricing', label: 'Pricing' },
  { to: '/blog', label: 'Blog' },
  { to: CONTACT, label: 'Contact' },
] as const

export const LEGAL_LINKS = [
  { to: '/refund-policy', label: 'Refund policy' },
  { to: '/privacy-policy', label: 'Privacy policy' },
  { to: '/terms-and-conditions', label: 'Terms' },
  { to: CONTACT, label: 'Contact' },
] as const

type Roles = Pick<CurrentUser, 'role'>

/** Admins, also those who still need their second step, which they set up or take at /admin. */
export const mayRunStudio = ({ role }: Roles) => role === 'admin'

/** A teacher's list of the day. */
export const TODAY = '/dashboard?view=today'

/** Links next to a signed-in user's name. */
export function memberLinks(user: Roles) {
  const links = [
    { to: '/dashboard', label: 'Dashboard' },
    { to: '/health', label: 'Health Info' },
  ]
  if (user.role === 'teacher') return [{ to: TODAY, label: 'Today' }, ...links]
  return mayRunStudio(user) ? [...links, { to: '/admin', label: 'Admin' }] : links
}
