import { useId, useState } from 'react'
import { useFacts } from '#content/web/facts.tsx'
import { formatLongDate, mondayOf } from '#foundation/dates.ts'
import { Button } from '#ui/button.tsx'
import { WholeWords } from '#ui/whole-words.tsx'
import type { Booking } from '../contract.ts'
import { StatusBadge } from './badges.tsx'
import { CancelButton, RescheduleButton } from './booking-actions.tsx'
import { BookingMenu } from './booking-menu.tsx'
import { CompanionLine } from './companions/companion-line.tsx'
import { OtherTeacherNote } from './other-teacher-note.tsx'
import { JustCancelled } from './undo-row.tsx'

const SHOWN = 5

/**
 * Future bookings, each with Reschedule and Cancel; those cancelled a moment ago with Undo. The first ones as rows; all
 * of them, on demand, by week.
 *
 * @param props.badge show the status
 */
export function UpcomingList({ bookings, badge = false }: { bookings: readonly Booking[]; badge?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const list = useId()
  const rows = (some: readonly Booking[]) => (
    <ul className="border-t border-line">
      {some.map((booking) => {
        if (booking.status === 'cancelled')
          return (
            <li key={booking.id} className="border-b border-line py-2.5">
              <JustCancelled booking={booking} />
            </li>
          )
        return <Row key={booking.id} booking={booking} badge={badge} />
      })}
    </ul>
  )
  return (
    <>
      <div id={list}>
        {isOpen
          ? byWeek(bookings).map(([monday, some]) => (
              <section key={monday} aria-labelledby={`${list}-${monday}`} className="mt-6 first:mt-0">
                <h3 id={`${list}-${monday}`} className="mb-2 text-small text-ink-mute">
                  Week of {formatLongDate(monday)}
                </h3>
                {rows(some)}
              </section>
            ))
          : rows(bookings.slice(0, SHOWN))}
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

/** Grouped by the Monday of their week. */
function byWeek(bookings: readonly Booking[]): [monday: string, some: Booking[]][] {
  return [...Map.groupBy(bookings, (booking) => mondayOf(booking.class.date).toString())]
}

type Shown = { booking: Booking; badge: boolean }

function Row({ booking, badge }: Shown) {
  const { title, date, startTime, endTime, instructorName } = booking.class
  const { teachers } = useFacts()
  return (
    <li className="grid grid-cols-[3.375rem_minmax(0,1fr)_auto] gap-x-3 border-b border-line py-2.5 sm:grid-cols-[104px_minmax(0,1fr)_auto] sm:gap-x-6 sm:py-4">
      <p className="figure text-2xl sm:text-[2rem]">
        {startTime}
        <span className="block font-sans text-fine/snug tracking-normal whitespace-nowrap text-ink-mute">
          to {endTime}
        </span>
      </p>
      <div className="min-w-0">
        <p className="line-clamp-2 text-base/snug font-medium wrap-break-word sm:text-body/snug" title={title}>
          <WholeWords text={title} />
        </p>
        <p className="text-small text-ink-soft">
          {formatLongDate(date)}
          <span className={`text-ink-mute ${teachers.length > 0 ? '' : 'max-sm:hidden'}`}> with {instructorName}</span>
        </p>
      </div>
      <div className="-my-1.5 max-sm:-mr-3">
        <BookingMenu booking={booking} />
      </div>
      <div className="col-span-full mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 sm:col-start-2">
        <RescheduleButton booking={booking} />
        <CancelButton booking={booking} />
        {badge && <StatusBadge status={booking.status} />}
        <CompanionLine booking={booking} />
        {booking.movedFrom && <MovedNote from={booking.movedFrom} />}
        {booking.bookedWith && <OtherTeacherNote booking={booking} />}
      </div>
    </li>
  )
}

function MovedNote({ from }: { from: NonNullable<Booking['movedFrom']> }) {
  return (
    <p className="-order-1 mb-1 basis-full text-small/even text-clay">
      <span className="block max-w-[60ch]">
        Moved by the studio from {formatLongDate(from.date)}, {from.startTime} - {from.endTime}. Until it starts you can
        cancel and keep your credit.
      </span>
    </p>
  )
}
