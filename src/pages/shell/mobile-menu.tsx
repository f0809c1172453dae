import { useEffect } from 'react'
import { NavLink } from 'react-router'
import { BookLink } from '#accounts/web/book-now.tsx'
import { LogoutLink } from '#accounts/web/end-session.tsx'
import { useSession } from '#accounts/web/session.ts'
import { ButtonLink } from '#ui/button.tsx'
import { MAIN_LINKS, memberLinks } from './site-links.ts'

/** The same links as the header's, one under the other. Escape closes it. */
export function MobileMenu({ onClose }: { onClose: () => void }) {
  const { user, isLoading } = useSession()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && onClose()
    document.addEventListener('keydown', onKey)
    document.documentElement.style.overflow = 'hidden'
    const covered = document.querySelectorAll<HTMLElement>('main, footer')
    for (const part of covered) part.inert = true
    return () => {
      document.removeEventListener('keydown', onKey)
      document.documentElement.style.overflow = ''
      for (const part of covered) part.inert = false
    }
  }, [onClose])

  const account = user ? memberLinks(user) : isLoading ? [] : [{ to: '/auth', label: 'Login' }]
  return (
    <div
      id="mobile-menu"
      className="absolute inset-x-0 top-full h-[calc(100dvh-68px)] overflow-y-auto bg-paper nav:hidden"
    >
      <nav aria-label="Main" className="wrap flex min-h-full flex-col py-6">
        {user && <p className="pb-2 text-ink-mute">Welcome, {user.firstName || 'Member'}</p>}
        <ul>
          {[...MAIN_LINKS, ...account].map(({ to, label }) => (
            <li key={to}>
              <NavLink
                to={to}
                end={to === '/'}
                onClick={onClose}
                className="flex min-h-[52px] items-center border-b border-line font-serif text-[1.75rem]/none aria-[current=page]:italic"
              >
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
        <div className="mt-auto grid gap-3 pt-8">
          <BookLink onFollow={onClose}>Book Now</BookLink>
          <ButtonLink to="/pricing" variant="secondary" onClick={onClose}>
            Buy Pass
          </ButtonLink>
          {user && (
            <LogoutLink className="py-3 text-center text-ink-soft underline underline-offset-4">Logout</LogoutLink>
          )}
        </div>
      </nav>
    </div>
  )
}
