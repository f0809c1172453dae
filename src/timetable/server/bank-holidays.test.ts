import { expect, test } from 'vitest'
import { bankHolidaysBetween } from './bank-holidays.ts'

/** As published by GOV.UK; days at a weekend that have a substitute are listed too. */
test.each([
  [
    2026,
    '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-26 12-28', // Boxing Day is a Saturday.
  ],
  [
    2027,
    '01-01 03-26 03-29 05-03 05-31 08-30 12-25 12-26 12-27 12-28', // Christmas Day is a Saturday.
  ],
  [
    2028,
    '01-01 01-03 04-14 04-17 05-01 05-29 08-28 12-25 12-26', // New Year's Day is a Saturday.
  ],
  [
    2033,
    '01-01 01-03 04-15 04-18 05-02 05-30 08-29 12-25 12-26 12-27', // Christmas Day is a Sunday.
  ],
])('the bank holidays of England in %i', (year, days) => {
  const found = bankHolidaysBetween({ from: `${year}-01-01`, to: `${year}-12-31` })
  expect(found.map(({ date }) => date.slice(5)).join(' ')).toBe(days)
})

test('lists those between two days, both included, across a year’s end', () => {
  expect(bankHolidaysBetween({ from: '2026-12-26', to: '2027-03-26' })).toEqual([
    { date: '2026-12-26', name: 'Boxing Day' },
    { date: '2026-12-28', name: 'Boxing Day (substitute day)' },
    { date: '2027-01-01', name: 'New Year’s Day' },
    { date: '2027-03-26', name: 'Good Friday' },
  ])
  expect(bankHolidaysBetween({ from: '2027-03-27', to: '2027-03-26' })).toEqual([])
})
