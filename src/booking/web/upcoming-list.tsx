import { useId, useState } from 'react'
import { formatLongDate, mondayOf } from '../../foundation/dates.ts'
import { Button } from '../../ui/button.tsx'
import type { Booking } from '../contract.ts'
import { CalmRow, LargeRow } from './upcoming-row.tsx'

/** As many are shown before the rest is asked for; ours. */
const SHOWN = 5

/**
 * Bookings to come, each with Reschedule and Cancel: the next ones as rows, those after them folded, week by week.
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
  const weeks = useId()
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
      {rows(bookings.slice(0, SHOWN), true)}
      {bookings.length > SHOWN && (
        <>
          <Button
            variant="secondary"
            small
            aria-expanded={isOpen}
            aria-controls={weeks}
            onClick={() => setOpen(!isOpen)}
            className="mt-3 sm:mt-4"
          >
            {isOpen ? 'Show fewer' : `Show all ${bookings.length}`}
          </Button>
          <div id={weeks}>
            {isOpen &&
              byWeek(bookings.slice(SHOWN)).map(([monday, some]) => (
                <section key={monday} aria-labelledby={`${weeks}-${monday}`} className="mt-6">
                  <h3 id={`${weeks}-${monday}`} className="mb-2 text-[0.9375rem] text-ink-mute">
                    Week of {formatLongDate(monday)}
                  </h3>
                  {rows(some)}
                </section>
              ))}
          </div>
        </>
      )}
    </>
  )
}

/** Bookings in their order, under the Monday of their week. */
function byWeek(bookings: readonly Booking[]): [monday: string, some: Booking[]][] {
  return [...Map.groupBy(bookings, (booking) => mondayOf(booking.class.date).toString())]
}
