import { describe, expect, test } from 'vitest'
import { studio } from '#studio.ts'
import { london } from '#testing/frozen-clock.ts'
import { bookingRefusals, companionRefusals, goodwillRefusal } from './refusals.ts'
import {
  cancellationAt,
  cancellationDeadline,
  canHaveCompanion,
  freedPlaceAt,
  graceUntil,
  hasOffer,
  isTeachingDay,
  lastAssignmentOf,
  ownUndoUntil,
  paymentAfter,
  turnUntil,
} from './rules.ts'
import { payingPass, type Standing, skipReasonOf, WAYS_IN } from './rules-places.ts'

test('names the limits for companions in the refusals', () => {
  const { noticeHours, held } = studio.policies.companions
  expect(companionRefusals.too_late_to_invite.message).toContain(`until ${noticeHours} hours before`)
  expect(companionRefusals.too_many_held_places.message).toContain(`hold ${held} places`)
})

describe('cancelling a class at 18:00', () => {
  const startsAt = london('2026-12-07 18:00')
  const deadlineOf = (at: string) => cancellationDeadline({ startsAt: london(at), isMoved: false })
  test.each([
    ['2026-12-06 18:00:00', 'credit_returned'],
    ['2026-12-07 15:59:59', 'credit_returned'],
    ['2026-12-07 16:00:00', 'forfeited'],
    ['2026-12-07 16:00:01', 'forfeited'],
    ['2026-12-07 17:59:59', 'forfeited'],
    ['2026-12-07 18:00:00', 'too_late'],
    ['2026-12-07 18:00:01', 'too_late'],
  ])('at %s: %s', (now, outcome) => {
    expect(cancellationAt(london(now), { startsAt, isMoved: false })).toBe(outcome)
  })

  test.each([
    ['2026-12-07 15:59:59', 'credit_returned'],
    ['2026-12-07 16:00:00', 'credit_returned'],
    ['2026-12-07 17:59:59', 'credit_returned'],
    ['2026-12-07 18:00:00', 'too_late'],
  ])('after the studio moved it, at %s: %s', (now, outcome) => {
    expect(cancellationAt(london(now), { startsAt, isMoved: true })).toBe(outcome)
  })

  test('counts elapsed minutes across a clock change: 120 before 02:30 on the day the clock goes forward is 23:30', () => {
    // 29 March 2026: 01:00 becomes 02:00, so 02:30 is ninety minutes after midnight.
    expect(deadlineOf('2026-03-29 02:30')).toEqual(london('2026-03-28 23:30'))
    // 25 October 2026: 01:00 to 02:00 happens twice, so midnight to 02:00 is three hours.
    expect(deadlineOf('2026-10-25 03:00')).toEqual(london('2026-10-25 02:00').subtract({ minutes: 60 }))
  })
})

test.each([
  ['paid', false, 'credit_not_forfeited'],
  ['refunded', false, 'credit_already_returned'],
  ['refunded', true, 'credit_already_returned'],
  ['forfeited', false, undefined],
  ['forfeited', true, 'pass_voided'],
] as const)('giving back a credit that is %s (pass ended: %s): %s', (paymentStatus, hasPassEnded, code) => {
  expect(goodwillRefusal({ paymentStatus, hasPassEnded })?.code).toBe(code)
})

test.each([
  ['confirmed', true, true],
  ['completed', false, true],
  ['no_show', false, false],
  ['cancelled', false, false],
] as const)('a %s booking can get a companion: %s, at the desk: %s', (status, online, atDesk) => {
  expect([canHaveCompanion(status, false), canHaveCompanion(status, true)]).toEqual([online, atDesk])
})

describe('a member’s cancellation at 10:00', () => {
  test.each([
    ['2026-12-07 10:00:00', true],
    ['2026-12-07 10:00:11', true],
    ['2026-12-07 10:00:12', false],
    ['2026-12-07 10:00:13', false],
  ])('at %s can be undone: %s', (now, isUndoable) => {
    expect(Temporal.Instant.compare(london(now), ownUndoUntil(london('2026-12-07 10:00'))) < 0).toBe(isUndoable)
  })

  test('is offered for undoing a little shorter than allowed', () => {
    const { offeredSeconds, allowedSeconds } = studio.policies.cancellationUndo
    expect([offeredSeconds, allowedSeconds]).toEqual([10, 12])
  })
})

