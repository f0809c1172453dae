import arrowRight from '@lucide/icons/icons/arrow-right'
import { Link } from 'react-router'
import { formatDay } from '#foundation/dates.ts'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/spinner.tsx'
import { useUpcomingBookings } from './bookings.ts'

export { prefetchUpcomingBookings } from './bookings.ts'

const NONE_BOOKED = { text: 'None booked', action: 'Choose a time', to: '/booking' }
/** When the bookings could not be loaded. */
const UNKNOWN = { text: 'On your dashboard', action: 'See your bookings', to: '/dashboard' }

/** The member's next class, small enough for the hero picture. */
export default function NextClassNote() {
  const { data, isPending } = useUpcomingBookings()
  const next = data?.[0]
  const otherwise = data?.length === 0 ? NONE_BOOKED : UNKNOWN
  if (isPending) {
    return (
      <>
        <p className="text-fine text-ink-mute">Your next class</p>
        <Skeleton className="mt-1.5 h-6 w-3/4" />
      </>
    )
  }
  return (
    <>
      <p className="text-fine text-ink-mute">Your next class</p>
      <p className="figure mt-0.5 text-[1.625rem]/[1.15]">
        {next ? (
          <>
            {formatDay(next.class.date)}, <span className="whitespace-nowrap">{next.class.startTime}</span>
          </>
        ) : (
          otherwise.text
        )}
      </p>
      <Link
        to={next ? '/dashboard' : otherwise.to}
        className="mt-3 flex min-h-6 items-center justify-between gap-4 border-t border-line pt-3 text-small font-medium"
      >
        <span className="truncate">{next ? next.class.title : otherwise.action}</span>
        <Icon of={arrowRight} size={20} className="flex-none" />
      </Link>
    </>
  )
}
