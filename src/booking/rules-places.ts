import { accountRefusals } from '#accounts/refusals.ts'
import { instantAt, studioDate, studioTime } from '#foundation/instants.ts'
import { type RefusalDefinition, refusals } from '#foundation/refusal.ts'
import { isPausedOn, isValidFor } from '#passes/rules.ts'
import { studio } from '#studio.ts'
import { hasStarted, isFull } from '#timetable/rules.ts'
import type { SkipReason } from './contract-waiting.ts'
import { bookingRefusals } from './refusals.ts'
import { hasEnded, overlaps, type Payable } from './rules.ts'
import type { PlaceRow } from './tables.ts'

// The two tables of places: how one is taken, and how one is given up. A new way to take a place is a row here.

export type WayIn = {
  /** Stored with the place. */
  origin: PlaceRow['origin']
  /** Until when a place can be taken. */
  until: 'start' | 'end'
  needsHealth: boolean
  /** A class at the same time refuses. */
  refusesOverlap?: boolean
  /** A pause of any of the payer's passes refuses, as they are away on these days. */
  refusesPause?: boolean
  /** Nobody has pressed: only in good time, with the credits that were free last night. */
  isUnasked?: boolean
  /** The holder is emailed in the morning, not with the booking. */
  isAnnouncedLater?: boolean
}

const regular = {
  origin: 'regular',
  until: 'start',
  needsHealth: true,
  refusesOverlap: true,
  refusesPause: true,
} as const

/** How places are taken. What holds for every way is in {@link placePlanner}. Source: docs/studio-rules.md#booking */
export const WAYS_IN = {
  member: { origin: 'member', until: 'start', needsHealth: true },
  desk: { origin: 'desk', until: 'start', needsHealth: true },
  /** For members who are already in the studio. */
  walk_in: { origin: 'desk', until: 'end', needsHealth: false },
  moved_at_desk: { origin: 'desk', until: 'start', needsHealth: false },
  /** Held for a companion, who is asked for health information when they accept. */
  invitation: { origin: 'member', until: 'start', needsHealth: false },
  invitation_at_desk: { origin: 'desk', until: 'end', needsHealth: false },
  accepted: { origin: 'member', until: 'start', needsHealth: true },
  accepted_at_desk: { origin: 'desk', until: 'end', needsHealth: false },
  waiting_list: { origin: 'waiting_list', until: 'start', needsHealth: true, refusesOverlap: true },
  /** By an entry of the waiting list that a regular booking wrote. */
  waiting_regular: { ...regular, isUnasked: true },
  regular_set_up: regular,
  /** Classes that are new, or on the timetable again. */
  regular_new_class: { ...regular, isUnasked: true },
  regular_night: { ...regular, isUnasked: true, isAnnouncedLater: true },
  /** Members had booked in the previous system. */
  import: { origin: 'import', until: 'start', needsHealth: false },
} satisfies Record<string, WayIn>

/** Why a place is not taken where nobody is shown a refusal. */
const unaskedRefusals = refusals({
  overlapping_booking: [400, 'The member has booked another class at that time.'],
  too_soon: [400, 'The class starts too soon to be booked without asking.'],
  tonight: [400, 'The credit is the member’s own until the night.'],
})

/** What decides whether a person can get, or pay for, a place. */
export type Standing = {
  isBlocked: boolean
  isHealthComplete: boolean
  /** Members without an email address are called. */
  isByPhone: boolean
  /** Since when nothing about the member is in the way of a booking; null: always. */
  ableSince: Temporal.Instant | null
  /** In the order of their expiry. `freeCredits` were there last night, too. */
  passes: readonly (Payable & { freeCredits: number })[]
  /** The classes ahead in which they have a place. */
  booked: readonly (Span & { classId: number })[]
}
type Span = { startsAt: Temporal.Instant; endsAt: Temporal.Instant }

type Class = Span & {
  id: number
  isActive: boolean
  bookedCount: number
  reservedPlaces: number
  maxParticipants: number
}

/** A place in a class, its holder (null: not known yet) and whose pass pays. */
type Wanted = {
  class: Class
  holderId: string | null
  payerId: string
  /** One of the reserved places is theirs, as it is offered to them. */
  isOffered?: boolean
  participants?: number
  usePass?: boolean
}

export type Decision = { passId: number } | { refusal: RefusalDefinition }

/**
 * Decides places one after the other; each decision takes the place, credit and time from those that follow. Refusals
 * come in the order of docs/studio-rules.md#booking.
 */
