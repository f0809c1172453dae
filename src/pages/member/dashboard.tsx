import arrowRight from '@lucide/icons/icons/arrow-right'
import { lazy, Suspense, useRef, useState } from 'react'
import { Link, type LoaderFunctionArgs, useLocation, useSearchParams } from 'react-router'
import type { CurrentUser } from '#accounts/contract.ts'
import { LogoutLink } from '#accounts/web/end-session.tsx'
import { MembersOnly } from '#accounts/web/members-only.tsx'
import { useMemberQuery, useSession } from '#accounts/web/session.ts'
import { bookingApi } from '#booking/web/api.ts'
import { BeginContext } from '#booking/web/begin.ts'
import { useBookings, useUpcomingBookings, useWaiting } from '#booking/web/bookings.ts'
import { useRegularBookings } from '#booking/web/regular/regular.ts'
import { OfferedPlaces } from '#booking/web/waiting/waiting-rows.tsx'
import { privateMeta } from '#content/seo.ts'
import type { MetaArguments } from '#content/site.ts'
import { useHealth } from '#health/web/health.ts'
import { passesApi, usePasses } from '#passes/web/passes.ts'
import { paymentsApi } from '#payments/web/api.ts'
import { useBeginBoxes } from '#payments/web/begin-boxes.tsx'
import { Breadcrumb } from '#ui/breadcrumb.tsx'
import { ArrowLink, ButtonLink, buttonClass, LineLink } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { BrowserOnly, late } from '#ui/late.tsx'
import { ArchTick } from '#ui/mark.tsx'
import { ReadFailed } from '#ui/query-view.tsx'
import { Skeleton, Spinner } from '#ui/spinner.tsx'
import { useIsHydrated } from '#ui/store.ts'
import { dropPackage } from '../resume/resumable.ts'
import { ResumeCard, useResumeLinks } from '../resume/resume-card.tsx'
import { loadMemberQueries } from '../shell/queries.tsx'
import { mayRunStudio, TODAY } from '../shell/site-links.ts'
import { DashboardDetailed } from './dashboard-detailed.tsx'
import { DashboardSummary } from './dashboard-summary.tsx'

const YourSignIn = lazy(() => import('#accounts/web/your-sign-in/your-sign-in.tsx'))
const YourDetails = lazy(() => import('#accounts/web/your-details.tsx'))
const NewsOffer = lazy(() => import('#mailings/web/news-offer.tsx'))
/** Set after a purchase only. */
const loadArrival = () => import('#payments/web/arrival.tsx')
const [PurchaseArrival] = late(async () => ({ default: (await loadArrival()).PurchaseArrival }))
const [PaymentsUnderway] = late(async () => ({ default: (await loadArrival()).PaymentsUnderway }))
const BACK = { to: '/dashboard', label: 'Back to Dashboard' }

const InvitationCard = lazy(() => import('#booking/web/companions/invitation.tsx'))
const TeacherDay = lazy(() => import('../admin/day/teacher-day.tsx'))

/** Views of the account itself, in place of the dashboard. */
const ACCOUNT_VIEWS: { [view: string]: typeof YourSignIn } = { 'sign-in': YourSignIn, profile: YourDetails }

export const meta = (args: MetaArguments) =>
  privateMeta(args, 'Dashboard', 'Your next classes, your passes and the credits that are left on them.')

export const loader = (args: LoaderFunctionArgs) =>
  loadMemberQueries(args, (queries) => [
    queries.prefetchQuery(bookingApi.listUpcomingBookings.queryOptions()),
    queries.prefetchQuery(passesApi.listPasses.queryOptions()),
    queries.prefetchQuery(bookingApi.listWaiting.queryOptions()),
    queries.prefetchQuery(bookingApi.listPaidPlaces.queryOptions()),
    queries.prefetchQuery(bookingApi.listRegularBookings.queryOptions()),
    ...(isDetailed(new URL(args.request.url).searchParams)
      ? [queries.prefetchQuery(bookingApi.listBookings.queryOptions())]
      : []),
  ])
export const clientLoader = () => null

const isDetailed = (query: URLSearchParams) => query.get('view') === 'detailed'

export default function Dashboard() {
  const shown = useDashboard()
  const [query] = useSearchParams()
  const Account = ACCOUNT_VIEWS[query.get('view') ?? '']
  if (!Account) {
    return (
      <MembersOnly>
        {(user) =>
          query.get('view') === 'today' && user.role !== 'member' ? (
            <div className="wrap pt-4 pb-section lg:pt-12">
              <Suspense fallback={<Spinner label="Loading..." />}>
                <TeacherDay user={user} />
              </Suspense>
            </div>
          ) : (
            <BeginContext value={useBeginBoxes}>
              <DashboardPage user={user} shown={shown} />
            </BeginContext>
          )
        }
      </MembersOnly>
    )
  }
  return (
    <MembersOnly>
      {() => (
        <div className="wrap pt-3 pb-section sm:pt-8 lg:pt-12">
          <BrowserOnly fallback={<Spinner label="Loading..." />}>
            <Account back={BACK} />
          </BrowserOnly>
        </div>
      )}
    </MembersOnly>
  )
}

