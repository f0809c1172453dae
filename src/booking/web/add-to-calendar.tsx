import calendarPlus from '@lucide/icons/icons/calendar-plus'
import { useFacts } from '#content/web/facts.tsx'
import { addressLine } from '#facts/rules.ts'
import { studio } from '#studio.ts'
import { Icon } from '#ui/icon.tsx'
import type { Booking } from '../contract.ts'
import { calendarLinks } from './calendar-links.ts'

/** Links that add a booking to a calendar. An icon on a phone, and with `calm`. */
export function AddToCalendar({ booking, calm = false }: { booking: Booking; calm?: boolean }) {
  const where = `${studio.name}, ${addressLine(useFacts().address)}`
  return (
    <details className="group text-[0.9375rem] open:order-2 open:basis-full">
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
