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

type Roles = Pick<CurrentUser, 'isAdmin' | 'secondStep'>

/** Admins, and those who still need their second step, which they set up or take at /admin. */
export const mayRunStudio = ({ isAdmin, secondStep }: Roles) => isAdmin || secondStep !== undefined

/** Links next to a signed-in user's name. */
export function memberLinks(user: Roles) {
  const links = [
    { to: '/dashboard', label: 'Dashboard' },
    { to: '/health', label: 'Health Info' },
  ]
  return mayRunStudio(user) ? [...links, { to: '/admin', label: 'Admin' }] : links
}