/** Two layouts, switched in the address: Summary, and `?view=detailed`. */
function useDashboard() {
  const { user } = useSession()
  const [query] = useSearchParams()
  const detailed = isDetailed(query)
  const upcoming = useUpcomingBookings()
  // Perhaps a new member: only then fetch earlier bookings and the health information.
  const isIdle = upcoming.data?.length === 0 && (user === undefined || user.role === 'member')
  const history = useBookings({ enabled: detailed || isIdle })
  const health = useHealth({ enabled: isIdle })
  const isBeginning = isIdle && history.data?.length === 0 && !health.isPending && !health.error
  return {
    detailed,
    upcoming,
    passes: usePasses(),
    waiting: useWaiting(),
    paid: useMemberQuery(bookingApi.listPaidPlaces.queryOptions()),
    regular: useRegularBookings(),
    // Not cached, because a payment may have arrived since the last visit.
    underway: useMemberQuery({ ...paymentsApi.listPaymentsUnderway.queryOptions(), gcTime: 0 }),
    history,
    beginning: isBeginning ? { health: health.isComplete } : undefined,
    isPending: isIdle && (history.isPending || (history.data?.length === 0 && health.isPending)),
  }
}

function DashboardPage({ user, shown }: { user: CurrentUser; shown: ReturnType<typeof useDashboard> }) {
  const { detailed, upcoming, passes, waiting, paid, regular, history, beginning } = shown
  const ways = useResumeLinks(user)
  const { state } = useLocation()
  const [query] = useSearchParams()
  const [isArriving] = useState(() => query.has('payment_intent') || Boolean(state?.purchased))
  const failed =
    upcoming.error ?? passes.error ?? waiting.error ?? paid.error ?? regular.error ?? (detailed ? history.error : null)
  // Only before the first render: a later refetch must not hide the page.
  const isRendered = useRef(false)
  const isPending = !isRendered.current && (shown.isPending || ways.isPending)
  const isReady =
    !isPending &&
    upcoming.data &&
    passes.data &&
    waiting.data &&
    paid.data &&
    regular.data &&
    (!detailed || history.data)
  if (isReady) isRendered.current = true
  const data = isReady &&
    !failed && {
      isAdmin: user.isAdmin,
      upcoming: upcoming.data,
      waiting: waiting.data,
      paid: paid.data,
      regulars: regular.data,
      passes: passes.data,
      steps: beginning && <FirstSteps hasHealth={beginning.health} hasPass={passes.data.length > 0} />,
    }

  return (
    <div className="wrap pt-2 pb-3 sm:pt-8 sm:pb-section lg:pt-12">
      <Breadcrumb items={[{ label: 'Dashboard' }]} />
      {mayRunStudio(user) && <WorkLink to="/admin" title="Admin" text="Today’s classes, bookings and members" />}
      {user.role === 'teacher' && <WorkLink to={TODAY} title="Today" text="Today’s people and tomorrow’s list" />}
      {isArriving && <PurchaseArrival onThanks={dropPackage} />}
      {shown.underway.data?.length ? <PaymentsUnderway underway={shown.underway.data} /> : null}
      {!isPending && <ResumeCard {...ways} />}
      <div className="mt-2 flex flex-wrap items-start justify-between gap-x-4 gap-y-2.5 sm:mt-5 sm:items-center sm:gap-y-2">
        <Greeting detailed={detailed} firstName={user.firstName} />
        <div className="max-sm:order-2 max-sm:basis-full sm:ml-auto">
          <ViewSwitch detailed={detailed} />
        </div>
        {detailed && !failed && (
          <LogoutLink className={`max-sm:order-1 ${buttonClass({ variant: 'secondary', small: true })}`}>
            Logout
          </LogoutLink>
        )}
      </div>
      <Invitation />
      {isReady && <OfferedPlaces entries={waiting.data} />}
      {failed && (
        <ReadFailed
          title="Your dashboard could not be loaded."
          error={failed}
          onAgain={() => {
            for (const read of [upcoming, passes, waiting, paid, regular, history])
              if (read.isError) void read.refetch()
          }}
        />
      )}
      {!failed && !isReady && <DashboardSkeleton />}
      {data && detailed && <DashboardDetailed {...data} bookings={history.data ?? []} />}
      {data && !detailed && <DashboardSummary {...data} />}
      {isReady && (
        <p className="mt-3 flex flex-wrap gap-x-6 border-t border-line pt-1 sm:mt-14 sm:pt-4">
          <LineLink to="/dashboard?view=profile">Your details</LineLink>
          <LineLink to="/dashboard?view=sign-in">Devices and password</LineLink>
          <LineLink to="/health#your-data">Your data</LineLink>
        </p>
      )}
      {isReady && user.role === 'member' && upcoming.data.length > 0 && (
        <BrowserOnly>
          <NewsOffer />
        </BrowserOnly>
      )}
    </div>
  )
}

