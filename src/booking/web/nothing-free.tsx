import arrowRight from '@lucide/icons/icons/arrow-right'
import { PhoneLink, useFacts } from '#content/web/facts.tsx'
import { formatDay } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { closureOn } from '#timetable/rules.ts'
import { hoursOf, useClasses, useClosures } from '#timetable/web/classes.ts'
import { emptyCalendar, useNextClassDay } from '#timetable/web/free-places.ts'
import { ButtonLink } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import type { Booking } from '../contract.ts'
import { rowState } from '../rules.ts'

/** In days, including the first. */
const LOOK_AHEAD = 14

/** A day with nothing to book: why, any closure, and the next free class. */
export default function NothingFree({
  day,
  isEmpty,
  ...shown
}: {
  day: string
  isEmpty: boolean
  bookings: readonly Booking[]
  now: Temporal.Instant
}) {
  const now = today(shown.now)
  return (
    <div className="mt-4 grid justify-items-center gap-4 text-center text-ink-soft">
      {isEmpty && <Closed day={day} />}
      <NextFree from={day > now ? day : now} {...shown} />
    </div>
  )
}

function Closed({ day }: { day: string }) {
  const closure = closureOn(day, useClosures())
  if (!closure) return null
  return (
    <p className="wrap-anywhere">
      The studio is closed{hoursOf(closure)}: {closure.reason}
    </p>
  )
}

/** The next class from a day on that the member can book; if there is none, the first from today on. */
function NextFree({ from, ...shown }: { from: string; bookings: readonly Booking[]; now: Temporal.Instant }) {
  const { bookings, now } = shown
  const first = today(now)
  const last = Temporal.PlainDate.from(from).add({ days: LOOK_AHEAD - 1 })
  const classes = useClasses(from, last.toString())
  if (!classes.data) return null
  const next = classes.data.find((listed) => rowState(listed, bookings, now) === 'available')
  if (next) {
    return (
      <ButtonLink
        to={`/booking?date=${next.date}&class=${next.id}`}
        replace
        variant="secondary"
        className="max-sm:px-4"
      >
        <span>
          Next free: <span className="whitespace-nowrap">{`${formatDay(next.date)}, ${next.startTime}`}</span>
        </span>
        <Icon of={arrowRight} />
      </ButtonLink>
    )
  }
  if (from > first) return <NextFree from={first} {...shown} />
  if (classes.data.length === 0) return <NoClasses />
  return (
    <p>
      Nothing is free in the next two weeks. Call us: <PhoneLink />
    </p>
  )
}

/** No class within the days that are read: the day of the next one, or that there is none yet. */
function NoClasses() {
  const facts = useFacts()
  const next = useNextClassDay()
  if (next === undefined) return null
  if (next === null) return <p>{emptyCalendar(facts)}</p>
  return (
    <ButtonLink to={`/booking?date=${next}`} replace variant="secondary">
      Next classes: {formatDay(next)}
    </ButtonLink>
  )
}
