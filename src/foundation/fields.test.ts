import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { VISIBLE, withoutInvisible } from './clean-text.ts'
import {
  AmountInput,
  AmountText,
  DateText,
  emailAddress,
  FlagText,
  Id,
  InstantText,
  optionalText,
  Paging,
  PathId,
  requiredName,
  requiredText,
  TimeText,
  UserPathId,
  withDefault,
} from './fields.ts'

const errorOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message
const isAccepted = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success
const NO_TEXT = [undefined, null, 5, true, [], {}, ['x']]

describe('a required text', () => {
  const name = requiredText('Name is required', 10, 'Name is too long')

  test.each([...NO_TEXT, '', ' ', '\t\n'])('%j is missing', (value) => {
    expect(errorOf(name, value)).toBe('Name is required')
  })

  test('is refused beyond its limit', () => {
    expect(isAccepted(name, 'x'.repeat(10))).toBe(true)
    expect(errorOf(name, 'x'.repeat(11))).toBe('Name is too long')
    expect(errorOf(requiredText('Name is required'), 'x'.repeat(5000))).toBe('Please use at most 255 characters')
  })

  test('is kept exactly as sent, but for invisible characters', () => {
    const anything = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .map(withoutInvisible)
      .filter((text) => VISIBLE.test(text))
    fc.assert(fc.property(anything, (text) => requiredText('Missing').parse(text) === text))
  })
})

test('an optional text may be absent, null or empty, but not of another type', () => {
  for (const value of [undefined, null, '', ' kept ']) expect(optionalText().parse(value)).toBe(value)
  for (const value of [5, true, [], {}]) expect(errorOf(optionalText(), value)).toBe('Enter text.')
  expect(errorOf(optionalText(), 'x'.repeat(5001))).toBe('Please use at most 5000 characters')
})

describe('a required name', () => {
  const name = requiredName('Name is required', 10, 'Name is too long')

  test.each([...NO_TEXT, '', ' ', '\t\n\u00a0'])('%j is missing', (value) => {
    expect(errorOf(name, value)).toBe('Name is required')
  })

  test('is trimmed before its length is checked', () => {
    expect(name.parse(' Zoë  Ann\t')).toBe('Zoë  Ann')
    expect(name.parse('\u200bZoe\u0308\u00a0Ann\u202e')).toBe('Zoë Ann')
    expect(isAccepted(name, ` ${'x'.repeat(10)} `)).toBe(true)
    expect(errorOf(name, 'x'.repeat(11))).toBe('Name is too long')
  })

  test('is described with its limits', () => {
    expect(z.toJSONSchema(name, { io: 'input' })).toMatchObject({ type: 'string', minLength: 1, maxLength: 10 })
  })
})

describe('an email address', () => {
  const email = emailAddress('Invalid email address')
  test('is trimmed, and described as one', () => {
    expect(email.parse(' ana@people.example\n')).toBe('ana@people.example')
    expect(z.toJSONSchema(email, { io: 'input' })).toMatchObject({ type: 'string', format: 'email', maxLength: 254 })
  })
  test.each(['a@b', 'ana@people.example', "o'neill+tag@people.example", 'a.b-c_d@x-y.example'])('takes %s', (value) => {
    expect(isAccepted(email, value)).toBe(true)
  })
  test.each([
    ...NO_TEXT,
    '',
    'ana',
    '@people.example',
    'ana@',
    'a na@people.example',
    'ana@people..example',
    'ana@-people.example',
    'ana@people.example, boris@people.example',
    'Ana <ana@people.example>',
    `${'a'.repeat(250)}@people.example`,
  ])('refuses %j', (value) => {
    expect(errorOf(email, value)).toBe('Invalid email address')
  })
})

describe('ids', () => {
  test('in a body are whole numbers; impossible ones become an unused id', () => {
    expect(Id.parse(7)).toBe(7)
    expect(Id.parse(2_147_483_647)).toBe(2_147_483_647)
    expect(Id.parse(2_147_483_648)).toBe(0)
    expect(Id.parse(-2_147_483_648)).toBe(0)
    for (const value of ['7', 1.5, null, undefined, [7], {}, Number.NaN]) {
      expect(errorOf(Id, value)).toBe('Enter a whole number.')
    }
    expect(errorOf(z.object({ classId: Id }), {})).toBe('Choose a class.')
  })

  test('in a path are plain decimal digits of a possible id', () => {
    expect(PathId.parse({ id: '7' })).toEqual({ id: 7 })
    expect(PathId.parse({ id: '2147483647' })).toEqual({ id: 2_147_483_647 })
    const no = ['abc', '', '0', '-1', '1.5', '1.0', '1e3', '0x1', ' 1', '1 ', '+1', '2147483648', '99999999999', '\0']
    for (const id of [...no, '9'.repeat(300), '١']) expect([id, isAccepted(PathId, { id })]).toEqual([id, false])
  })

  test('of users are texts of limited length', () => {
    expect(isAccepted(UserPathId, { id: 'abc' })).toBe(true)
    expect(isAccepted(UserPathId, { id: '' })).toBe(false)
    expect(isAccepted(UserPathId, { id: 'x'.repeat(65) })).toBe(false)
  })
})