describe('a freed place in a class at 21:00 with a waiting list', () => {
  const startsAt = london('2026-12-07 21:00')
  test.each([
    ['2026-12-01 09:00:00', 'given'],
    ['2026-12-07 08:59:59', 'given'],
    ['2026-12-07 09:00:00', 'given'],
    ['2026-12-07 09:00:01', 'offered'],
    ['2026-12-07 17:59:59', 'offered'],
    ['2026-12-07 18:00:00', 'announced'],
    ['2026-12-07 20:59:59', 'announced'],
    ['2026-12-07 21:00:00', 'left'],
    ['2026-12-07 21:00:01', 'left'],
  ])('at %s is %s', (now, becomes) => {
    expect(freedPlaceAt(london(now), startsAt)).toBe(becomes)
  })

  test('is assigned for the last time at 09:00', () => {
    expect(lastAssignmentOf(startsAt)).toEqual(london('2026-12-07 09:00'))
  })

  test('counts elapsed hours across a clock change: 12 before 19:00 on the day the clock goes forward is 07:00', () => {
    expect(lastAssignmentOf(london('2026-03-29 13:00'))).toEqual(london('2026-03-29 00:00'))
  })

  test.each([
    ['2026-12-07 09:00:01', '2026-12-07 09:20:01'],
    ['2026-12-07 17:40:00', '2026-12-07 18:00:00'],
    ['2026-12-07 17:40:01', '2026-12-07 18:00:00'],
    ['2026-12-07 17:59:59', '2026-12-07 18:00:00'],
  ])('offered at %s is theirs until %s', (now, until) => {
    expect(turnUntil(london(now), startsAt)).toEqual(london(until))
  })

  test.each([
    // The clock goes back at 02:00 on 25 October: 08:00 is 10 hours after 23:00.
    ['2026-10-25 08:00', '2026-10-24 22:59', 'announced'],
    ['2026-10-25 13:30', '2026-10-25 09:30', 'offered'],
    ['2026-10-25 12:30', '2026-10-24 23:30', 'waits'],
    // And forward at 01:00 on 29 March.
    ['2026-03-29 19:00', '2026-03-29 07:00', 'given'],
    ['2026-03-29 18:59', '2026-03-29 07:00', 'offered'],
    ['2026-03-29 10:30', '2026-03-29 07:30', 'announced'],
    ['2026-03-29 10:31', '2026-03-29 07:30', 'offered'],
  ])('in a class at %s, around a clock change at %s, is %s', (starts, now, becomes) => {
    expect(freedPlaceAt(london(now), london(starts))).toBe(becomes)
  })

  test.each([
    ['2026-12-07 14:19:59', true],
    ['2026-12-07 14:20:00', false],
  ])('offered until 14:20 is offered at %s: %s', (now, isOffered) => {
    expect(hasOffer({ offeredUntil: london('2026-12-07 14:20') }, london(now))).toBe(isOffered)
    expect(hasOffer({ offeredUntil: null }, london(now))).toBe(false)
  })
})

describe('a place freed at night', () => {
  test.each([
    // London time: 22:00 is quiet, 07:00 is not.
    ['2026-12-07 21:59:59', '2026-12-08 18:00', 'given'],
    ['2026-12-07 22:00:00', '2026-12-08 18:00', 'waits'],
    ['2026-12-08 06:59:59', '2026-12-08 18:00', 'waits'],
    ['2026-12-08 07:00:00', '2026-12-08 18:00', 'offered'],
    ['2026-12-08 07:00:00', '2026-12-08 10:00', 'announced'],
    ['2026-12-08 07:00:00', '2026-12-08 10:01', 'offered'],
    ['2026-12-08 07:00:00', '2026-12-08 19:00', 'given'],
    ['2026-07-08 06:59:59', '2026-07-09 18:00', 'waits'],
    // For a class before 10:00 that morning, everyone is emailed immediately.
    ['2026-12-07 22:00:00', '2026-12-08 09:59', 'announced'],
    ['2026-12-08 03:00:00', '2026-12-08 07:00', 'announced'],
    ['2026-12-08 03:00:00', '2026-12-08 10:00', 'waits'],
    ['2026-12-07 22:00:00', '2026-12-09 09:00', 'waits'],
    ['2026-12-07 23:00:00', '2026-12-07 22:30', 'left'],
  ])('at %s in a class at %s is %s', (now, startsAt, becomes) => {
    expect(freedPlaceAt(london(now), london(startsAt))).toBe(becomes)
  })
})

