import { useQuery } from '@tanstack/react-query'
import { type ComponentType, lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import type { CurrentUser } from '#accounts/contract.ts'
import { LogoutLink } from '#accounts/web/end-session.tsx'
import { RequireUser } from '#accounts/web/members-only.tsx'
import { privateMeta } from '#content/seo.ts'
import type { MetaArguments } from '#content/site.ts'
import { many } from '#foundation/collections.ts'
import { temporalReady } from '#foundation/temporal.ts'
import type { Undoable } from '#schedule/contract.ts'
import { scheduleApi } from '#schedule/web/api.ts'
import { timetableApi } from '#timetable/web/api.ts'
import { Breadcrumb } from '#ui/breadcrumb.tsx'
import { Button, ButtonLink, buttonClass } from '#ui/button.tsx'
import { PageSpinner, Spinner } from '#ui/spinner.tsx'
import { STALE, useAdminMutation } from './admin-mutation.ts'

export const meta = (args: MetaArguments) => privateMeta(args, 'Admin')

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
    <div className="wrap pt-8 pb-section lg:pt-12">
      <Suspense fallback={<Spinner label="Loading..." />}>
        <View />
      </Suspense>
    </div>
  )
}

function Tabs() {
  const [query] = useSearchParams()
  const tab = TABS.find((name) => name === query.get('tab')) ?? 'Overview'
  const Panel = PANELS[tab]
  const section = useRef<HTMLElement>(null)
  return (
    // The rail is in the left margin, so that the panel aligns with the header.
    <div className="workroom wrap pt-8 pb-section max-md:pt-4 max-md:pb-8 lg:pt-12 min-[107.5rem]:mr-0 min-[107.5rem]:ml-[calc(50%-792px)] min-[107.5rem]:grid min-[107.5rem]:w-auto min-[107.5rem]:max-w-[1408px] min-[107.5rem]:grid-cols-[160px_1232px] min-[107.5rem]:gap-x-4 min-[107.5rem]:px-0">
      <div className="flex items-center justify-between gap-4 max-sm:flex-col max-sm:items-stretch max-sm:gap-0 min-[107.5rem]:col-start-2">
        <div>
          <Breadcrumb items={[{ label: 'Admin' }]} />
          <h1 className="mt-1 font-serif text-[2.25rem]/[1.05] tracking-[-0.01em]">Admin</h1>
        </div>
        <div className="flex flex-wrap justify-between gap-x-3 sm:max-md:gap-x-6 max-md:[&>.btn]:border-0 max-md:[&>.btn]:px-0 max-md:[&>.btn]:text-caption max-md:[&>.btn]:underline max-md:[&>.btn]:underline-offset-4">
          <ButtonLink to="/admin?view=messages" variant="secondary" small>
            Messages
          </ButtonLink>
          <ButtonLink to="/admin?view=settings" variant="secondary" small>
            Studio settings
          </ButtonLink>
          <ButtonLink to="/admin?view=sign-in" variant="secondary" small>
            My sign-in
          </ButtonLink>
          <LogoutLink className={buttonClass({ variant: 'secondary', small: true })}>Logout</LogoutLink>
        </div>
      </div>
      <TabStrip tab={tab} />
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

/** A pressed tab looks selected immediately, while its code loads. */
function TabStrip({ tab }: { tab: AdminTab }) {
  const [pressed, setPressed] = useState<AdminTab>()
  const { key } = useLocation()
  const strip = useRef<HTMLElement>(null)
  const more = useMore(strip)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation ends the press
  useEffect(() => setPressed(undefined), [key])
  // On a phone the strip is wider than the screen: scroll to the current tab on arrival and when the phone is turned.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tab is what the strip follows
  useEffect(() => {
    const row = strip.current
    const current = row?.querySelector<HTMLElement>('[aria-current]')
    if (!row || !current) return
    const show = () => {
      row.scrollLeft = current.offsetLeft - row.offsetWidth / 3
    }
    show()
    const resized = new ResizeObserver(show)
    resized.observe(row)
    return () => resized.disconnect()
  }, [tab])
  return (
    <nav
      ref={strip}
      aria-label="Admin"
      data-before={more.before || undefined}
      data-after={more.after || undefined}
      className="relative -mx-5 mt-6 flex gap-0.5 overflow-x-auto bg-linen mask-[linear-gradient(to_right,transparent,#000_var(--before,0px),#000_calc(100%-var(--after,0px)),transparent)] px-5 py-1.5 [scrollbar-width:none] data-after:[--after:44px] data-before:[--before:44px] max-md:mt-2 sm:mx-0 sm:rounded-full sm:px-1.5 lg:gap-1 min-[107.5rem]:sticky min-[107.5rem]:top-24 min-[107.5rem]:mt-8 min-[107.5rem]:flex-col min-[107.5rem]:self-start min-[107.5rem]:rounded-card min-[107.5rem]:p-2"
    >
      {TABS.map((name) => (
        <Link
          key={name}
          to={name === 'Overview' ? '/admin' : `/admin?tab=${encodeURIComponent(name)}`}
          preventScrollReset
          aria-current={name === tab ? 'page' : undefined}
          data-shown={name === (pressed ?? tab) || undefined}
          onClick={({ ctrlKey, metaKey, shiftKey }) => {
            if (!ctrlKey && !metaKey && !shiftKey) setPressed(name)
          }}
          className="grid min-h-11 flex-none place-items-center rounded-full px-5 sm:max-lg:px-3.5 min-[107.5rem]:justify-items-start min-[107.5rem]:px-4 text-small font-medium whitespace-nowrap text-ink-soft hover:text-ink data-shown:bg-paper data-shown:text-ink data-shown:shadow-rest"
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}

/** The sides on which a scrolling row continues. */
function useMore(row: RefObject<HTMLElement | null>) {
  const [more, setMore] = useState({ before: false, after: false })
  useEffect(() => {
    const element = row.current
    if (!element) return
    const look = () => {
      const left = element.scrollWidth - element.clientWidth - element.scrollLeft
      setMore({ before: element.scrollLeft > 4, after: left > 4 })
    }
    const resized = new ResizeObserver(look)
    resized.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [row])
  return more
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
    stale: [...STALE, timetableApi.listClosures],
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
      <Button variant="secondary" small busy={undo.isPending} onClick={() => undo.mutate()}>
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
