import { endOfDay, instantAt, studioDate, studioTime } from '#foundation/instants.ts'
import type { DateRange } from '#passes/rules.ts'
import { studio } from '#studio.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { hasStarted } from '#timetable/rules.ts'
import type { Booking, PaymentStatus } from './contract.ts'
import type { WaitingEntry } from './contract-waiting.ts'
import type { PlaceRow } from './tables.ts'

type Cancellation = 'credit_returned' | 'forfeited' | 'too_late'

/**
 * `isMoved`: the studio has moved the class since it was booked, or given it to another teacher. `hasPassEnded`: the
 * pass that paid was voided or refunded.
 */
export type Cancellable = { startsAt: Temporal.Instant; isMoved: boolean; hasPassEnded?: boolean }

/** Whether cancelling a place returns the credit until the start, because the studio has changed what was booked. */
export const isMovedByStudio = ({ movedAt, bookedWith }: Pick<PlaceRow, 'movedAt' | 'bookedWith'>) =>
  movedAt !== null || bookedWith !== null

/**
 * The instant from which cancelling costs the credit; the start itself if the studio has moved the class or
 * given it to another teacher.
 * Source: docs/studio-rules.md#cancelling
 */
export function cancellationDeadline({ startsAt, isMoved }: Cancellable): Temporal.Instant {
  return isMoved ? startsAt : startsAt.subtract({ minutes: studio.policies.lateCancellationMinutes })
}

/**
 * What cancelling at `now` means for the credit. Exactly 120 minutes before the start is already late, unless the
 * studio has moved the class or given it to another teacher. A pass that has ended gets no credit back.
 * Source: docs/studio-rules.md#cancelling
 */
export function cancellationAt(now: Temporal.Instant, booking: Cancellable): Cancellation {
  if (hasStarted(booking.startsAt, now)) return 'too_late'
  if (booking.hasPassEnded) return 'forfeited'
  return Temporal.Instant.compare(now, cancellationDeadline(booking)) < 0 ? 'credit_returned' : 'forfeited'
}

/**
 * Until when a pass stays valid at least if the studio is why its credit comes back at `now`: the end of the day 14
 * days on. Source: docs/studio-rules.md#the-studio-cancels
 */
export function graceUntil(now: Temporal.Instant): Temporal.Instant {
  return endOfDay(studioDate(now).add({ days: studio.policies.studioCancellationGraceDays }))
}

/**
 * The payment status after attendance is marked: a no-show forfeits the credit; a credit the studio has given back
 * stays returned. Source: docs/studio-rules.md#attendance
 */
export function paymentAfter(attendance: 'completed' | 'no_show', before: PaymentStatus): PaymentStatus {
  if (before === 'refunded') return 'refunded'
  return attendance === 'no_show' ? 'forfeited' : 'paid'
}

/** Whether the credit that paid for a booking was used, returned or kept, for screens, emails and files. */
export const CREDIT_WORDS: Record<PaymentStatus, string> = {
  paid: 'Paid with a credit',
  refunded: 'Credit returned',
  forfeited: 'Credit kept',
}

/** Whether notes of a class on `date` need no proof: today and tomorrow. Source: docs/studio-rules.md#health */
export function isNotesDay(date: string, now: Temporal.Instant): boolean {
  const today = studioDate(now)
  return date === today.toString() || date === today.add({ days: 1 }).toString()
}

/** Whether a teacher may see and act for the members of a class on `date`: today in London, until midnight. */
export const isTeachingDay = (date: string, now: Temporal.Instant) => date === studioDate(now).toString()

const earlier = (a: Temporal.Instant, b: Temporal.Instant) => (Temporal.Instant.compare(a, b) < 0 ? a : b)
const later = (a: Temporal.Instant, b: Temporal.Instant) => (Temporal.Instant.compare(a, b) < 0 ? b : a)