/** The server does not know the part of the address after #. */
function Invitation() {
  const { hash } = useLocation()
  const token = useIsHydrated() && new URLSearchParams(hash.slice(1)).get('invitation')
  if (!token) return null
  return (
    <div className="my-6 rounded-card bg-linen p-5 sm:p-8">
      <Suspense fallback={<Spinner label="Loading your invitation" />}>
        <InvitationCard token={token} />
      </Suspense>
    </div>
  )
}

function WorkLink({ to, title, text }: { to: string; title: string; text: string }) {
  return (
    <Link
      to={to}
      prefetch="intent"
      className="mt-3 mb-5 flex items-center justify-between gap-4 rounded-card bg-sage-dark px-5 py-5 text-paper sm:mt-5 sm:px-7 sm:py-6"
    >
      <span>
        <span className="block font-serif text-[1.75rem]/[1.1]">{title}</span>
        <span className="mt-1 block text-small text-stone">{text}</span>
      </span>
      <Icon of={arrowRight} size={24} />
    </Link>
  )
}

function Greeting({ detailed, firstName }: { detailed: boolean; firstName: string | null }) {
  return (
    <div className="min-w-0 flex-1">
      <h1 className="font-serif text-[2rem]/[1.05] tracking-[-0.01em] wrap-break-word sm:text-5xl">
        {detailed ? 'My Dashboard' : `Hello, ${firstName || 'there'}`}
      </h1>
      {detailed && <p className="mt-1 wrap-break-word text-ink-soft sm:mt-2">Welcome back, {firstName || 'Member'}</p>}
    </div>
  )
}

function ViewSwitch({ detailed }: { detailed: boolean }) {
  const linkClass =
    'grid min-h-11 place-items-center rounded-full px-5 text-ink-soft transition-colors aria-[current=true]:bg-paper aria-[current=true]:text-ink aria-[current=true]:shadow-rest'
  return (
    <nav aria-label="Dashboard layout" className="inline-flex rounded-full bg-sand p-1 text-small font-medium">
      <Link to="/dashboard" replace aria-current={detailed ? undefined : 'true'} className={linkClass}>
        Summary
      </Link>
      <Link to="/dashboard?view=detailed" replace aria-current={detailed ? 'true' : undefined} className={linkClass}>
        Detailed
      </Link>
    </nav>
  )
}

function DashboardSkeleton() {
  return (
    <div role="status" className="mt-5 grid gap-8 sm:mt-8">
      <span className="sr-only">Loading...</span>
      <div className="grid grid-cols-2 gap-x-4 gap-y-2 sm:gap-y-4 md:grid-cols-4">
        {['credits', 'next', 'passes', 'month'].map((figure) => (
          <Skeleton key={figure} className="h-14 sm:h-28" />
        ))}
      </div>
      <Skeleton className="h-48 sm:h-64" />
    </div>
  )
}

/** The steps before a first booking, each with its state. The next one has the primary button. */
function FirstSteps({ hasHealth, hasPass }: { hasHealth: boolean; hasPass: boolean }) {
  const steps = [
    { title: 'Health information', isDone: hasHealth, to: '/health', action: 'Tell us about your health' },
    { title: 'Class pass', isDone: hasPass, to: '/pricing', action: 'Choose a pass' },
    { title: 'First booking', isDone: false, to: '/booking', action: 'Choose a time' },
  ]
  const next = steps.findIndex(({ isDone }) => !isDone)
  return (
    <section aria-labelledby="first-steps" className="mt-8 rounded-card bg-linen px-5 py-5 sm:px-7">
      <h2 id="first-steps" className="text-body font-medium">
        Three steps to your first class
      </h2>
      <ol className="mt-3 grid gap-x-8 sm:grid-cols-3">
        {steps.map(({ title, isDone, to, action }, i) => (
          <li key={title} className="grid grid-cols-[32px_minmax(0,1fr)] gap-x-3 border-t border-line py-3">
            {isDone ? (
              <ArchTick size={34} className="-ml-1 text-ok" />
            ) : (
              <span
                aria-hidden
                className="mt-0.5 grid h-7 w-6.5 place-items-center rounded-t-full border border-line-strong text-small text-ink-soft"
              >
                {i + 1}
              </span>
            )}
            <div>
              <p className="flex flex-wrap justify-between gap-x-3">
                {title}{' '}
                <span className={`text-small ${isDone ? 'text-ok' : 'text-ink-mute'}`}>
                  {isDone ? 'Done' : 'To do'}
                </span>
              </p>
              {i === next ? (
                <ButtonLink to={to} small className="mt-1.5">
                  {action}
                </ButtonLink>
              ) : (
                !isDone && <ArrowLink to={to}>{action}</ArrowLink>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