export function placePlanner(standings: ReadonlyMap<string, Standing>, now: Temporal.Instant) {
  const people = new Map(
    Array.from(standings, ([id, person]) => [
      id,
      { ...person, passes: person.passes.map((pass) => ({ ...pass })), booked: [...person.booked] },
    ]),
  )
  const taken = new Map<number, number>()

  /** @param isDry decides only: nothing is taken for the next */
  return function decide(wanted: Wanted, way: WayIn, isDry = false): Decision {
    const { class: studioClass, holderId, payerId, isOffered = false, participants = 1, usePass = true } = wanted
    const [holder, payer] = [people.get(holderId ?? ''), people.get(payerId)]
    // Erased while the class was locked.
    if (!payer || (holderId !== null && !holder)) return { refusal: bookingRefusals.no_class_pass }
    const more = taken.get(studioClass.id) ?? 0
    const refusal = refuseBeforePaying()
    if (refusal) return { refusal }
    const asked = payingPass(payer.passes, studioClass.startsAt)
    if ('refusal' in asked) return asked
    const date = studioDate(studioClass.startsAt).toString()
    const isAway = way.refusesPause && payer.passes.some((pass) => isOnPause(pass, date))
    if (isAway) return { refusal: bookingRefusals.pass_paused }
    const pass = way.isUnasked ? passPaidUnasked() : asked.pass
    if (!pass) return { refusal: unaskedRefusals.tonight }
    // After the passes: a screen that sees no credits sends false, and "no credits" is the helpful refusal then.
    if (!usePass) return { refusal: bookingRefusals.class_pass_required }
    if (holder && way.needsHealth && !holder.isHealthComplete)
      return { refusal: bookingRefusals.health_information_missing }
    if (holder && way.refusesOverlap && holder.booked.some((other) => overlaps(other, studioClass)))
      return { refusal: unaskedRefusals.overlapping_booking }
    if (isDry) return { passId: pass.id }
    pass.creditsRemaining -= 1
    pass.freeCredits -= 1
    holder?.booked.push({ ...studioClass, classId: studioClass.id })
    taken.set(studioClass.id, more + 1)
    return { passId: pass.id }

    function refuseBeforePaying(): RefusalDefinition | undefined {
      if (holder?.isBlocked || payer?.isBlocked) return accountRefusals.account_blocked
      if (participants !== 1) return bookingRefusals.one_participant_only
      if (holder?.booked.some(({ classId }) => classId === studioClass.id)) return bookingRefusals.already_booked
      if (hasStarted(way.until === 'start' ? studioClass.startsAt : studioClass.endsAt, now))
        return bookingRefusals.class_started
      if (!studioClass.isActive) return bookingRefusals.class_inactive
      const reservedPlaces = studioClass.reservedPlaces - Number(isOffered)
      if (isFull({ ...studioClass, reservedPlaces, bookedCount: studioClass.bookedCount + more }))
        return bookingRefusals.class_full
      const isTooSoon = way.isUnasked && isTooSoonUnasked(studioClass.startsAt, holder, now)
      return isTooSoon ? unaskedRefusals.too_soon : undefined
    }

    /** The pass that pays with a credit that was there last night. */
    function passPaidUnasked() {
      const [since] = freeCreditsSince(now)
      const isOwnTonight = [holder, payer].some(
        (person) => person?.ableSince && Temporal.Instant.compare(person.ableSince, since) > 0,
      )
      const free = (payer?.passes ?? []).map((pass) => ({
        ...pass,
        creditsRemaining: isOwnTonight ? 0 : pass.freeCredits,
      }))
      const paying = payingPass(free, studioClass.startsAt)
      return 'pass' in paying ? payer?.passes.find(({ id }) => id === paying.pass.id) : undefined
    }
  }
}

/**
 * The pass that pays for a class: the first to expire of those that are valid on its day and have credits. Frozen,
 * refunded and voided passes never pay, and paused ones not on the days of their pause.
 *
 * @param passes in the order of their expiry
 */
