import menuIcon from '@lucide/icons/icons/menu'
import x from '@lucide/icons/icons/x'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { BookLink } from '#accounts/web/book-now.tsx'
import { LogoutLink } from '#accounts/web/end-session.tsx'
import { useSession } from '#accounts/web/session.ts'
import { PhoneLink, useFacts } from '#content/web/facts.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Mark } from '#ui/mark.tsx'
import { MAIN_LINKS, memberLinks } from './site-links.ts'

/**
 * A line with the account, which scrolls away, above the sticky bar with the site's links. Until the session is known
 * the line shows Login, or nothing if the visitor seems to be signed in.
 */
export function Header() {
  const [menu, setMenu] = useState(false)
  const { pathname } = useLocation()
  const current = useCurrentPage()
  const { name, address } = useFacts()
  const button = useRef<HTMLButtonElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(() => setMenu(false), [pathname])

  return (
    <header className="sticky top-0 z-30 bg-paper/92 backdrop-blur-md nav:-top-10">
      <div className="hidden bg-linen text-caption text-ink-soft nav:block">
        <div className="wrap flex h-10 items-center justify-between gap-6">
          <p className="truncate">
            {address.street}, {address.town} · <PhoneLink className="" />
          </p>
          <AccountLine />
        </div>
      </div>
      <div className="wrap flex h-[68px] items-center justify-between gap-6 nav:h-20">
        <Link to="/" className="flex min-h-11 items-center gap-3">
          <Mark />
          <span className="font-serif text-[min(1.625rem,8.2vw)]/none tracking-[-0.01em] whitespace-nowrap">
            {name}
          </span>
        </Link>
        <nav aria-label="Main" className="hidden gap-8 nav:flex">
          {MAIN_LINKS.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              aria-current={current(to)}
              prefetch="intent"
              className="border-b border-transparent py-2.5 text-[0.9875rem] text-ink-soft transition-colors hover:border-ink hover:text-ink aria-[current=page]:border-ink aria-[current=page]:text-ink"
            >
              {label}
            </Link>
          ))}
        </nav>
        <div className="flex items-center gap-3">
          <ButtonLink to="/pricing" variant="quiet" small className="max-nav:hidden">
            Buy Pass
          </ButtonLink>
          <BookLink small className="max-sm:hidden">
            Book Now
          </BookLink>
          <button
            ref={button}
            type="button"
            aria-expanded={menu}
            aria-controls={menu ? 'mobile-menu' : undefined}
            aria-label={menu ? 'Close menu' : 'Open menu'}
            onClick={() => setMenu(!menu)}
            className="-mr-2.5 grid size-11 place-items-center nav:hidden"
          >
            {menu ? <Icon of={x} size={26} /> : <Icon of={menuIcon} size={26} />}
          </button>
        </div>
      </div>
      {menu && (
        <MobileMenu
          onClose={() => {
            setMenu(false)
            button.current?.focus()
          }}
        />
      )}
    </header>
  )
}

const accountLink = 'py-2 underline-offset-4 hover:text-ink hover:underline aria-[current=page]:text-ink'

function AccountLine() {
  const { user, isLoading, isUnreachable } = useSession()
  const current = useCurrentPage()
  if (isUnreachable) return <p className="h-6" />
  if (!user) {
    return (
      <Link
        to="/auth"
        prefetch="intent"
        aria-current={current('/auth')}
        className={`${accountLink} ${isLoading ? 'if-visitor' : ''}`}
      >
        Login
      </Link>
    )
  }
  return (
    <div className="flex items-center gap-6 whitespace-nowrap">
      <p className="max-w-[14em] truncate text-ink">Welcome, {user.firstName || 'Member'}</p>
      {memberLinks(user).map(({ to, label }) => (
        <Link key={to} to={to} prefetch="intent" aria-current={current(to)} className={accountLink}>
          {label}
        </Link>
      ))}
      <LogoutLink className={accountLink}>Logout</LogoutLink>
    </div>
  )
}

/** The header's links on a phone. Escape closes the menu. */
function MobileMenu({ onClose }: { onClose: () => void }) {
  const { user, isLoading } = useSession()
  const current = useCurrentPage()
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

  const login = isLoading ? [] : [{ to: '/auth', label: 'Login' }]
  const account = user ? memberLinks(user) : login
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
              <Link
                to={to}
                aria-current={current(to)}
                onClick={onClose}
                className="flex min-h-[52px] items-center border-b border-line font-serif text-[1.75rem]/none aria-[current=page]:italic"
              >
                {label}
              </Link>
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

/** `aria-current` for a link. */
function useCurrentPage(): (to: string) => 'page' | undefined {
  const { pathname } = useLocation()
  return (to) => (pathname === to ? 'page' : undefined)
}
