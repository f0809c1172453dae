import arrowRight from '@lucide/icons/icons/arrow-right'
import { PhoneLink } from '../../content/web/facts.tsx'
import { formatDay } from '../../foundation/dates.ts'
import { today } from '../../foundation/instants.ts'
import { closureOn } from '../../timetable/rules.ts'
import { useClasses } from '../../timetable/web/classes.ts'
import { useClosures } from '../../timetable/web/closures.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Booking } from '../contract.ts'
import { rowState } from './row-state.ts'

/** How far ahead it looks, in days, today included. Ours. */
const LOOK_AHEAD = 14

/** What there is to say of a day on which the member can book nothing: why, where the studio is closed, and the way on. */
export default function NothingFree(shown: {
  day: string
  /** Whether no class is on that day. */
  isEmpty: boolean
  bookings: readonly Booking[]
  now: Temporal.Instant
}) {
  return (
    <div className="mt-4 grid justify-items-center gap-4 text-center text-ink-soft">
      {shown.isEmpty && <Closed day={shown.day} />}
      <NextFree {...shown} />
    </div>
  )
}

function Closed({ day }: { day: string }) {
  const closure = closureOn(day, useClosures())
  return closure ? <p className="wrap-anywhere">The studio is closed: {closure.reason}</p> : null
}

/** The next class that has a place for the member, one tap away. */
function NextFree({ bookings, now }: { bookings: readonly Booking[]; now: Temporal.Instant }) {
  const first = today(now)
  const last = Temporal.PlainDate.from(first).add({ days: LOOK_AHEAD - 1 })
  const classes = useClasses(first, last.toString())
  if (!classes.data) return null
  const next = classes.data.find((listed) => rowState(listed, bookings, now) === 'available')
  if (!next) {
    return (
      <p>
        Nothing is free in the next two weeks. Call us: <PhoneLink />
      </p>
    )
  }
  return (
    <ButtonLink to={`/booking?date=${next.date}&class=${next.id}`} replace variant="secondary">
      Next free: {formatDay(next.date)}, {next.startTime} <Icon of={arrowRight} aria-hidden strokeWidth={1.5} />
    </ButtonLink>
  )
}
