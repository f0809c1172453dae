import { endOfDay, instantAt, studioDate, studioTime } from '#foundation/instants.ts'
import type { RefusalDefinition } from '#foundation/refusal.ts'
import { isValidFor } from '#passes/rules.ts'
import { studio } from '#studio.ts'
import { hasStarted } from '#timetable/rules.ts'
import type { Booking, PaymentStatus } from './contract.ts'
import type { SkipReason } from './contract-waiting.ts'
import { bookingRefusals } from './refusals.ts'

/** What cancelling means for the credit. */
type Cancellation = 'credit_returned' | 'forfeited' | 'too_late'

/**
 * What cancelling depends on: when the class starts, whether the studio has moved it under the booking, and whether the
 * pass that paid was voided or refunded, so that no credit can go back to it.
 */
export type Cancellable = { startsAt: Temporal.Instant; isMoved: boolean; hasPassEnded?: boolean }

/**
 * The instant from which a cancelled place costs its credit. Where the studio has moved the class there is none before its
 * start. Source: docs/studio-rules.md#cancelling
 */
export function cancellationDeadline({ startsAt, isMoved }: Cancellable): Temporal.Instant {
  return isMoved ? startsAt : startsAt.subtract({ minutes: studio.policies.lateCancellationMinutes })
}

/**
 * What cancelling at `now` means. Exactly 120 minutes before the start is already late, unless the studio has moved the
 * class; from the start on nothing can be cancelled. A pass that has ended gets no credit back.
 * Source: docs/studio-rules.md#cancelling
 */
export function cancellationAt(now: Temporal.Instant, booking: Cancellable): Cancellation {
  if (hasStarted(booking.startsAt, now)) return 'too_late'
  if (booking.hasPassEnded) return 'forfeited'
  return Temporal.Instant.compare(now, cancellationDeadline(booking)) < 0 ? 'credit_returned' : 'forfeited'
}

/**
 * Until when a pass stays valid at least when the studio is why its credit comes back at `now`: the end of the day
 * 14 days on. Source: docs/studio-rules.md#the-studio-cancels
 */
export function graceUntil(now: Temporal.Instant): Temporal.Instant {
  return endOfDay(studioDate(now).add({ days: studio.policies.studioCancellationGraceDays }))
}

/**
 * What an attendance means for the credit that paid: it stays spent either way, and a no-show has forfeited it. A credit
 * that the studio has given back since stays given back.
 * Source: docs/studio-rules.md#attendance
 */
export function paymentAfter(attendance: 'completed' | 'no_show', before: PaymentStatus): PaymentStatus {
  if (before === 'refunded') return 'refunded'
  return attendance === 'no_show' ? 'forfeited' : 'paid'
}

/**
 * Whether an admin sees the health notes of a class on `date` without a fresh proof of identity: today and tomorrow in London.
 * Source: docs/studio-rules.md#health
 */
export function isNotesDay(date: string, now: Temporal.Instant): boolean {
  const today = studioDate(now)
  return date === today.toString() || date === today.add({ days: 1 }).toString()
}

/** Whether a pass was voided or its payment went back: it neither pays nor takes a credit back. */
export const hasEnded = (pass: Pick<Payable, 'refundedAt' | 'voidedAt'>) => Boolean(pass.refundedAt ?? pass.voidedAt)

type Payable = {
  id: number
  creditsRemaining: number
  expiresAt: Temporal.Instant
  frozenAt: Temporal.Instant | null
  refundedAt: Temporal.Instant | null
  voidedAt: Temporal.Instant | null
}

/**
 * Which pass pays for a class: of those valid on its day and holding credits the one that expires first. One whose
 * payment is disputed, or went back, never pays; nor does a voided one.
 *
 * @param passes in the order of their expiry
 * @returns the pass, or why none can pay
 */