/** Whether a companion can be invited: until 4 hours before the start. Source: docs/studio-rules.md#companions */
export function canInvite(now: Temporal.Instant, startsAt: Temporal.Instant): boolean {
  return Temporal.Instant.compare(now, startsAt.subtract({ hours: studio.policies.companions.noticeHours })) <= 0
}

/** Whether the owner can add a companion at the desk: until the class ends, while its second place is free. */
export function canAddAtDesk(
  held: Pick<StudioClass, 'maxParticipants' | 'availableSpots' | 'isActive' | 'endsAt'>,
  now: Temporal.Instant,
): boolean {
  const hasPlace = held.isActive && held.maxParticipants > 1 && held.availableSpots > 0
  return hasPlace && Temporal.Instant.compare(now, Temporal.Instant.from(held.endsAt)) < 0
}

/** What a companion is called: as their member typed it, until it is forgotten. */
export const nameOfCompanion = (firstName: string | null | undefined) => firstName || 'your companion'

/** Whether a booking can get a companion; at the desk also once the member is marked as here. */
export const canHaveCompanion = (status: Booking['status'], isDesk: boolean) =>
  status === 'confirmed' || (isDesk && status === 'completed')

/** Until when a place is held for a companion: for 48 hours, at most until 120 minutes before the start. */
export function heldUntil(invitedAt: Temporal.Instant, startsAt: Temporal.Instant): Temporal.Instant {
  const { holdHours, untilMinutes } = studio.policies.companions
  return earlier(invitedAt.add({ hours: holdHours }), startsAt.subtract({ minutes: untilMinutes }))
}

/**
 * The same after the class moved at `movedAt`: at least 2 hours from then, at most until the new start. In a class that
 * has started, it was held at the desk: until the end.
 */
export function heldUntilAfterMove(
  invitedAt: Temporal.Instant,
  { startsAt, endsAt }: Span,
  movedAt: Temporal.Instant,
): Temporal.Instant {
  if (hasStarted(startsAt, movedAt)) return endsAt
  const least = movedAt.add({ hours: studio.policies.companions.afterMoveHours })
  return earlier(later(heldUntil(invitedAt, startsAt), least), startsAt)
}

/** Whether a pass was voided or refunded: it can neither pay nor take a credit back. */
export const hasEnded = (pass: Pick<Payable, 'refundedAt' | 'voidedAt'>) => Boolean(pass.refundedAt ?? pass.voidedAt)

export type Payable = {
  id: number
  creditsRemaining: number
  expiresAt: Temporal.Instant
  frozenAt: Temporal.Instant | null
  refundedAt: Temporal.Instant | null
  voidedAt: Temporal.Instant | null
  paused: readonly DateRange[]
}

/** What happens to a freed place; `offered` means in turn, `waits` until the morning. */
type FreedPlace = 'given' | 'offered' | 'announced' | 'waits' | 'left'

/** The last instant at which a freed place is assigned to the first on the waiting list. */
export function lastAssignmentOf(startsAt: Temporal.Instant): Temporal.Instant {
  return startsAt.subtract({ hours: studio.policies.waitingListHours })
}

/** The instant from which a freed place is no longer offered in turn. */
export function endOfTurns(startsAt: Temporal.Instant): Temporal.Instant {
  return startsAt.subtract({ hours: studio.policies.waitingListTurn.untilHours })
}

/** Until when a place offered at `now` is a member's: for 20 minutes, but at most until 3 hours before the start. */
export function turnUntil(now: Temporal.Instant, startsAt: Temporal.Instant): Temporal.Instant {
  const [until, last] = [now.add({ minutes: studio.policies.waitingListTurn.minutes }), endOfTurns(startsAt)]
  return Temporal.Instant.compare(until, last) < 0 ? until : last
}

/** Whether a place is offered to a waiting member at `now`; at its end, the offer is over. */
export function hasOffer({ offeredUntil }: { offeredUntil: Temporal.Instant | null }, now: Temporal.Instant): boolean {
  return offeredUntil !== null && Temporal.Instant.compare(now, offeredUntil) < 0
}

