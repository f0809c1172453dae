import { defined } from '#foundation/collections.ts'
import { WEEKDAYS } from '#foundation/dates.ts'
import { studioDate } from '#foundation/instants.ts'
import { isPausedOn } from '#passes/rules.ts'
import { studio } from '#studio.ts'
import { isFull } from '#timetable/rules.ts'
import type { RegularCode } from './contract-regular.ts'
import { hasEnded, payingPass, skipReasonOf, type Waiter } from './rules.ts'

const { weeks, creditsWarningWeeks } = studio.policies.regularBookings

/** The last London date that a regular booking books at `now`. Source: docs/studio-rules.md#regular-bookings */
export const lastRegularDate = (now: Temporal.Instant) => studioDate(now).add({ weeks }).toString()

/** The name of an ISO weekday; 1 is Monday. */
export const dayOfWeekday = (weekday: number) => defined(WEEKDAYS[weekday - 1])

export const weekdayOfDate = (date: string) => Temporal.PlainDate.from(date).dayOfWeek

/** A member and a class of their regular booking that has not started. */
export type Candidate = {
  userId: string
  class: {
    id: number
    startsAt: Temporal.Instant
    endsAt: Temporal.Instant
    isActive: boolean
    bookedCount: number
    heldPlaces: number
    maxParticipants: number
  }
  isBooked: boolean
  isLeftOut: boolean
  /** Who comes along. */
  companion: { userId: string; isBooked: boolean; isLeftOut: boolean } | null
}

type Decision = { passId: number } | { code: RegularCode }

/**
 * Decides for each date whether it is booked, and with which pass, or why not. Earlier candidates come first for places
 * and credits: sort them by date, and for one class by the age of the regular booking. A companion comes along on the
 * dates that the member has: the member's passes pay both places, or the member's own where one place or credit is
 * left. Of several classes at one time only one is returned. Source: docs/studio-rules.md#regular-bookings
 */
export function planRegularDates<C extends Candidate>(
  candidates: readonly C[],
  members: ReadonlyMap<string, Waiter>,
): (C & { decision: Decision; companionDecision: Decision | null })[] {
  const waiters = new Map(
    Array.from(members, ([id, member]) => [
      id,
      { ...member, passes: member.passes.map((pass) => ({ ...pass })), booked: [...member.booked] },
    ]),
  )
  const taken = new Map<number, number>()
  const timeOf = ({ userId, class: studioClass }: Candidate) => `${userId} ${studioClass.startsAt.epochMilliseconds}`
  const leftOut = new Set(candidates.filter(({ isLeftOut }) => isLeftOut).map(timeOf))
  const planned = candidates.map((candidate) => {
    const { class: studioClass, userId, companion } = candidate
    const member = defined(waiters.get(userId))
    const decide = (person: typeof member, place: { isBooked: boolean; isLeftOut: boolean }): Decision => {
      if (place.isBooked) return { code: 'already_booked' }
      if (place.isLeftOut) return { code: 'skipped' }
      if (!studioClass.isActive) return { code: 'closed' }
      const because = skipReasonOf({ ...person, passes: member.passes }, studioClass)
      if (because) return { code: because }
      // Away on these days, so another pass does not pay either.
      const date = studioDate(studioClass.startsAt).toString()
      if (member.passes.some((pass) => !hasEnded(pass) && isPausedOn(pass, date))) return { code: 'pass_paused' }
      const more = taken.get(studioClass.id) ?? 0
      if (isFull({ ...studioClass, bookedCount: studioClass.bookedCount + more })) return { code: 'full' }
      const paying = payingPass(member.passes, studioClass.startsAt)
      if ('refusal' in paying) return { code: 'no_credit' }
      paying.pass.creditsRemaining -= 1
      person.booked.push(studioClass)
      taken.set(studioClass.id, more + 1)
      return { passId: paying.pass.id }
    }
    const decision = decide(member, { ...candidate, isLeftOut: leftOut.has(timeOf(candidate)) })
    const hasOwn = candidate.isBooked || 'passId' in decision
    const companionDecision = companion && hasOwn ? decide(defined(waiters.get(companion.userId)), companion) : null
    return { ...candidate, decision, companionDecision }
  })
  // Of several classes at one time, a member has one.
  return [...Map.groupBy(planned, timeOf).values()].flatMap(
    (same) => same.find(({ isBooked, decision }) => isBooked || 'passId' in decision) ?? same.slice(0, 1),
  )
}

/**
 * Whether a member's credits end soon: a date is not booked for lack of a credit, and none is booked more than two
 * weeks ahead. Exactly two weeks ahead is not enough.
 *
 * @param dates London dates that are booked
 */
export function doCreditsEndSoon(dates: readonly string[], codes: readonly RegularCode[], now: Temporal.Instant) {
  const last = studioDate(now).add({ weeks: creditsWarningWeeks }).toString()
  return codes.includes('no_credit') && dates.every((date) => date <= last)
}
