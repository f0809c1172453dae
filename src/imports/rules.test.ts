import { describe, expect, test } from 'vitest'
import { creditsOf, expiryDateOf, isFormula, recognise, splitName } from './rules.ts'

describe('headings', () => {
  test.each([
    // As the columns of these systems' reports are called in their help pages; studios rename some.
    [
      'Momence',
      ['First name', 'Last name', 'E-mail', 'Phone number', 'Membership', 'Credits left', 'Expires at'],
      {
        firstName: 'First name',
        lastName: 'Last name',
        email: 'E-mail',
        phone: 'Phone number',
        package: 'Membership',
        credits: 'Credits left',
        expiry: 'Expires at',
      },
    ],
    [
      'Mindbody',
      ['Client', 'Email', 'Mobile Phone', 'Pricing Option', 'Visits Remaining', 'Exp. Date'],
      {
        name: 'Client',
        email: 'Email',
        phone: 'Mobile Phone',
        package: 'Pricing Option',
        credits: 'Visits Remaining',
        expiry: 'Exp. Date',
      },
    ],
    [
      'TeamUp',
      ['Customer Name', 'Customer Email', 'Telephone', 'Membership Name', 'Remaining Uses', 'Expiration Date'],
      {
        name: 'Customer Name',
        email: 'Customer Email',
        phone: 'Telephone',
        package: 'Membership Name',
        credits: 'Remaining Uses',
        expiry: 'Expiration Date',
      },
    ],
    [
      'somebody else',
      ['Name', 'first_name', 'LAST-NAME', 'EMAIL ADDRESS', 'Balance'],
      {
        firstName: 'first_name',
        lastName: 'LAST-NAME',
        email: 'EMAIL ADDRESS',
      },
    ],
  ])('of %s are recognised', (_, headings, columns) => {
    expect(recognise(headings)).toEqual(columns)
  })
})

test.each([
  ['Ann Smith', 'Ann', 'Smith'],
  ['Ann Mary Smith', 'Ann', 'Mary Smith'],
  ['Smith, Ann Mary', 'Ann Mary', 'Smith'],
  ['Cher', 'Cher', ''],
])('splits the name %s into %s and %s', (name, firstName, lastName) => {
  expect(splitName(name)).toEqual({ firstName, lastName })
})

test.each([
  ['', 0],
  ['8', 8],
  ['8.0', 8],
  ['1000', 1000],
  ['1001', undefined],
  ['-1', undefined],
  ['8.5', undefined],
  ['1e3', undefined],
  ['unlimited', undefined],
])('reads the cell %s as %s credits', (cell, credits) => {
  expect(creditsOf(cell)).toBe(credits)
})

test.each([
  ['', null],
  ['2026-12-31', '2026-12-31'],
  ['2026-12-31T23:59:00Z', '2026-12-31'],
  ['31/12/2026', '2026-12-31'],
  ['1/2/2027', '2027-02-01'],
  ['31.12.2026 00:00', '2026-12-31'],
  ['12/31/2026', undefined],
  ['29/02/2027', undefined],
  ['31/12/26', undefined],
  ['2036-12-07', '2036-12-07'],
  ['2036-12-08', undefined],
  ['31 Dec 2026', '2026-12-31'],
  ['1st February 2027', '2027-02-01'],
  ['Thu 31-Dec-2026 23:59', '2026-12-31'],
  ['Dec 31, 2026', '2026-12-31'],
  ['Thursday, December 3rd 2026, 11:59 PM', '2026-12-03'],
  ['3 Sept 2026', '2026-09-03'],
  ['31 Decor 2026', undefined],
  ['Feb 30, 2027', undefined],
  ['soon', undefined],
])('reads the cell %s as the day %s', (cell, date) => {
  expect(expiryDateOf(cell, '2026-12-07')).toBe(date)
})

test.each([
  ['=HYPERLINK("http://x")', true],
  ['@SUM(1)', true],
  ['-Ann', true],
  ["O'Neill", false],
])('%s is a formula: %s', (text, is) => {
  expect(isFormula(text)).toBe(is)
})
