import { expect, test } from 'vitest'
import { dateOf, proofOf } from './dates.ts'
import { emailOf } from './emails.ts'
import { nameOf } from './names.ts'
import { phoneOf } from './phones.ts'
import { startOf, timeOf } from './times.ts'
import { consentOf, creditsOf, isFormula, isNone } from './words.ts'

test.each(['', 'N/A', 'n/a', '-', '—', 'None', '#N/A', 'not given'])('%j says that there is nothing', (cell) => {
  expect(isNone(cell)).toBe(true)
})

test.each([
  ['', 0],
  ['N/A', 0],
  ['8', 8],
  ['8.0', 8],
  ['8,0', 8],
  ['5 of 8', 5],
  ['5/8', 5],
  ['5 credits', 5],
  ['3 classes left', 3],
  ['1000', 1000],
  ['1001', undefined],
  ['1,000', undefined],
  ['-1', undefined],
  ['8.5', undefined],
  ['1e3', undefined],
  ['Unlimited', undefined],
])('reads the cell %j as %s credits', (cell, credits) => {
  expect(creditsOf(cell)).toBe(credits)
})

test.each([
  ['', null],
  ['N/A', null],
  ['2026-12-31', '2026-12-31'],
  ['2026-12-31T23:59:00Z', '2026-12-31'],
  ['2026/12/31', '2026-12-31'],
  ['31/12/2026', '2026-12-31'],
  ['31-12-2026', '2026-12-31'],
  ['31/12/26', '2026-12-31'],
  ['31‑12‑2026', '2026-12-31'],
  ['1/2/2027', '2027-02-01'],
  ['31.12.2026 00:00', '2026-12-31'],
  ['20261231', '2026-12-31'],
  ['46387', '2026-12-31'],
  ['46387.395833', '2026-12-31'],
  ['1798675200', '2026-12-31'],
  ['1798675200000', '2026-12-31'],
  ['31 Dec 2026', '2026-12-31'],
  ['31-Dec-26', '2026-12-31'],
  ['1st February 2027', '2027-02-01'],
  ['Thu 31-Dec-2026 23:59', '2026-12-31'],
  ['Dec 31, 2026', '2026-12-31'],
  ['Dec 31 2026', '2026-12-31'],
  ['Thursday, December 3rd 2026, 11:59 PM', '2026-12-03'],
  ['3 Sept 2026', '2026-09-03'],
  ['12/31/2026', undefined],
  ['29/02/2027', undefined],
  ['31 Decor 2026', undefined],
  ['Feb 30, 2027', undefined],
  ['12', undefined],
  ['soon', undefined],
])('reads the cell %j as the day %s', (cell, date) => {
  expect(dateOf(cell, 'day_first')).toBe(date)
})

test('reads the month first if the file does, and dates that name their parts as ever', () => {
  const cells = ['03/04/2027', '3-4-27', '2027-03-04', '4 March 2027']
  expect(cells.map((cell) => dateOf(cell, 'month_first'))).toEqual(cells.map(() => '2027-03-04'))
  expect(dateOf('31/12/2026', 'month_first')).toBeUndefined()
})

test('sees which dates can be read in one order only', () => {
  expect(proofOf(['03/04/2027', '12/31/2026', '01/12/2027'])).toEqual({
    dayFirst: 0,
    monthFirst: 1,
    example: '12/31/2026',
  })
  expect(proofOf(['31/12/2026', '99/99/2026'])).toMatchObject({ dayFirst: 1, monthFirst: 0 })
})

test.each([
  ['', null],
  ['09:30', '09:30'],
  ['9:30', '09:30'],
  ['9.30 am', '09:30'],
  ['9:30 p.m.', '21:30'],
  ['09:30:00', '09:30'],
  ['9am', '09:00'],
  ['0930', '09:30'],
  ['930', '09:30'],
  ['1730', '17:30'],
  ['09:30 - 10:15', '09:30'],
  ['09:30–10:15', '09:30'],
  ['0930-1015', '09:30'],
  ['9:30 - 10:15 am', '09:30'],
  ['5:30 - 6:15 pm', '17:30'],
  ['11:30 - 12:15 pm', '11:30'],
  ['0.395833', '09:30'],
  ['12:00 am', '00:00'],
  ['24:00', undefined],
  ['9', undefined],
  ['noon', undefined],
])('reads the cell %j as the time %s', (cell, time) => {
  expect(timeOf(cell)).toBe(time)
})

