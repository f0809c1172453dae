import x from '@lucide/icons/icons/x'
import type { User } from '#accounts/contract.ts'
import { rowState } from '#booking/rules.ts'
import { useUpcomingBookings } from '#booking/web/bookings.ts'
import { formatDay } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { checkoutOf, usePackages } from '#packages/web/packages.ts'
import { usePasses } from '#passes/web/passes.ts'
import { useClasses } from '#timetable/web/classes.ts'
import { ArrowLink } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { useNow } from '#ui/use-now.ts'
import { dropPackage, dropVisit, type Resumable, useResumable } from './resumable.ts'

/** A choice to continue with, or what has become of it. */
type ResumeLink = {
  text: string
  to: string
  action: string
  /** It cannot be completed any more; the link leads elsewhere. */
  isOver?: boolean
}

/** Links back to a chosen package and to a class or day. */
export function useResumeLinks(user: User): { pass?: ResumeLink; visit?: ResumeLink; isPending: boolean } {
  const { packageId, isGift, visit } = useResumable(user.id)
  const pass = usePassLink(packageId, isGift)
  const booking = useVisitLink(visit)
  return { pass: pass.way, visit: booking.way, isPending: pass.isPending || booking.isPending }
}

function usePassLink(packageId: number | undefined, isGift = false): { way?: ResumeLink; isPending: boolean } {
  const enabled = packageId !== undefined
  const packages = usePackages({ enabled })
  const passes = usePasses({ enabled })
  if (!enabled || packages.isError || passes.isError) return { isPending: false }
  if (!packages.data || !passes.data) return { isPending: true }
  const sold = packages.data.find(({ id }) => id === packageId)
  if (!sold) {
    const text = 'The pass you were choosing is no longer on sale.'
    return { way: { text, to: '/pricing', action: 'See prices', isOver: true }, isPending: false }
  }
  if (sold.purchaseOncePerUser && passes.data.some((pass) => pass.packageId === sold.id)) return { isPending: false }
  const text = `You were choosing the ${sold.name}${isGift ? ' as a gift' : ''}`
  return { way: { text, to: checkoutOf(sold, isGift), action: 'Continue to checkout' }, isPending: false }
}

function useVisitLink(visit: Resumable['visit']): { way?: ResumeLink; isPending: boolean } {
  const now = useNow()
  const date = visit && visit.date >= today(now) ? visit.date : undefined
  const enabled = date !== undefined && visit?.classId !== undefined
  const classes = useClasses(date ?? '', date ?? '', { enabled })
  const bookings = useUpcomingBookings({ enabled })
  if (date === undefined) return { isPending: false }
  const onThatDay = `/booking?date=${date}`
  const day = formatDay(date)
  if (!enabled) {
    return { way: { text: `You were looking at ${day}`, to: onThatDay, action: 'Continue' }, isPending: false }
  }
  if (classes.isError || bookings.isError) return { isPending: false }
  if (!classes.data || !bookings.data) return { isPending: true }
  const chosen = classes.data.find(({ id }) => id === visit?.classId)
  if (!chosen) {
    const text = `The class you were booking on ${day} is no longer available.`
    return { way: { text, to: onThatDay, action: 'See the day', isOver: true }, isPending: false }
  }
  const when = `${day}, ${chosen.startTime}`
  const again = `${onThatDay}&class=${chosen.id}`
  const ways = {
    available: { text: `You were booking ${when}`, to: again, action: 'Continue' },
    full: { text: `${when}, which you were booking, is full now.`, to: again, action: 'Waiting list', isOver: true },
    started: {
      text: `${when}, which you were booking, has started.`,
      to: '/booking',
      action: 'See other times',
      isOver: true,
    },
    booked: undefined,
  }
  return { way: ways[rowState(chosen, bookings.data, now)], isPending: false }
}

export function ResumeCard({ pass, visit }: ReturnType<typeof useResumeLinks>) {
  if (!pass && !visit) return null
  return (
    <section aria-label="Where you were" className="mb-8 divide-y divide-line rounded-card bg-sage-tint px-5 sm:px-7">
      {pass && <Row way={pass} onDrop={dropPackage} />}
      {visit && <Row way={visit} onDrop={dropVisit} />}
    </section>
  )
}

function Row({ way, onDrop }: { way: ResumeLink; onDrop: () => void }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 py-2 sm:grid-cols-[minmax(0,1fr)_auto_auto]">
      <p className="py-2">{way.text}</p>
      <button
        type="button"
        aria-label="Not now"
        onClick={onDrop}
        className="-mr-3 grid size-11 flex-none place-items-center self-start rounded-full sm:order-last sm:self-center"
      >
        <Icon of={x} size={20} />
      </button>
      <p className="pb-2 sm:pb-0">
        <ArrowLink to={way.to}>{way.action}</ArrowLink>
      </p>
    </div>
  )
}
