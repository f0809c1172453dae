import { describe, expect, test } from 'vitest'
import {
  type Consent,
  fillPlaceholders,
  joinWithAnd,
  leftOutBecause,
  maySendMarketing,
  placeholderError,
} from './rules.ts'
import { audienceOf, textOf } from './web/messages.ts'

const at = (time: string) => Temporal.Instant.from(`2026-12-07T${time}Z`)
const [never, nine, later] = [null, at('09:00:00'), at('09:00:01')]

test.for([
  ['Hello {firstName}', false, undefined],
  ['Hello { firstName }', false, undefined],
  ['A } closed, and a { open', false, undefined],
  ['{classTitle} at {classTime}', true, undefined],
  ['{classTitle}', false, '“classTitle” can only be filled in'],
  ['{fristName}', true, 'There is no placeholder “fristName”'],
  ['{}', true, 'There is no placeholder “”'],
  ['{toString}', true, 'There is no placeholder “toString”'],
  ['{firstName} and {lastName}', true, 'There is no placeholder “lastName”'],
] as const)('%s, for people with classes: %s: %s', ([text, knowsClasses, fault]) => {
  const found = placeholderError(text, knowsClasses)
  if (fault === undefined) expect(found).toBeUndefined()
  else expect(found).toContain(fault)
})

test('fills in placeholders once: a name that looks like a placeholder stays', () => {
  const values = { firstName: '{classTitle} $& Ana', classTitle: 'Duo', classTime: '09:30' }
  expect(fillPlaceholders('{firstName}: { classTitle }, {classTime}, {other}', values)).toBe(
    '{classTitle} $& Ana: Duo, 09:30, {other}',
  )
})

test.for([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b and c'],
] as const)('%j is joinWithAnd as %s', ([items, words]) => {
  expect(joinWithAnd(items)).toBe(words)
})

describe('news and offers', () => {
  test.for([
    [never, never, false],
    [nine, never, true],
    [never, nine, false],
    [nine, nine, false],
    [nine, later, false],
    [later, nine, true],
  ] as const)('agreed at %s, objected at %s: %s', ([agreedAt, objectedAt, may]) => {
    expect(maySendMarketing({ agreedAt, objectedAt })).toBe(may)
  })

  const agreed: Consent = { agreedAt: nine, objectedAt: never }
  test.for([
    ['service', { agreedAt: never, objectedAt: nine }, {}, undefined],
    ['service', agreed, { isRefused: true }, 'address_refused'],
    ['service', agreed, { isBlocked: true }, undefined],
    ['service', agreed, { email: null }, 'no_address'],
    ['marketing', agreed, { email: null }, 'no_address'],
    ['marketing', agreed, {}, undefined],
    ['marketing', agreed, { isRefused: true }, 'address_refused'],
    ['marketing', agreed, { isBlocked: true }, 'blocked'],
    ['marketing', { agreedAt: never, objectedAt: never }, { isRefused: true }, 'not_opted_in'],
    ['marketing', { agreedAt: never, objectedAt: nine }, {}, 'objected'],
    ['marketing', { agreedAt: nine, objectedAt: later }, {}, 'objected'],
  ] as const)('%s to %j, %j; left out because: %s', ([kind, consent, state, reason]) => {
    expect(
      leftOutBecause(kind, { ...consent, isRefused: false, isBlocked: false, email: 'a@b.example', ...state }),
    ).toBe(reason)
  })
})

test.for([
  ['members', 'members'],
  ['class:12', { classId: 12 }],
  ['days:2026-12-08..2026-12-09', { from: '2026-12-08', to: '2026-12-09' }],
  ['people:a-1,b-2', { userIds: ['a-1', 'b-2'] }],
] as const)('writes and reads the audience %s', ([text, audience]) => {
  expect(audienceOf(text)).toEqual(audience)
  expect(audienceOf(text) && textOf(audienceOf(text) as never)).toBe(text)
})

test.for([null, '', 'everybody', 'class:', 'class:x', 'days:tomorrow', 'people:'])('%s is not an audience', (text) => {
  expect(audienceOf(text)).toBeUndefined()
})
