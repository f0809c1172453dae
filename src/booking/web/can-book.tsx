import circleAlert from '@lucide/icons/icons/circle-alert'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { many } from '#foundation/collections.ts'
import { formatLongDate } from '#foundation/dates.ts'
import type { useHealth } from '#health/web/health.ts'
import { studio } from '#studio.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { classType } from '#timetable/rules.ts'
import { LineLink } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { ArchTick, Mark } from '#ui/mark.tsx'
import { useNow } from '#ui/use-now.ts'
import type { Booking } from '../contract.ts'
import { cancellationAt } from '../rules.ts'
import { useRegularBookings } from './regular/regular.ts'

/** When, with whom, and what follows, in lines: on a phone a dialog with its ticks fits one screen. */
export function ClassFacts({ of, children }: { of: StudioClass; children: ReactNode }) {
  return (
    <div className="mt-4 grid gap-1 border-y border-line py-3 sm:py-5">
      <p className="text-body/tight">
        {formatLongDate(of.date)}, {of.startTime} - {of.endTime}
      </p>
      <Fact>
        with {of.instructorName} · {classType(of.maxParticipants)}
      </Fact>
      {children}
    </div>
  )
}

export const Fact = ({ children }: { children: ReactNode }) => <p className="text-base text-ink-soft">{children}</p>

/** @param props.credits undefined while they load */
export function PaidWith({ credits }: { credits: number | undefined }) {
  return (
    <>
      <Fact>
        {credits === undefined && '…'}
        {credits !== undefined &&
          credits > 0 &&
          `Your class pass (${many(credits, 'credit')} left). One credit books one place.`}
        {credits === 0 && (
          <>
            No credits left.{' '}
            <LineLink className="-my-2.5 px-1 font-medium" to="/pricing" replace>
              Buy a pass
            </LineLink>
          </>
        )}
      </Fact>
      <CreditsAreUsedTonight />
    </>
  )
}

/** A warning shown before booking or moving to a class whose credit would not come back. */
export function CreditIsUsed({ startsAt, action }: { startsAt: string; action: 'book' | 'move to' }) {
  const start = { startsAt: Temporal.Instant.from(startsAt), isMoved: false }
  if (cancellationAt(useNow(), start) !== 'forfeited') return null
  return (
    <p className="mt-5 rounded-row bg-linen px-4 py-3 text-base text-ink-soft">
      This class starts within {studio.policies.lateCancellationMinutes} minutes. If you {action} it and then cancel,
      you will not get the credit back.
    </p>
  )
}

/** For members with a regular booking: what becomes of credits that they do not use. */
export function CreditsAreUsedTonight() {
  const regulars = useRegularBookings()
  if (!regulars.data?.some(({ bookedBy }) => bookedBy === null)) return null
  return <span className="mt-1 block text-small text-ink-mute">{studio.session.creditsTonight}</span>
}

/** A warning only: the class can still be booked. */
export function OverlappingBooking({ chosen, bookings }: { chosen: StudioClass; bookings: readonly Booking[] }) {
  const other = bookings.find(
    ({ status, classId, class: studioClass }) =>
      status === 'confirmed' &&
      classId !== chosen.id &&
      Date.parse(studioClass.startsAt) < Date.parse(chosen.endsAt) &&
      Date.parse(studioClass.endsAt) > Date.parse(chosen.startsAt),
  )
  if (!other) return null
  return (
    <p role="status" className="mt-5 rounded-row bg-warn-tint px-4 py-3 text-base text-warn wrap-anywhere">
      This class overlaps with your booking for {other.class.title}, {other.class.startTime} - {other.class.endTime}.
    </p>
  )
}

export function HealthLine({ health }: { health: ReturnType<typeof useHealth> }) {
  if (health.isPending) {
    return (
      <p role="status" className="mt-2 flex items-center gap-2.5 text-ink-mute sm:mt-5">
        <Mark size={20} className="mark-drawing" /> Checking your health information
      </p>
    )
  }
  if (health.isComplete) {
    return (
      <p className="mt-2 flex items-center gap-2.5 text-ok sm:mt-5">
        <ArchTick size={24} /> Health information complete
      </p>
    )
  }
  return (
    <div className="mt-5 flex gap-2.5 rounded-row bg-warn-tint px-4 py-3 text-warn">
      <Icon of={circleAlert} size={20} className="mt-1 flex-none" />
      <p>
        Health information required.{' '}
        <Link className="font-medium underline underline-offset-4" to="/health" replace>
          Complete health questionnaire
        </Link>
      </p>
    </div>
  )
}
