import { useId, useState } from 'react'
import { formatLongDate, mondayOf } from '#foundation/dates.ts'
import { Button } from '#ui/button.tsx'
import type { Booking } from '../contract.ts'
import { CalmRow, LargeRow } from './upcoming-row.tsx'

/** As many are shown before the rest is asked for; ours. */
const SHOWN = 5

/**
 * Bookings to come, each with Reschedule and Cancel: the next ones as rows; all of them, once asked for, week by week.
 *
 * @param props.badge with the status beside each
 * @param props.nextLarge the next one stands out as a card
 */
export function UpcomingList({
  bookings,
  badge = false,
  nextLarge = false,
}: {
  bookings: readonly Booking[]
  badge?: boolean
  nextLarge?: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  const list = useId()
  const rows = (some: readonly Booking[], isFirst = false) => (
    <ul className={isFirst && nextLarge ? '' : 'border-t border-line'}>
      {some.map((booking, i) => {
        const Row = isFirst && nextLarge && i === 0 ? LargeRow : CalmRow
        return <Row key={booking.id} booking={booking} badge={badge} />
      })}
    </ul>
  )
  return (
    <>
      <div id={list}>
        {isOpen
          ? byWeek(bookings).map(([monday, some], i) => (
              <section key={monday} aria-labelledby={`${list}-${monday}`} className="mt-6 first:mt-0">
                <h3 id={`${list}-${monday}`} className="mb-2 text-[0.9375rem] text-ink-mute">
                  Week of {formatLongDate(monday)}
                </h3>
                {rows(some, i === 0)}
              </section>
            ))
          : rows(bookings.slice(0, SHOWN), true)}
      </div>
      {bookings.length > SHOWN && (
        <Button
          variant="secondary"
          small
          aria-expanded={isOpen}
          aria-controls={list}
          onClick={() => setOpen(!isOpen)}
          className="mt-3 sm:mt-4"
        >
          {isOpen ? 'Show fewer' : `Show all ${bookings.length}`}
        </Button>
      )}
    </>
  )
}

/** Bookings in their order, under the Monday of their week. */
function byWeek(bookings: readonly Booking[]): [monday: string, some: Booking[]][] {
  return [...Map.groupBy(bookings, (booking) => mondayOf(booking.class.date).toString())]
}
