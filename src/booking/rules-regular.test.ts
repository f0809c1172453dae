import { describe, expect, test } from 'vitest'
import type { RegularCode } from './contract-regular.ts'
import { type Standing, WAYS_IN } from './rules-places.ts'
import { type Candidate, doCreditsEndSoon, lastRegularDate, planRegularDates } from './rules-regular.ts'

const at = (text: string) => Temporal.Instant.from(text)

test.each([
  ['2026-12-07T09:00:00Z', '2027-03-01'],
  // Half past midnight in London, the evening before in UTC.
  ['2027-04-01T23:30:00Z', '2027-06-25'],
  ['2027-04-01T22:59:59Z', '2027-06-24'],
])('at %s books until %s', (now, last) => expect(lastRegularDate(at(now))).toBe(last))

test.each([
  [['2026-12-21'], ['no_credit'], true],
  [['2026-12-22'], ['no_credit'], false],
  [[], ['no_credit'], true],
  [['2026-12-21'], [], false],
  [['2026-12-21'], ['full', 'closed', 'pass_paused'], false],
] as [string[], RegularCode[], boolean][])('with %j booked and %j not, credits end soon: %s', (dates, codes, soon) =>
  expect(doCreditsEndSoon(dates, codes, at('2026-12-07T09:00:00Z'))).toBe(soon),
)