export function payingPass<P extends Payable>(
  passes: readonly P[],
  startsAt: Temporal.Instant,
): { pass: P } | { refusal: RefusalDefinition } {
  const holding = passes.filter((pass) => pass.creditsRemaining > 0 && !hasEnded(pass))
  const valid = holding.filter((pass) => isValidFor(pass, startsAt))
  const pass = valid.find(({ frozenAt }) => !frozenAt)
  if (pass) return { pass }
  if (valid.length > 0) return { refusal: bookingRefusals.pass_on_hold }
  if (passes.length === 0) return { refusal: bookingRefusals.no_class_pass }
  const hasCreditsElsewhere = holding.length > 0
  return { refusal: hasCreditsElsewhere ? bookingRefusals.pass_expires_before_class : bookingRefusals.no_credits }
}

/** What becomes of a place that is free again: `waits` is for the morning. */
type FreedPlace = 'given' | 'announced' | 'waits' | 'left'

/** The last instant at which a freed place is given along the line. */
export function lastGiftOf(startsAt: Temporal.Instant): Temporal.Instant {
  return startsAt.subtract({ hours: studio.policies.waitingListHours })
}

/** The London day on whose morning the quiet hours end; undefined outside of them. 22:00 is quiet, 07:00 is not. */
function morningAfter(now: Temporal.Instant): Temporal.PlainDate | undefined {
  const { from, until } = studio.policies.quietHours
  const time = studioTime(now)
  if (time < until) return studioDate(now)
  return time < from ? undefined : studioDate(now).add({ days: 1 })
}

/**
 * What becomes of a freed place at `now`: with at least 12 hours to go (exactly 12 included) it is given to the first in
 * line, later it is announced to everybody in line, and from the start on it is left alone. In the quiet hours it waits for
 * the morning, unless the class starts before 10:00 then: that is announced at once.
 * Source: docs/studio-rules.md#waiting-list
 */
export function freedPlaceAt(now: Temporal.Instant, startsAt: Temporal.Instant): FreedPlace {
  if (hasStarted(startsAt, now)) return 'left'
  const morning = morningAfter(now)
  if (morning) {
    const early = instantAt(morning.toString(), studio.policies.quietHours.earlyClass)
    return Temporal.Instant.compare(startsAt, early) < 0 ? 'announced' : 'waits'
  }
  return Temporal.Instant.compare(now, lastGiftOf(startsAt)) <= 0 ? 'given' : 'announced'
}

/** What decides whether a member in line can be given a place. */
export type Waiter = {
  isBlocked: boolean
  /** In the order of their expiry. */
  passes: readonly Payable[]
  isHealthComplete: boolean
  /** When their confirmed bookings take place. */
  booked: readonly Span[]
}
type Span = { startsAt: Temporal.Instant; endsAt: Temporal.Instant }

/**
 * Why a member in line is skipped when a place is given; null when they are not. Source: docs/studio-rules.md#waiting-list
 */
export function whySkipped({ isBlocked, passes, isHealthComplete, booked }: Waiter, awaited: Span): SkipReason | null {
  if (isBlocked) return 'blocked'
  const paying = payingPass(passes, awaited.startsAt)
  if ('refusal' in paying) return paying.refusal === bookingRefusals.pass_on_hold ? 'pass_on_hold' : 'no_credit'
  if (!isHealthComplete) return 'health_missing'
  return booked.some((held) => overlaps(held, awaited)) ? 'overlapping_booking' : null
}

/** Whether two spans share time; one that ends when the other starts does not. */
function overlaps(a: Span, b: Span): boolean {
  return Temporal.Instant.compare(a.startsAt, b.endsAt) < 0 && Temporal.Instant.compare(b.startsAt, a.endsAt) < 0
}

/**
 * Until when a cancellation by the studio that was made at `madeAt` can be undone; at that instant it is final.
 * Source: docs/studio-rules.md#undo
 */
export function undoableUntil(madeAt: Temporal.Instant): Temporal.Instant {
  return madeAt.add({ seconds: studio.policies.undoSeconds })
}

/** What the rules of cancelling ask of a booking. */
export function cancellable(booking: Pick<Booking, 'class' | 'movedFrom' | 'hasPassEnded'>): Cancellable {
  const { class: held, movedFrom, hasPassEnded } = booking
  return { startsAt: Temporal.Instant.from(held.startsAt), isMoved: movedFrom !== null, hasPassEnded }
}
