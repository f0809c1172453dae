import { useEffect, useRef, useState } from 'react'
import { type LoaderFunctionArgs, useSearchParams } from 'react-router'
import type { User } from '#accounts/contract.ts'
import { MembersOnly } from '#accounts/web/members-only.tsx'
import { useIsGuest } from '#accounts/web/session.ts'
import { type RowState, rowState } from '#booking/rules.ts'
import { bookingApi } from '#booking/web/api.ts'
import { BeginContext } from '#booking/web/begin.ts'
import { useBookings, useWaiting } from '#booking/web/bookings.ts'
import { DayList } from '#booking/web/day-list.tsx'
import { dayInWeek, freeDays, openingDay, WeekStrip, weekOf } from '#booking/web/week-strip.tsx'
import { privateMeta } from '#content/seo.ts'
import type { MetaArguments } from '#content/site.ts'
import { addDays, formatLongDate } from '#foundation/dates.ts'
import { dateOr, today } from '#foundation/instants.ts'
import { fetchBeginBox, useBeginBoxes } from '#payments/web/begin-boxes.tsx'
import type { StudioClass } from '#timetable/contract.ts'
import { classesOfDays, useClasses } from '#timetable/web/classes.ts'
import { Breadcrumb } from '#ui/breadcrumb.tsx'
import { Button } from '#ui/button.tsx'
import { late } from '#ui/late.tsx'
import { useNow } from '#ui/use-now.ts'
import { dropVisit, keepClass, keepDay } from '../resume/resumable.ts'
import { loadMemberQueries } from '../shell/queries.tsx'

const [BookingDialog, fetchDialog] = late(() => import('#booking/web/booking-dialog.tsx'))
const [WaitingDialog, fetchWaiting] = late(() => import('#booking/web/waiting/waiting-dialog.tsx'))
const [NothingFree] = late(() => import('#booking/web/nothing-free.tsx'))
// Loads with the page, so that an early tap waits for it. If it fails, the tap tries again.
if (!import.meta.env.SSR)
  Promise.all([fetchDialog(), fetchBeginBox()])
    .then(fetchWaiting)
    .catch(() => {})

export const meta = (args: MetaArguments) =>
  privateMeta(args, 'Book Your Class', 'Choose a day and a time, and book your place in a class.')

export const loader = (args: LoaderFunctionArgs) =>
  loadMemberQueries(args, (queries, now) => {
    const asked = new URL(args.request.url).searchParams.get('date')
    const week = (date: string) => {
      const days = weekOf(date)
      return classesOfDays(days[0] as string, days[6] as string)
    }
    const classes = async () => {
      const shown = week(dateOr(asked, today(now)))
      await queries.prefetchQuery(shown)
      const read = queries.getQueryData(shown.queryKey)
      if (!asked && read && !openingDay(read, now)) await queries.prefetchQuery(week(weekLater(today(now))))
    }
    return [
      classes(),
      queries.prefetchQuery(bookingApi.listBookings.queryOptions()),
      queries.prefetchQuery(bookingApi.listWaiting.queryOptions()),
    ]
  })
/** No data on client-side navigation: the page fetches it from the API. */
export const clientLoader = () => null

/** Starts the query together with the session's, not after it. */
export default function Booking() {
  const week = useWeek()
  useKeepForGuest(week.selected)
  return (
    <BeginContext value={useBeginBoxes}>
      <MembersOnly>{(user) => <BookingPage user={user} week={week} />}</MembersOnly>
    </BeginContext>
  )
}

/** A guest who opened a day can return to it after logging in. */
function useKeepForGuest(date: string): void {
  const [query] = useSearchParams()
  const isGuest = useIsGuest()
  const isAsked = query.has('date')
  const classId = Number(query.get('class')) || undefined
  useEffect(() => {
    if (isGuest && isAsked) keepDay({ date, classId })
  }, [isGuest, isAsked, date, classId])
}

/** The selected day is in the address, so reload and Back keep it. */
function useWeek() {
  const now = useNow()
  const [query] = useSearchParams()
  const opening = useOpeningDay(!query.has('date'), now)
  const selected = dateOr(query.get('date'), opening)
  const days = weekOf(selected)
  const classes = useClasses(days[0] as string, days[6] as string)
  return { now, selected, days, classes, bookings: useBookings(), waiting: useWaiting() }
}

const weekLater = (date: string) => addDays(date, 7)

/** The first day with something to book in this week and the next. It stays until midnight, even if a class starts. */
function useOpeningDay(isWanted: boolean, now: Temporal.Instant): string {
  const [found, setFound] = useState<{ onDay: string; opens: string }>()
  const day = today(now)
  const opens = found?.onDay === day ? found.opens : undefined
  const [days, later] = [weekOf(day), weekOf(weekLater(day))]
  const soon = useClasses(days[0] as string, days[6] as string, { enabled: isWanted })
  const inThisWeek = opens ?? (isWanted && soon.data ? openingDay(soon.data, now) : undefined)
  const isLater = isWanted && soon.data !== undefined && !inThisWeek
  const next = useClasses(later[0] as string, later[6] as string, { enabled: isLater })
  const opening = inThisWeek ?? (isLater && next.data ? (openingDay(next.data, now) ?? day) : undefined)
  if (opening && opening !== opens) setFound({ onDay: day, opens: opening })
  return opening ?? day
}