test('accepts existing dates in ISO format', () => {
  for (const day of ['2026-12-07', '2024-02-29', '1900-01-01', '2199-12-31'])
    expect(isAccepted(DateText(), day)).toBe(true)
  const no = ['2026-02-29', '2026-13-01', '2026-00-10', '07/12/2026', '2026-12-7', '1899-12-31', '2200-01-01', 'soon']
  for (const day of [...no, '', '2026-12-07T09:00', 20261207, null, undefined, []]) {
    expect([day, errorOf(DateText('Date is required'), day)]).toEqual([day, 'Date is required'])
  }
})

test('accepts times as HH:mm', () => {
  for (const time of ['00:00', '09:30', '23:59']) expect(isAccepted(TimeText(), time)).toBe(true)
  for (const time of ['24:00', '9:30', '09:60', '09:30:00', '0930', '', ' 09:30', 930, null, undefined]) {
    expect([time, errorOf(TimeText('Start time is required'), time)]).toEqual([time, 'Start time is required'])
  }
})

test('accepts pounds as a number or as people type them, and distinguishes a missing price', () => {
  const price = AmountInput('Price is required')
  for (const value of ['45', '45.5', '45.00', 45, 45.5, 0, '0', '999999.99', '£45', '1,200', ' 45 ']) {
    expect([value, isAccepted(price, value)]).toEqual([value, true])
  }
  for (const value of ['', ' ', null, undefined]) {
    expect([value, errorOf(price, value)]).toEqual([value, 'Price is required'])
  }
  const no = ['free', '-1', -1, '1.234', 1.234, '1e3', 1e21, Number.NaN, Number.POSITIVE_INFINITY, '45,50', '45.00.00']
  for (const value of [...no, true, [], {}, ['45']]) {
    const sentence = 'Please write the price in pounds, such as 45, 45.50 or 1,200'
    expect([value, errorOf(price, value)]).toEqual([value, sentence])
  }
  expect(errorOf(price, '1000000')).toBe('Please use a price below £1,000,000')
})

test('a price can have a minimum', () => {
  const price = AmountInput('Price is required', { pence: 30, message: 'At least 30 pence' })
  for (const value of ['0.30', 0.3, '1']) expect(isAccepted(price, value)).toBe(true)
  for (const value of ['0.29', 0, '0', 0.1])
    expect([value, errorOf(price, value)]).toEqual([value, 'At least 30 pence'])
})

test('paging is optional and refuses invalid values', () => {
  expect(Paging.parse({})).toEqual({})
  expect(Paging.parse({ limit: '5', offset: '10', search: 'ana', sort: 'x' })).toEqual({
    limit: 5,
    offset: 10,
    search: 'ana',
  })
  for (const query of [{ limit: '0' }, { limit: '-1' }, { limit: 'x' }, { offset: '-1' }, { limit: ['1', '2'] }]) {
    expect([query, isAccepted(Paging, query)]).toEqual([query, false])
  }
})

test('an optional field uses its default for absent and null', () => {
  const places = z.object({ places: withDefault(z.int('Whole').max(2, 'Two'), 2) })
  expect(places.parse({})).toEqual({ places: 2 })
  expect(places.parse({ places: null })).toEqual({ places: 2 })
  expect(places.parse({ places: 1 })).toEqual({ places: 1 })
  expect(places.safeParse({ places: 3 }).error?.issues.map(({ message }) => message)).toEqual(['Two'])
})

describe('a flag in a query', () => {
  const all = FlagText('Enter true or false for all')

  test('is true or false', () => {
    expect([all.parse('true'), all.parse('false')]).toEqual([true, false])
  })

  test.each([undefined, null, true, '', '1', 'yes', 'on', 'True', 'FALSE', ' true', ['true']])(
    'refuses %j',
    (value) => {
      expect(errorOf(all, value)).toBe('Enter true or false for all')
    },
  )

  test('is an enum in the OpenAPI document', () => {
    const input = { type: 'string', enum: ['true', 'false'] }
    expect(z.toJSONSchema(FlagText(), { io: 'input' })).toMatchObject(input)
  })
})

describe('fields of a response', () => {
  test('write instants as ISO 8601 in UTC and leave texts as they are', () => {
    const text = '2026-12-07T09:30:00.5Z'
    expect(InstantText.parse(Temporal.Instant.from(text))).toBe(text)
    expect(InstantText.parse(text)).toBe(text)
    for (const value of [...NO_TEXT, '2026-12-07']) expect(isAccepted(InstantText, value)).toBe(false)
  })

  test('write pence with two decimals and leave texts as they are', () => {
    expect(AmountText.parse(4550)).toBe('45.50')
    expect(AmountText.parse(-5)).toBe('-0.05')
    expect(AmountText.parse('45.00')).toBe('45.00')
    for (const value of [undefined, null, Number.NaN, '45', true]) expect(isAccepted(AmountText, value)).toBe(false)
  })
})