test.each([
  ['January 11, 2027 9:30 am', '2027-01-11', '09:30'],
  ['2027-01-11 09:30', '2027-01-11', '09:30'],
  ['2027-01-11T09:30:00', '2027-01-11', '09:30'],
  ['11/01/2027 09:30', '2027-01-11', '09:30'],
  ['Mon 11 Jan 2027, 9.30am - 10.15am', '2027-01-11', '09:30'],
  // Summer time in London.
  ['2027-07-12T08:30:00Z', '2027-07-12', '09:30'],
  ['2027-07-12 10:30:00 +02:00', '2027-07-12', '09:30'],
  ['46398.395833', '2027-01-11', '09:30'],
])('reads the cell %j as %s at %s', (cell, date, startTime) => {
  expect(startOf(cell, 'day_first')).toEqual({ date, startTime })
})

test('takes a date without a time for no start', () => {
  expect([startOf('11/01/2027', 'day_first'), startOf('', 'day_first')]).toEqual([undefined, null])
})

test.each([
  ['', null, undefined],
  ['n/a', null, undefined],
  ['+44 (0)7700 900105', '+44 (0)7700 900105', undefined],
  ['’07700900109', '07700900109', undefined],
  ['07700‑900112', '07700-900112', undefined],
  ['Tel: 07700900117', '07700900117', undefined],
  ['+44·7700·900120', '+44 7700 900120', undefined],
  ['7700900103.0', '7700900103', undefined],
  ['07700 900107 ext 5', '07700 900107', '“07700 900107 ext 5” is imported as 07700 900107.'],
  ['07700900115 (mum)', '07700900115', '“07700900115 (mum)” is imported as 07700900115.'],
  ['020 7946 0000 / 07700 900114', '07700 900114', '“020 7946 0000 / 07700 900114” is imported as 07700 900114.'],
  ['07700 900118;07700 900119', '07700 900118', '“07700 900118;07700 900119” is imported as 07700 900118.'],
  ['01632/960130', '01632/960130', undefined],
])('reads the cell %j as the number %s', (cell, phone, note) => {
  expect(phoneOf(cell)).toEqual(phone === null ? null : { phone, ...(note && { note }) })
})

test.each(['4.4791E+11', 'call me', '123'])('%j is no phone number', (cell) => {
  expect(phoneOf(cell)).toBeUndefined()
})

test.each([
  ['Nell@Old.example', 'nell@old.example', undefined],
  ['mailto:nell@old.example', 'nell@old.example', undefined],
  ['Nell Ashby <nell@old.example>', 'nell@old.example', undefined],
  ['nell@old.example; n2@old.example', 'nell@old.example', expect.stringContaining('several addresses')],
])('reads the cell %j as the address %s', (cell, email, note) => {
  expect(emailOf(cell)).toEqual({ email, ...(note && { note }) })
})

test.each([
  ['Ann Smith', 'Ann', 'Smith', []],
  ['Ann Mary Smith', 'Ann', 'Mary Smith', []],
  ['Smith, Ann Mary', 'Ann Mary', 'Smith', []],
  ['Smith, Mrs Jane', 'Jane', 'Smith', ['“Mrs” is left out of the name.']],
  ['Dr. Ann Smith', 'Ann', 'Smith', ['“Dr.” is left out of the name.']],
  ['Ann Smith, PhD', 'Ann', 'Smith', ['“PhD” is left out of the name.']],
  ['Jack Ma', 'Jack', 'Ma', []],
  ['Cher', 'Cher', '', ['There is no last name.']],
  ['王小明', '王小明', '', ['There is no last name.']],
])('splits the name %s into %s and %s', (name, firstName, lastName, notes) => {
  expect(nameOf({ name, firstName: '', lastName: '' })).toEqual({ firstName, lastName, notes })
})

test.each([
  ['Ann', '-', 'Ann', ''],
  ['', 'Holm', 'Holm', ''],
  ['Mrs Ann', 'Holm', 'Ann', 'Holm'],
])('reads the names %j and %j', (first, last, firstName, lastName) => {
  const read = nameOf({ firstName: first, lastName: last, name: 'Somebody Else' })
  expect(read).toMatchObject({ firstName, lastName })
})

test('takes the full name where the row has no separate names', () => {
  expect(nameOf({ firstName: '', lastName: '-', name: 'Ann Holm' })).toMatchObject({
    firstName: 'Ann',
    lastName: 'Holm',
  })
})

test.each([
  [true, ['Yes', 'y', '1', 'TRUE', 'Opted-in', 'Opt-in', 'opted in', 'On', '✓', 'Subscribed']],
  [false, ['', 'no', 'N/A', 'Unsubscribed', 'opt-out', 'off']],
  [undefined, ['Email & SMS', 'maybe']],
])('understands as consent %s: %j', (consent, cells) => {
  expect(cells.map(consentOf)).toEqual(cells.map(() => consent))
})

test.each([
  ['=HYPERLINK("http://x")', true],
  ['@SUM(1)', true],
  ['-Ann', true],
  ["O'Neill", false],
])('%s is a formula: %s', (text, is) => {
  expect(isFormula(text)).toBe(is)
})
