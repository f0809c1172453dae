import calendarDays from '@lucide/icons/icons/calendar-days'
import clipboardList from '@lucide/icons/icons/clipboard-list'
import ellipsis from '@lucide/icons/icons/ellipsis'
import sun from '@lucide/icons/icons/sun'
import users from '@lucide/icons/icons/users'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import type { CurrentUser } from '#accounts/contract.ts'
import { clearBrowserStorage, LogoutLink } from '#accounts/web/end-session.tsx'
import { RequireUser } from '#accounts/web/members-only.tsx'
import { privateMeta } from '#content/seo.ts'
import type { MetaArguments } from '#content/site.ts'
import { many } from '#foundation/collections.ts'
import { temporalReady } from '#foundation/temporal.ts'
import type { Undoable } from '#schedule/contract.ts'
import { scheduleApi } from '#schedule/web/api.ts'
import { Breadcrumb } from '#ui/breadcrumb.tsx'
import { Button, ButtonLink, buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { More } from '#ui/more.tsx'
import { PageSpinner, Spinner } from '#ui/spinner.tsx'
import { useAdminMutation } from './admin-mutation.ts'

export const meta = (args: MetaArguments) =>
  privateMeta(args, 'Admin', 'The studio’s day, its members, classes, packages and bookings.')

/** Dates need Temporal. */
export async function clientLoader() {
  await temporalReady()
  return null
}

export function HydrateFallback() {
  return <PageSpinner />
}

const TABS = ['Overview', 'Analytics', 'Users', 'Classes', 'Packages', 'Bookings', 'Health Updates'] as const
type AdminTab = (typeof TABS)[number]

const PANELS: Record<AdminTab, ComponentType> = {
  Overview: lazy(() => import('./day/overview.tsx')),
  Analytics: lazy(() => import('./reports/analytics.tsx')),
  Users: lazy(() => import('./users/users.tsx')),
  Classes: lazy(() => import('./classes/classes.tsx')),
  Packages: lazy(() => import('./packages/packages.tsx')),
  Bookings: lazy(() => import('./bookings/bookings.tsx')),
  'Health Updates': lazy(() => import('./health/health-updates.tsx')),
}

const BACK = { to: '/admin', label: 'Back to Admin' }

const VIEWS: Record<string, ComponentType> = {
  messages: lazy(() => import('./messages/messages-page.tsx')),
  security: lazy(() => import('./security/security-page.tsx')),
  settings: lazy(() => import('./settings/settings-page.tsx')),
  'what-we-keep': lazy(() => import('./settings/what-we-keep.tsx')),
  import: lazy(() => import('./users/import-members.tsx')),
  'sign-in': lazy(async () => {
    const { default: YourSignIn } = await import('#accounts/web/your-sign-in/your-sign-in.tsx')
    return { default: () => <YourSignIn back={BACK} /> }
  }),
}

const DENIED = { title: 'Access Denied', description: 'Admin access required', to: '/' }

const SecondStepFirst = lazy(() => import('#accounts/web/sign-in/second-step-first.tsx'))

export default function Admin() {
  return (
    <RequireUser may={(user) => user.role === 'admin'} refusal={DENIED}>
      {(user) => (user.isAdmin ? <Shown /> : <WithoutSecondStep user={user} />)}
    </RequireUser>
  )
}

/** Admins set up their second step before they see anything else. */
function WithoutSecondStep({ user }: { user: CurrentUser }) {
  return (
    <div className="wrap pt-8 pb-section lg:pt-12">
      <Suspense fallback={<Spinner label="Loading..." />}>
        <SecondStepFirst user={user} />
      </Suspense>
    </div>
  )
}

function Shown() {
  const [query] = useSearchParams()
  // A tab may have its own views.
  const View = query.has('tab') ? undefined : VIEWS[query.get('view') ?? '']
  if (!View) return <Tabs />
  return (
    <div className="wrap pt-8 pb-section max-md:pt-3 max-md:pb-8 lg:pt-12">
      <Suspense fallback={<Spinner label="Loading..." />}>
        <View />
      </Suspense>
      <Bar />
    </div>
  )
}

function Tabs() {
  const tab = useTab()
  const Panel = PANELS[tab]
  const section = useRef<HTMLElement>(null)
  return (
    // The rail is in the left margin, so that the panel aligns with the header.
    <div className="wrap pt-8 pb-section max-md:pt-2 max-md:pb-8 lg:pt-12 min-[107.5rem]:mr-0 min-[107.5rem]:ml-[calc(50%-792px)] min-[107.5rem]:grid min-[107.5rem]:w-auto min-[107.5rem]:max-w-[1408px] min-[107.5rem]:grid-cols-[160px_1232px] min-[107.5rem]:gap-x-4 min-[107.5rem]:px-0">
      <div className="flex items-center justify-between gap-4 min-[107.5rem]:col-start-2">
        <div>
          <div className="max-md:hidden">
            <Breadcrumb items={[{ label: 'Admin' }]} />
          </div>
          <h1 className="mt-1 max-md:sr-only font-serif text-[2.25rem]/[1.05] tracking-[-0.01em]">Admin</h1>
          <p aria-hidden className="title mt-2 md:hidden">
            {tab}
          </p>
        </div>
        <div className="flex flex-wrap gap-3 max-md:hidden">
          {PAGES.map(({ to, label }) => (
            <ButtonLink key={to} to={to} variant="secondary" small>
              {label}
            </ButtonLink>
          ))}
          <LogoutLink className={buttonClass({ variant: 'secondary', small: true })}>Logout</LogoutLink>
        </div>
      </div>
      <Bar tab={tab} />
      {/* Tall, so that a loading tab does not push a visible footer down. */}
      <section
        ref={section}
        tabIndex={-1}
        aria-label={tab}
        className="min-h-[80vh] min-w-0 pt-8 outline-none max-md:pt-5"
      >
        <UndoBar onUndone={() => section.current?.focus({ preventScroll: true })} />
        <Suspense fallback={<Spinner label="Loading..." />}>
          <Panel key={tab} />
        </Suspense>
      </section>
    </div>
  )
}

const addressOf = (tab: AdminTab) => (tab === 'Overview' ? '/admin' : `/admin?tab=${encodeURIComponent(tab)}`)

/** Pages outside the tabs. */
const PAGES = [
  { to: '/admin?view=messages', label: 'Messages' },
  { to: '/admin?view=settings', label: 'Studio settings' },
  { to: '/admin?view=sign-in', label: 'My sign-in' },
]

/** The tabs that a phone shows with an icon. The others are in the bar’s More. */
const ON_PHONE: Partial<Record<AdminTab, typeof sun>> = {
  Overview: sun,
  Users: users,
  Classes: calendarDays,
  Bookings: clipboardList,
}

const BAR_ITEM =
  'max-md:flex max-md:min-w-0 max-md:flex-1 max-md:flex-col max-md:items-center max-md:justify-center max-md:gap-1 max-md:py-1.5 max-md:text-fine max-md:data-shown:bg-linen max-md:data-shown:text-ink'

/**
 * The tabs: at the bottom of a phone, above the panel on a tablet, beside it on a wide screen. A pressed tab looks
 * selected immediately, while its code loads. Without `tab`, on a page outside the tabs, only phones show it.
 */
function Bar({ tab }: { tab?: AdminTab }) {
  const [pressed, setPressed] = useState<AdminTab>()
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation ends the press
  useEffect(() => setPressed(undefined), [key])
  const shown = pressed ?? tab
  const inMore = TABS.filter((name) => !ON_PHONE[name])
  return (
    <nav
      aria-label="Admin"
      data-toasts-above
      className={`workroom admin-bar flex bg-linen max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-40 max-md:border-t max-md:border-line max-md:bg-paper max-md:pb-[env(safe-area-inset-bottom)] print:hidden ${tab ? 'md:mt-6 md:gap-0.5 md:rounded-full md:p-1.5 lg:gap-1 min-[107.5rem]:sticky min-[107.5rem]:top-24 min-[107.5rem]:mt-8 min-[107.5rem]:flex-col min-[107.5rem]:self-start min-[107.5rem]:rounded-card min-[107.5rem]:p-2' : 'md:hidden'}`}
    >
      {TABS.map((name) => {
        const icon = ON_PHONE[name]
        return (
          <Link
            key={name}
            to={addressOf(name)}
            preventScrollReset
            aria-current={name === tab ? 'page' : undefined}
            data-shown={name === shown || undefined}
            onClick={({ ctrlKey, metaKey, shiftKey }) => {
              if (!ctrlKey && !metaKey && !shiftKey) setPressed(name)
            }}
            className={`min-h-11 font-medium whitespace-nowrap text-ink-soft hover:text-ink md:grid md:flex-none md:place-items-center md:rounded-full md:px-3.5 md:text-small md:data-shown:bg-paper md:data-shown:text-ink md:data-shown:shadow-rest lg:px-5 min-[107.5rem]:justify-items-start min-[107.5rem]:px-4 ${icon ? BAR_ITEM : 'max-md:hidden'}`}
          >
            {icon && <Icon of={icon} size={20} className="md:hidden" />}
            {name}
          </Link>
        )
      })}
      <More
        of="More of Admin"
        name="More"
        className={`min-h-11 font-medium md:hidden ${BAR_ITEM} ${!shown || inMore.includes(shown) ? 'bg-linen text-ink' : 'text-ink-soft'}`}
        items={[
          ...inMore.map((name) => ({ label: name, to: addressOf(name) })),
          ...PAGES,
          { label: 'Logout', href: '/api/logout', opens: 'here', onSelect: clearBrowserStorage },
        ]}
      >
        <Icon of={ellipsis} size={20} />
        More
      </More>
    </nav>
  )
}

/** The tab in the address, Overview for any other. */
function useTab(): AdminTab {
  const [query] = useSearchParams()
  return TABS.find((name) => name === query.get('tab')) ?? 'Overview'
}

/**
 * Classes deleted and days closed within the last minute, each with Undo until members are emailed.
 *
 * @param props.onUndone moves the focus, because the pressed button disappears
 */
function UndoBar({ onUndone }: { onUndone: () => void }) {
  const { data = [], dataUpdatedAt } = useQuery(scheduleApi.listUndoable.queryOptions())
  const elapsedSeconds = useSecondsSince(dataUpdatedAt, data.length > 0)
  const open = data.filter(({ secondsLeft }) => secondsLeft > elapsedSeconds)
  if (open.length === 0) return null
  return (
    <ul aria-label="Can still be undone" className="sticky top-24 z-20 mb-6 grid gap-3">
      {open.map((one) => (
        <UndoRow key={one.id} undoable={one} seconds={one.secondsLeft - elapsedSeconds} onUndone={onUndone} />
      ))}
    </ul>
  )
}

type UndoRowProps = { undoable: Undoable; seconds: number; onUndone: () => void }

function UndoRow({ undoable: { id, what, classes }, seconds, onUndone }: UndoRowProps) {
  const undo = useAdminMutation({
    mutationFn: () => scheduleApi.undoCancellation.call({ params: { id } }),
    toasts: { success: ({ message }) => message, failure: 'Failed to undo' },
    onSuccess: onUndone,
  })
  const counted = many(classes, 'class', 'classes')
  const text = what === 'closed' ? `Studio closed, ${counted} cancelled.` : `${counted} deleted.`
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 rounded-row bg-white px-5 py-3 shadow-lift">
      <p role="status" className="text-small font-medium">
        {text}{' '}
        <span className="font-normal text-ink-soft">
          No emails have been sent yet<span aria-hidden>: {many(seconds, 'second')} left</span>.
        </span>
      </p>
      <Button variant="secondary" small runs={undo}>
        Undo<span className="sr-only">: {text}</span>
      </Button>
    </li>
  )
}

/** Whole seconds since `moment` (this browser's clock), counted while `isRunning`. */
function useSecondsSince(moment: number, isRunning: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  return Math.max(0, Math.floor((now - moment) / 1000))
}
