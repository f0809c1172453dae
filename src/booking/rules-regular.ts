import { defined } from '#foundation/collections.ts'
import { WEEKDAYS } from '#foundation/dates.ts'
import { studioDate } from '#foundation/instants.ts'
import type { RefusalDefinition } from '#foundation/refusal.ts'
import { studio } from '#studio.ts'
import type { RegularCode } from './contract-regular.ts'
import { placePlanner, SKIPPED, type Standing, type WayIn } from './rules-places.ts'

const { weeks, creditsWarningWeeks } = studio.policies.regularBookings

/** Why a date is not booked, by the refusal. */
const CODES: Record<string, RegularCode> = {
  ...SKIPPED,
  already_booked: 'already_booked',
  class_inactive: 'closed',
  class_full: 'full',
}
const codeOf = ({ refusal }: { refusal: RefusalDefinition }) => defined(CODES[refusal.code])

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
    reservedPlaces: number
    maxParticipants: number
  }
  isBooked: boolean
  isLeftOut: boolean
  /** Who comes along. */
  companion: { userId: string; isBooked: boolean; isLeftOut: boolean } | null
}

type DateDecision = { passId: number } | { code: RegularCode }

/**
 * Decides for each date whether it is booked, and with which pass, or why not. Earlier candidates come first for places
 * and credits: sort them by date, and for one class by the age of the regular booking. A companion comes along on the
 * dates that the member has: the member's passes pay both places, or the member's own where one place or credit is
 * left. Of several classes at one time only one is returned. Source: docs/studio-rules.md#regular-bookings
 */
export function planRegularDates<C extends Candidate>(
  candidates: readonly C[],
  members: ReadonlyMap<string, Standing>,
  way: WayIn,
  now: Temporal.Instant,
): (C & { decision: DateDecision; companionDecision: DateDecision | null })[] {
  const decide = placePlanner(members, now)
  const timeOf = ({ userId, class: studioClass }: Candidate) => `${userId} ${studioClass.startsAt.epochMilliseconds}`
  const leftOut = new Set(candidates.filter(({ isLeftOut }) => isLeftOut).map(timeOf))
  const planned = candidates.map((candidate) => {
    const { class: studioClass, userId: payerId, companion } = candidate
    const decideFor = (holderId: string, place: { isBooked: boolean; isLeftOut: boolean }): DateDecision => {
      if (place.isBooked) return { code: 'already_booked' }
      if (place.isLeftOut) return { code: 'skipped' }
      if (!studioClass.isActive) return { code: 'closed' }
      const decision = decide({ class: studioClass, holderId, payerId }, way)
      if ('passId' in decision) return decision
      const code = codeOf(decision)
      if (code !== 'full') return { code }
      // A member waits for a full class only if nothing else is in the way.
      const roomy = { ...studioClass, maxParticipants: Number.MAX_SAFE_INTEGER }
      const otherwise = decide({ class: roomy, holderId, payerId }, way, true)
      return { code: 'refusal' in otherwise ? codeOf(otherwise) : 'full' }
    }
    const decision = decideFor(payerId, { ...candidate, isLeftOut: leftOut.has(timeOf(candidate)) })
    const hasOwn = candidate.isBooked || 'passId' in decision
    const companionDecision = companion && hasOwn ? decideFor(companion.userId, companion) : null
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