test.each([
  ['2026-12-07 09:00', '2026-12-21T23:59:59Z'],
  ['2026-12-07 23:59:59', '2026-12-21T23:59:59Z'],
  // Half past midnight in a London summer is still yesterday in UTC.
  ['2026-07-01 00:30', '2026-07-15T22:59:59Z'],
])('a credit returned by the studio at %s is valid until %s', (now, until) => {
  expect(graceUntil(london(now)).toString()).toBe(until)
})

test.each([
  ['completed', 'paid', 'paid'],
  ['completed', 'forfeited', 'paid'],
  ['completed', 'refunded', 'refunded'],
  ['no_show', 'paid', 'forfeited'],
  ['no_show', 'forfeited', 'forfeited'],
  ['no_show', 'refunded', 'refunded'],
] as const)('%s changes a credit from %s to %s', (attendance, before, after) => {
  expect(paymentAfter(attendance, before)).toBe(after)
})

describe('payingPass', () => {
  const startsAt = london('2026-12-10 09:30')
  type Pass = Parameters<typeof payingPass>[0][number]
  const pass = (id: number, creditsRemaining: number, expires: string): Pass => ({
    id,
    creditsRemaining,
    expiresAt: london(expires),
    frozenAt: null,
    refundedAt: null,
    voidedAt: null,
    paused: [],
  })
  const frozen = { ...pass(1, 3, '2027-01-01 23:59:59'), frozenAt: london('2026-12-01 10:00') }
  const refunded = { ...pass(2, 3, '2027-01-01 23:59:59'), refundedAt: london('2026-12-01 10:00') }
  const paused = { ...pass(5, 3, '2027-01-01 23:59:59'), paused: [{ from: '2026-12-08', to: '2026-12-10' }] }
  const voided = { ...pass(4, 3, '2027-01-01 23:59:59'), voidedAt: london('2026-12-01 10:00') }

  test('picks the first to expire of the valid passes with credits', () => {
    const passes = [
      pass(1, 5, '2026-12-09 23:59:59'),
      pass(2, 0, '2026-12-10 23:59:59'),
      pass(3, 1, '2026-12-20 23:59:59'),
      pass(4, 8, '2027-01-20 23:59:59'),
    ]
    expect(payingPass(passes, startsAt)).toMatchObject({ pass: { id: 3 } })
  })

  test('accepts a pass on its last day', () => {
    expect(payingPass([pass(1, 1, '2026-12-10 23:59:59')], startsAt)).toMatchObject({ pass: { id: 1 } })
  })

  test('skips frozen, paused, refunded and voided passes', () => {
    expect(payingPass([frozen, paused, refunded, voided, pass(3, 1, '2027-02-01 23:59:59')], startsAt)).toMatchObject({
      pass: { id: 3 },
    })
  })

  test.each([
    ['2026-12-07 23:59', '2026-12-11 00:00'],
    ['2026-12-01 10:00', '2026-12-31 10:00'],
  ])('accepts a paused pass before and after its pause: %s, %s', (before, after) => {
    for (const at of [before, after]) expect(payingPass([paused], london(at))).toMatchObject({ pass: { id: 5 } })
  })

  test.each([
    ['credits on a frozen pass only', [frozen, refunded], bookingRefusals.pass_on_hold],
    ['credits on a paused pass only', [paused], bookingRefusals.pass_paused],
    ['credits on a frozen and a paused pass', [frozen, paused], bookingRefusals.pass_paused],
    ['credits on a refunded pass only', [refunded], bookingRefusals.no_credits],
    ['credits on a voided pass only', [voided], bookingRefusals.no_credits],
    ['no pass at all', [], bookingRefusals.no_class_pass],
    ['only empty ones', [pass(1, 0, '2027-01-01 23:59:59')], bookingRefusals.no_credits],
    ['credits that expire before', [pass(1, 3, '2026-12-09 23:59:59')], bookingRefusals.pass_expires_before_class],
    [
      'empty and expiring',
      [pass(1, 3, '2026-12-09 23:59:59'), pass(2, 0, '2027-01-01 23:59:59')],
      bookingRefusals.pass_expires_before_class,
    ],
  ])('%s is refused', (_case, passes, refusal) => {
    expect(payingPass(passes, startsAt)).toEqual({ refusal })
    expect(refusal.message).toMatch(/class pass/)
  })
})