/** The London day on whose morning the quiet hours end; undefined outside them. 22:00 is quiet, 07:00 is not. */
function morningAfter(now: Temporal.Instant): Temporal.PlainDate | undefined {
  const { from, until } = studio.policies.quietHours
  const time = studioTime(now)
  if (time < until) return studioDate(now)
  return time < from ? undefined : studioDate(now).add({ days: 1 })
}

/**
 * What happens to a freed place at `now`: at least 12 hours before the start (exactly 12 included) it is assigned to
 * the first on the waiting list, more than 3 hours before it is offered in turn, later everyone on the list is emailed,
 * after the start nothing happens. In the quiet hours it is held until the morning, unless the class starts before
 * 10:00: then everyone is emailed. Source: docs/studio-rules.md#waiting-list
 */
export function freedPlaceAt(now: Temporal.Instant, startsAt: Temporal.Instant): FreedPlace {
  if (hasStarted(startsAt, now)) return 'left'
  const morning = morningAfter(now)
  if (morning) {
    const early = instantAt(morning.toString(), studio.policies.quietHours.earlyClass)
    return Temporal.Instant.compare(startsAt, early) < 0 ? 'announced' : 'waits'
  }
  if (Temporal.Instant.compare(now, lastAssignmentOf(startsAt)) <= 0) return 'given'
  return Temporal.Instant.compare(now, endOfTurns(startsAt)) < 0 ? 'offered' : 'announced'
}

type Span = { startsAt: Temporal.Instant; endsAt: Temporal.Instant }

/** Whether two spans overlap; touching is not overlapping. */
export function overlaps(a: Span, b: Span): boolean {
  return Temporal.Instant.compare(a.startsAt, b.endsAt) < 0 && Temporal.Instant.compare(b.startsAt, a.endsAt) < 0
}

/** When a cancellation by the studio becomes final. Until then it can be undone. Source: docs/studio-rules.md#undo */
export function undoableUntil(madeAt: Temporal.Instant): Temporal.Instant {
  return madeAt.add({ seconds: studio.policies.undoSeconds })
}

/**
 * Until when a member can undo a cancellation; at that instant it is final. The screen offers Undo a little shorter, so
 * that a last press arrives in time. Source: docs/studio-rules.md#undoing-a-cancellation
 */
export function ownUndoUntil(cancelledAt: Temporal.Instant): Temporal.Instant {
  return cancelledAt.add({ seconds: studio.policies.cancellationUndo.allowedSeconds })
}

/** What {@link cancellationAt} needs to know about a booking from the API. */
export function cancellable(
  booking: Pick<Booking, 'class' | 'movedFrom' | 'bookedWith' | 'hasPassEnded'>,
): Cancellable {
  const { class: studioClass, movedFrom, bookedWith, hasPassEnded } = booking
  const isMoved = movedFrom !== null || bookedWith !== null
  return { startsAt: Temporal.Instant.from(studioClass.startsAt), isMoved, hasPassEnded }
}

/** Whether a place is offered to a member, from their own list. */
export const isOfferedNow = ({ offeredUntil }: Pick<WaitingEntry, 'offeredUntil'>, now: Temporal.Instant): boolean =>
  hasOffer({ offeredUntil: offeredUntil === null ? null : Temporal.Instant.from(offeredUntil) }, now)

export type RowState = 'started' | 'booked' | 'full' | 'available'

/** A class as a member sees it at `now`: it has started from that very minute, and an offered place is available. */
export function rowState(
  listed: StudioClass,
  bookings: readonly Booking[],
  now: Temporal.Instant,
  waiting: readonly WaitingEntry[] = [],
): RowState {
  if (hasStarted(Temporal.Instant.from(listed.startsAt), now)) return 'started'
  if (bookings.some((booking) => booking.classId === listed.id && booking.status === 'confirmed')) return 'booked'
  const isOffered = waiting.some((entry) => entry.classId === listed.id && isOfferedNow(entry, now))
  return listed.availableSpots > 0 || isOffered ? 'available' : 'full'
}