export function payingPass<P extends Payable>(
  passes: readonly P[],
  startsAt: Temporal.Instant,
): { pass: P } | { refusal: RefusalDefinition } {
  const holding = passes.filter((pass) => pass.creditsRemaining > 0 && !hasEnded(pass))
  const valid = holding.filter((pass) => isValidFor(pass, startsAt))
  const usable = valid.filter(({ frozenAt }) => !frozenAt)
  const date = studioDate(startsAt).toString()
  const pass = usable.find((each) => !isPausedOn(each, date))
  if (pass) return { pass }
  if (usable.length > 0) return { refusal: bookingRefusals.pass_paused }
  if (valid.length > 0) return { refusal: bookingRefusals.pass_on_hold }
  if (passes.length === 0) return { refusal: bookingRefusals.no_class_pass }
  const hasCreditsElsewhere = holding.length > 0
  return { refusal: hasCreditsElsewhere ? bookingRefusals.pass_expires_before_class : bookingRefusals.no_credits }
}

const isOnPause = (pass: Payable, date: string) => !hasEnded(pass) && isPausedOn(pass, date)

/** Whether a class starts too soon to be booked without a press. Source: docs/studio-rules.md#without-a-press */
function isTooSoonUnasked(startsAt: Temporal.Instant, holder: Standing | undefined, now: Temporal.Instant): boolean {
  const { waitingListHours, regularBookings } = studio.policies
  const hours = holder?.isByPhone ? regularBookings.byPhoneHours : waitingListHours
  return Temporal.Instant.compare(now, startsAt.subtract({ hours })) > 0
}

/**
 * The moments whose credits are free at `now`: the evening before the last nightly job, and that job. Credits that came
 * later are the member's own. Source: docs/studio-rules.md#without-a-press
 */
export function freeCreditsSince(now: Temporal.Instant): [Temporal.Instant, Temporal.Instant] {
  const { nightly, creditsUntil } = studio.policies.regularBookings
  const date = studioTime(now) < nightly ? studioDate(now).subtract({ days: 1 }) : studioDate(now)
  return [instantAt(date.subtract({ days: 1 }).toString(), creditsUntil), instantAt(date.toString(), nightly)]
}

/** Refusals for which a waiting list or a regular booking passes a member over, as their codes on the wire. */
export const SKIPPED: Record<string, SkipReason> = {
  account_blocked: 'blocked',
  no_class_pass: 'no_credit',
  no_credits: 'no_credit',
  pass_expires_before_class: 'no_credit',
  pass_on_hold: 'pass_on_hold',
  pass_paused: 'pass_paused',
  health_information_missing: 'health_missing',
  overlapping_booking: 'overlapping_booking',
  tonight: 'tonight',
  too_soon: 'too_soon',
}

/** Why a waiting member is skipped, or null. Source: docs/studio-rules.md#waiting-list */
export function skipReasonOf(standing: Standing, awaited: Class, way: WayIn, now: Temporal.Instant): SkipReason | null {
  const decide = placePlanner(new Map([['waiting', standing]]), now)
  const open = { ...awaited, isActive: true, bookedCount: 0, reservedPlaces: 0 }
  const decision = decide({ class: open, holderId: 'waiting', payerId: 'waiting' }, way)
  return 'refusal' in decision ? (SKIPPED[decision.refusal.code] ?? null) : null
}

type Ending = {
  /** `rule`: by the 120 minutes. A pass that has ended, or whose member was erased, gets nothing. */
  credit: 'rule' | 'back'
  /** When the pass stays valid for at least 14 days: if the studio had moved the class, or always. */
  grace: 'if_moved' | 'always' | 'never'
  /** Regular bookings do not book the date again. */
  leavesDateOut: boolean
  /** What the emails about a held place say. */
  hold: 'expired' | 'declined' | 'withdrawn' | 'class_cancelled' | 'pass_ended'
}

const back = { credit: 'back', grace: 'if_moved', leavesDateOut: false } as const

/** Why places end. Source: docs/studio-rules.md#giving-up-a-place */
export const ENDINGS = {
  cancelled: { credit: 'rule', grace: 'if_moved', leavesDateOut: true, hold: 'withdrawn' },
  moved: { ...back, leavesDateOut: true, hold: 'withdrawn' },
  expired: { ...back, hold: 'expired' },
  declined: { ...back, hold: 'declined' },
  withdrawn: { ...back, hold: 'withdrawn' },
  class_cancelled: { ...back, grace: 'always', hold: 'class_cancelled' },
  pass_ended: { ...back, grace: 'never', hold: 'pass_ended' },
  pass_paused: { ...back, grace: 'never', hold: 'withdrawn' },
  regular_ended: { ...back, hold: 'withdrawn' },
  erased: { credit: 'rule', grace: 'if_moved', leavesDateOut: false, hold: 'withdrawn' },
} satisfies Record<string, Ending>
export type EndingName = keyof typeof ENDINGS
