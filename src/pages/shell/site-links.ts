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

/** Links next to a signed-in user's name. Admins set up their second step at /admin. */
export function memberLinks({ isAdmin, secondStep }: Pick<CurrentUser, 'isAdmin' | 'secondStep'>) {
  const links = [
    { to: '/dashboard', label: 'Dashboard' },
    { to: '/health', label: 'Health Info' },
  ]
  return isAdmin || secondStep ? [...links, { to: '/admin', label: 'Admin' }] : links
}