describe('the plan for several dates', () => {
  const now = at('2026-12-07T09:00:00Z')
  const pass = (id: number, creditsRemaining: number, expiresAt = '2027-12-31T23:59:59Z') => ({
    id,
    creditsRemaining,
    expiresAt: at(expiresAt),
    paused: [],
    frozenAt: null,
    refundedAt: null,
    voidedAt: null,
    freeCredits: creditsRemaining,
  })
  const member = (more: Partial<Standing> = {}): Standing => {
    const able = { isBlocked: false, isHealthComplete: true, isByPhone: false, ableSince: null }
    return { ...able, booked: [], passes: [pass(1, 2)], ...more }
  }
  const wish = (userId: string, date: string, more: object = {}, of: object = {}): Candidate => ({
    userId,
    isBooked: false,
    isLeftOut: false,
    companion: null,
    ...more,
    class: {
      id: Number(date.slice(-2)),
      startsAt: at(`${date}T08:00:00Z`),
      endsAt: at(`${date}T08:45:00Z`),
      isActive: true,
      bookedCount: 0,
      reservedPlaces: 0,
      maxParticipants: 1,
      ...of,
    },
  })
  const planOf = (wishes: Candidate[], members: Record<string, Standing>) =>
    planRegularDates(wishes, new Map(Object.entries(members)), WAYS_IN.regular_set_up, now).map(({ decision }) =>
      'code' in decision ? decision.code : decision.passId,
    )
  const FRIDAYS = ['2026-12-11', '2026-12-18', '2026-12-25']

  test('spends each credit once, in order of date', () => {
    const wishes = FRIDAYS.map((date) => wish('ana', date))
    expect(planOf(wishes, { ana: member() })).toEqual([1, 1, 'no_credit'])
    const passes = [pass(1, 5, '2026-12-18T07:59:59Z'), pass(2, 1)]
    expect(planOf(wishes, { ana: member({ passes }) })).toEqual([1, 2, 'no_credit'])
  })

  test('gives the last place to the first, and keeps held places', () => {
    const both = [wish('ana', '2026-12-11'), wish('eva', '2026-12-11')]
    expect(planOf(both, { ana: member(), eva: member() })).toEqual([1, 'full'])
    expect(planOf([wish('ana', '2026-12-11', {}, { reservedPlaces: 1 })], { ana: member() })).toEqual(['full'])
  })

  describe('with a companion', () => {
    const bea = { userId: 'bea', isBooked: false, isLeftOut: false }
    const together = (members: Record<string, Standing>, more: object = {}, of: object = {}) =>
      planRegularDates(
        FRIDAYS.slice(0, 2).map((date) =>
          wish('ana', date, { companion: bea, ...more }, { maxParticipants: 2, ...of }),
        ),
        new Map(Object.entries({ bea: member({ passes: [] }), ...members })),
        WAYS_IN.regular_set_up,
        now,
      ).map(({ decision, companionDecision }) =>
        [decision, companionDecision].map((one) => one && ('code' in one ? one.code : one.passId)),
      )

    test.each([
      [
        'both places with the member’s credits',
        { ana: member({ passes: [pass(1, 3)] }) },
        {},
        {},
        [
          [1, 1],
          [1, 'no_credit'],
        ],
      ],
      [
        'the member’s own place where one is left',
        { ana: member({ passes: [pass(1, 4)] }) },
        {},
        { bookedCount: 1 },
        [
          [1, 'full'],
          [1, 'full'],
        ],
      ],
      [
        'a place for the companion where the member has one',
        { ana: member() },
        { isBooked: true },
        { bookedCount: 1 },
        [
          ['already_booked', 1],
          ['already_booked', 1],
        ],
      ],
      [
        'nothing for the companion where the member does not come',
        { ana: member() },
        { isLeftOut: true },
        {},
        [
          ['skipped', null],
          ['skipped', null],
        ],
      ],
      [
        'only the member without the companion’s health information',
        { ana: member({ passes: [pass(1, 4)] }), bea: member({ isHealthComplete: false }) },
        {},
        {},
        [
          [1, 'health_missing'],
          [1, 'health_missing'],
        ],
      ],
      [
        'only the member where the companion has left the date out',
        { ana: member() },
        { companion: { ...bea, isLeftOut: true } },
        {},
        [
          [1, 'skipped'],
          [1, 'skipped'],
        ],
      ],
      [
        'only the member where the companion has another class',
        { ana: member(), bea: member({ booked: [{ ...wish('bea', '2026-12-11').class, classId: 2 }] }) },
        {},
        {},
        [
          [1, 'overlapping_booking'],
          [1, 'no_credit'],
        ],
      ],
    ] as const)('books %s', (_, members, more, of, expected) => expect(together(members, more, of)).toEqual(expected))
  })

  test('books one of several classes at the same time, and none of them once it is skipped', () => {
    const [one, other] = [wish('ana', '2026-12-11'), wish('ana', '2026-12-11', {}, { id: 12 })]
    const both = (first: Candidate, second: Candidate) =>
      planRegularDates([first, second], new Map([['ana', member()]]), WAYS_IN.regular_set_up, now).map(
        ({ class: studioClass, decision }) => [studioClass.id, decision],
      )
    expect(both(one, other)).toEqual([[11, { passId: 1 }]])
    expect(both({ ...one, class: { ...one.class, bookedCount: 1 } }, other)).toEqual([[12, { passId: 1 }]])
    expect(both(one, { ...other, isLeftOut: true })).toEqual([[11, { code: 'skipped' }]])
  })

  test.each([
    ['already_booked', { isBooked: true, isLeftOut: true }, {}, {}],
    ['skipped', { isLeftOut: true }, { isActive: false }, {}],
    ['closed', {}, { isActive: false }, { isBlocked: true }],
    ['blocked', {}, {}, { isBlocked: true }],
    ['pass_paused', {}, {}, { passes: [{ ...pass(1, 1), paused: [{ from: '2026-12-11', to: '2026-12-11' }] }] }],
    [
      'pass_paused',
      {},
      {},
      { passes: [{ ...pass(1, 0), paused: [{ from: '2026-12-01', to: '2026-12-11' }] }, pass(2, 1)] },
    ],
    ['health_missing', {}, { bookedCount: 1 }, { isHealthComplete: false }],
    ['overlapping_booking', {}, {}, { booked: [{ ...wish('ana', '2026-12-11').class, classId: 2 }] }],
  ])('names the first reason: %s', (code, more, of, has) =>
    expect(planOf([wish('ana', '2026-12-11', more, of)], { ana: member(has) })).toEqual([code]),
  )
})
