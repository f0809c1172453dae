import calendarPlus from '@lucide/icons/icons/calendar-plus'
import { useId, useState } from 'react'
import { useFacts } from '#content/web/facts.tsx'
import { addressLine } from '#facts/rules.ts'
import { formatDay, formatLongDate, mondayOf } from '#foundation/dates.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import type { Booking } from '../contract.ts'
import { StatusBadge } from './badges.tsx'
import { BookingActions, CancelButton, RescheduleButton } from './booking-actions.tsx'
import { calendarLinks } from './calendar-links.ts'
import { AddCompanion, CompanionLine } from './companions/companion-line.tsx'
import { EveryWeek } from './regular/every-week.tsx'
import { JustCancelled } from './undo-row.tsx'

const SHOWN = 5

/**
 * Future bookings, each with Reschedule and Cancel; those cancelled a moment ago with Undo. The first ones as rows; all
 * of them, on demand, by week.
 *
 * @param props.badge show the status
 * @param props.nextLarge show the next one as a card
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
        if (booking.status === 'cancelled')
          return (
            <li key={booking.id} className="border-b border-line py-2.5">
              <JustCancelled booking={booking} />
            </li>
          )
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
                <h3 id={`${list}-${monday}`} className="mb-2 text-small text-ink-mute">
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

/** Grouped by the Monday of their week. */
function byWeek(bookings: readonly Booking[]): [monday: string, some: Booking[]][] {
  return [...Map.groupBy(bookings, (booking) => mondayOf(booking.class.date).toString())]
}

/** How many characters of a title fit two lines on a phone, next to a badge and without one. */
const LONGEST = { withBadge: 38, withoutBadge: 60 }

const cutAtWord = (name: string, longest: number) => `${name.slice(0, longest).replace(/[\s,;:·-]+\S*$/, '')}…`

type Shown = { booking: Booking; badge: boolean }

function LargeRow({ booking, badge }: Shown) {
  const { title, date, startTime, endTime, instructorName } = booking.class
  return (
    <li className="mb-1 grid grid-cols-[76px_minmax(0,1fr)] gap-x-2 gap-y-2 rounded-card bg-linen px-4 py-3 sm:gap-y-3 sm:grid-cols-[104px_minmax(0,1fr)] sm:gap-x-6 sm:p-7">
      <div>
        <p className="figure text-[2.25rem]">
          {startTime}
          <span className="block font-sans text-caption/snug tracking-normal text-ink-mute">to {endTime}</span>
        </p>
        <div className="-mb-2 -ml-3.5 h-9">
          <AddCompanion booking={booking} />
        </div>
      </div>
      <div className="min-w-0">
        <p className="leading-snug font-medium wrap-break-word">{title}</p>
        <p className="text-small text-ink-soft">{formatLongDate(date)}</p>
        <p className="text-small text-ink-mute">with {instructorName}</p>
        {badge && <StatusBadge status={booking.status} />}
        {booking.movedFrom && <MovedNote from={booking.movedFrom} />}
      </div>
      <div className="col-start-2 max-sm:col-span-full max-sm:col-start-1">
        <Actions booking={booking} />
        <CompanionLine booking={booking} />
      </div>
    </li>
  )
}

function CalmRow({ booking, badge }: Shown) {
  const { title, date, startTime, endTime } = booking.class
  const longest = badge ? LONGEST.withBadge : LONGEST.withoutBadge
  return (
    <li className="grid grid-cols-[3.375rem_minmax(0,1fr)_auto] items-baseline gap-x-3 border-b border-line pt-1.5 max-sm:[&_.badge]:px-2 max-sm:[&_.badge]:py-1 sm:grid-cols-[104px_minmax(0,1fr)_auto] sm:gap-x-6 sm:pb-2.5">
      <p className="figure text-2xl sm:row-span-2">
        {startTime}
        <span className="block font-sans text-caption/snug tracking-normal text-ink-mute max-sm:hidden">
          to {endTime}
        </span>
      </p>
      <p className="line-clamp-2 text-base/snug font-medium wrap-break-word sm:line-clamp-none" title={title}>
        {title.length <= longest ? (
          title
        ) : (
          <>
            <span className="sm:hidden">{cutAtWord(title, longest)}</span>
            <span className="max-sm:hidden">{title}</span>
          </>
        )}
      </p>
      <div className={`-my-2.5 flex items-center self-start ${badge ? 'max-sm:my-0' : ''}`}>
        {badge && <StatusBadge status={booking.status} />}
        {/* Next to a badge, a phone has no room for it; the summary has it. */}
        <span className={badge ? 'max-sm:hidden' : ''}>
          <AddCompanion booking={booking} />
        </span>
      </div>
      <div className="col-span-full flex flex-wrap items-center gap-x-2 sm:gap-x-3 text-fine text-ink-soft sm:col-span-2 sm:col-start-2 sm:text-small">
        <p className="mr-auto">{formatDay(date)}</p>
        <Actions booking={booking} calm />
        <CompanionLine booking={booking} />
        {booking.movedFrom && <MovedNote from={booking.movedFrom} />}
      </div>
    </li>
  )
}

function Actions({ booking, calm = false }: { booking: Booking; calm?: boolean }) {
  return (
    <BookingActions calm={calm}>
      <RescheduleButton booking={booking} calm={calm} />
      <CancelButton booking={booking} calm={calm} />
      <EveryWeek booking={booking} calm={calm} />
      <AddToCalendar booking={booking} calm={calm} />
    </BookingActions>
  )
}

function MovedNote({ from }: { from: NonNullable<Booking['movedFrom']> }) {
  return (
    <p className="order-1 mt-1 mb-2 basis-full text-small/even text-clay">
      <span className="block max-w-[60ch]">
        Moved by the studio from {formatLongDate(from.date)}, {from.startTime} - {from.endTime}. Until it starts you can
        cancel and keep your credit.
      </span>
    </p>
  )
}

/** Links that add a booking to a calendar. An icon on a phone, and with `calm`. */
function AddToCalendar({ booking, calm = false }: { booking: Booking; calm?: boolean }) {
  const { name, address } = useFacts()
  const where = `${name}, ${addressLine(address)}`
  return (
    <details className="group text-small open:order-2 open:basis-full">
      <summary className="inline-flex min-h-11 min-w-11 cursor-pointer justify-center group-open:justify-start list-none items-center gap-2 text-ink-soft hover:text-ink [&::-webkit-details-marker]:hidden">
        <Icon of={calendarPlus} size={18} />
        <span className={`group-open:not-sr-only ${calm ? 'sr-only' : 'max-sm:sr-only'}`}>Add to calendar</span>
        <span className="sr-only">: {booking.class.title}</span>
      </summary>
      <ul className="flex flex-wrap gap-x-5">
        {calendarLinks(booking.id, booking.class, where).map(({ name, href }) => (
          <li key={name}>
            <a
              href={href}
              {...(href.startsWith('/') ? { download: true } : { target: '_blank', rel: 'noreferrer' })}
              className="link inline-flex min-h-11 items-center"
            >
              {name}
              <span className="sr-only"> calendar</span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}