describe('a member waiting for a class at 18:00', () => {
  const times = { startsAt: london('2026-12-07 18:00'), endsAt: london('2026-12-07 18:45') }
  const awaited = { id: 1, ...times, isActive: true, bookedCount: 1, reservedPlaces: 0, maxParticipants: 1 }
  const pass = {
    id: 1,
    creditsRemaining: 1,
    expiresAt: london('2026-12-07 23:59:59'),
    frozenAt: null,
    refundedAt: null,
    voidedAt: null,
    paused: [],
    freeCredits: 1,
  }
  const able = { isBlocked: false, isHealthComplete: true, isByPhone: false, ableSince: null }
  const ready: Standing = { ...able, passes: [pass], booked: [] }
  const at = (from: string, until: string) => [
    { classId: 2, startsAt: london(`2026-12-07 ${from}`), endsAt: london(`2026-12-07 ${until}`) },
  ]
  test.each([
    ['is not skipped', {}, null],
    ['is skipped when blocked', { isBlocked: true }, 'blocked'],
    ['is skipped without a pass', { passes: [] }, 'no_credit'],
    [
      'is skipped when the pass ends before',
      { passes: [{ ...pass, expiresAt: london('2026-12-06 23:59:59') }] },
      'no_credit',
    ],
    [
      'is skipped when the pass is on hold',
      { passes: [{ ...pass, frozenAt: london('2026-12-01 10:00') }] },
      'pass_on_hold',
    ],
    [
      'is skipped when the pass is paused that day',
      { passes: [{ ...pass, paused: [{ from: '2026-12-07', to: '2026-12-07' }] }] },
      'pass_paused',
    ],
    ['is skipped without health information', { isHealthComplete: false }, 'health_missing'],
    ['is skipped with a booking until 18:01', { booked: at('17:15', '18:01') }, 'overlapping_booking'],
    ['is skipped with a booking from 18:44', { booked: at('18:44', '19:30') }, 'overlapping_booking'],
    [
      'is not skipped with bookings right before or after',
      { booked: [...at('17:15', '18:00'), ...at('18:45', '19:30')] },
      null,
    ],
  ] as const)('%s', (_case, state, reason) => {
    expect(skipReasonOf({ ...ready, ...state }, awaited, WAYS_IN.waiting_list, london('2026-12-01 10:00'))).toBe(reason)
  })
})

describe('a teacher sees the members of a class on 7 December', () => {
  test.each([
    ['2026-12-06 23:59:59', false],
    ['2026-12-07 00:00:00', true],
    ['2026-12-07 23:59:59', true],
    ['2026-12-08 00:00:00', false],
  ])('at %s: %s', (now, may) => {
    expect(isTeachingDay('2026-12-07', london(now))).toBe(may)
  })

  test('by London time in summer', () => {
    expect(isTeachingDay('2026-07-07', Temporal.Instant.from('2026-07-06T23:00:00Z'))).toBe(true)
    expect(isTeachingDay('2026-07-07', Temporal.Instant.from('2026-07-06T22:59:59Z'))).toBe(false)
  })
})