function BookingPage({ user, week }: { user: User; week: ReturnType<typeof useWeek> }) {
  const { now, selected, days, classes, bookings, waiting } = week
  const [, setQuery] = useSearchParams()
  const [chosen, setChosen] = useState<StudioClass>()
  const [awaited, setAwaited] = useState<StudioClass>()
  const choose = (listed: StudioClass, open: (listed: StudioClass) => void) => {
    keepClass({ date: listed.date, classId: listed.id }, user.id)
    open(listed)
  }
  const close = ({ isFinished }: { isFinished: boolean }) => {
    if (isFinished) dropVisit()
    setChosen(undefined)
    setAwaited(undefined)
  }
  useClassFromAddress(week, (listed, state) => {
    if (state === 'available') choose(listed, setChosen)
    if (state === 'full') choose(listed, setAwaited)
  })
  const select = (date: string) => setQuery({ date }, { replace: true, preventScrollReset: true })
  const shown = classes.data?.filter(({ date }) => date === selected) ?? []
  const states = shown.map((listed) => rowState(listed, bookings.data ?? [], now, waiting.data))
  const free = classes.data && freeDays(classes.data, [], now)

  return (
    <div className="wrap pt-2 pb-3 sm:pt-6 sm:pb-section lg:pt-10">
      <Breadcrumb items={[{ label: 'Book a Class' }]} />
      <h1 className="mt-1 font-serif text-[2rem]/[1.05] tracking-[-0.01em] sm:mt-5 sm:text-5xl">Book Your Class</h1>
      <p className="mt-1 text-ink-soft max-sm:text-small/normal sm:mt-2">
        Choose your preferred time and secure your spot
      </p>
      <section
        aria-labelledby="select"
        className="card mt-2 max-sm:rounded-none max-sm:bg-transparent max-sm:shadow-none sm:mt-8 sm:p-8"
      >
        <div className="mb-2 flex flex-wrap items-center justify-between gap-x-2 gap-y-1 sm:mb-7 sm:gap-4">
          <h2 id="select" className="text-base font-medium sm:text-body">
            Select Date & Time
          </h2>
          <div className="flex flex-wrap gap-1.5 max-sm:[&>.btn]:min-h-9 max-sm:[&>.btn]:px-2.5 max-sm:[&>.btn]:py-1 max-sm:[&>.btn]:text-fine sm:gap-2">
            <Button variant="secondary" small>
              All Activities
            </Button>
            <Button variant="secondary" small>
              Instructor
            </Button>
          </div>
        </div>
        <WeekStrip
          days={days}
          selected={selected}
          today={today(now)}
          free={free}
          onSelect={select}
          onMove={(weeks) => select(dayInWeek(selected, weeks, now))}
        />
        <h3 className="mt-2 mb-1 text-small/normal text-ink-soft sm:mt-8 sm:mb-3">{formatLongDate(selected)}</h3>
        <div className="min-h-[320px] sm:min-h-[220px]">
          <DayList
            day={selected}
            classes={classes}
            bookings={bookings.data ?? (bookings.isError ? [] : undefined)}
            waiting={waiting.data ?? (waiting.isError ? [] : undefined)}
            onChoose={(listed) => choose(listed, setChosen)}
            onWait={(listed) => choose(listed, setAwaited)}
          />
          {classes.data && !states.includes('available') && (
            <NothingFree day={selected} isEmpty={states.length === 0} bookings={bookings.data ?? []} now={now} />
          )}
        </div>
      </section>
      {chosen && (
        <BookingDialog
          chosen={chosen}
          user={user}
          canStillBook={shown.some(({ id }, i) => id === chosen.id && states[i] === 'available')}
          onClose={() => close({ isFinished: true })}
          onDone={(isBooked) => close({ isFinished: isBooked })}
        />
      )}
      {awaited && (
        <WaitingDialog
          awaited={awaited}
          entry={waiting.data?.find(({ classId }) => classId === awaited.id)}
          onClose={() => close({ isFinished: true })}
        />
      )}
    </div>
  )
}

/** Opens the class in the address (`?date=…&class=…`) once its state is known, and removes it from the address. */
function useClassFromAddress(
  { now, selected, classes, bookings, waiting }: ReturnType<typeof useWeek>,
  open: (listed: StudioClass, state: RowState) => void,
): void {
  const [query, setQuery] = useSearchParams()
  const asked = query.get('class')
  const [wanted, setWanted] = useState<number>()
  const latest = useRef(open)
  latest.current = open
  useEffect(() => {
    if (!asked) return
    setWanted(Number(asked))
    setQuery({ date: selected }, { replace: true, preventScrollReset: true })
  }, [asked, selected, setQuery])
  useEffect(() => {
    if (asked || wanted === undefined || !classes.data || !bookings.data || waiting.isPending) return
    setWanted(undefined)
    const listed = classes.data.find(({ id }) => id === wanted)
    if (listed) latest.current(listed, rowState(listed, bookings.data, now, waiting.data))
  }, [asked, wanted, classes.data, bookings.data, waiting, now])
}
