import { formatDay, formatLongDate } from '../../foundation/dates.ts'
import type { Booking } from '../contract.ts'
import { AddToCalendar } from './add-to-calendar.tsx'
import { StatusBadge } from './badges.tsx'
import { BookingActions, CancelButton } from './cancel-button.tsx'
import { RescheduleButton } from './reschedule-button.tsx'

type Shown = { booking: Booking; badge: boolean }

/** The next booking, as a card with all there is to say. */
export function LargeRow({ booking, badge }: Shown) {
  const { title, date, startTime, endTime, instructorName } = booking.class
  return (
    <li className="mb-1 grid grid-cols-[84px_minmax(0,1fr)] gap-x-4 gap-y-3 rounded-card bg-linen px-4 py-3 sm:grid-cols-[104px_minmax(0,1fr)] sm:gap-x-6 sm:p-7">
      <p className="figure text-[2.25rem]">
        {startTime}
        <span className="block font-sans text-[0.875rem]/[1.4] tracking-normal text-ink-mute">to {endTime}</span>
      </p>
      <div className="min-w-0">
        <p className="leading-[1.4] font-medium break-words">{title}</p>
        <p className="text-[0.9375rem] text-ink-soft">{formatLongDate(date)}</p>
        <p className="text-[0.9375rem] text-ink-mute">with {instructorName}</p>
        {badge && <StatusBadge status={booking.status} />}
        {booking.movedFrom && <MovedNote from={booking.movedFrom} />}
      </div>
      <div className="col-start-2 max-sm:col-span-full max-sm:col-start-1">
        <Actions booking={booking} />
      </div>
    </li>
  )
}

/** A booking after the next: two lines on a phone, one on a desk. */
export function CalmRow({ booking, badge }: Shown) {
  const { title, date, startTime, endTime } = booking.class
  return (
    <li className="grid grid-cols-[3.375rem_minmax(0,1fr)] items-baseline gap-x-3 border-b border-line pt-1.5 [&_.badge]:px-2 [&_.badge]:py-1 sm:grid-cols-[104px_minmax(0,1fr)] sm:gap-x-6 sm:pb-2.5">
      <p className="figure text-2xl sm:row-span-2">
        {startTime}
        <span className="block font-sans text-[0.875rem]/[1.4] tracking-normal text-ink-mute max-sm:hidden">
          to {endTime}
        </span>
      </p>
      <p className="text-base/[1.4] font-medium break-words">{title}</p>
      <div className="col-span-full flex flex-wrap items-center gap-x-2 text-[0.8125rem] text-ink-soft sm:col-start-2 sm:text-[0.9375rem]">
        <p className={badge ? '' : 'mr-auto'}>{formatDay(date)}</p>
        {badge && (
          <div className="mr-auto">
            <StatusBadge status={booking.status} />
          </div>
        )}
        <Actions booking={booking} calm />
        {booking.movedFrom && <MovedNote from={booking.movedFrom} />}
      </div>
    </li>
  )
}

function Actions({ booking, calm = false }: { booking: Booking; calm?: boolean }) {
  return (
    <BookingActions>
      <RescheduleButton booking={booking} calm={calm} />
      <CancelButton booking={booking} calm={calm} />
      <AddToCalendar booking={booking} calm={calm} />
    </BookingActions>
  )
}

/** What the studio did to a class that somebody had booked, and what they may do about it. */
function MovedNote({ from }: { from: NonNullable<Booking['movedFrom']> }) {
  return (
    <p className="mt-1 mb-2 basis-full text-[0.9375rem]/[1.45] text-clay">
      <span className="block max-w-[60ch]">
        Moved by the studio from {formatLongDate(from.date)}, {from.startTime} - {from.endTime}. Until it starts you can
        cancel and keep your credit.
      </span>
    </p>
  )
}
