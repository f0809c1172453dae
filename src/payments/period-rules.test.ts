import { expect, test } from 'vitest'
import { latestPeriods, type PeriodKind, periodName, periodWith } from './period-rules.ts'

test.each<[string, PeriodKind, string, string, string]>([
  ['2026-02-28', 'month', '2026-02-01', '2026-02-28', 'February 2026'],
  ['2028-02-01', 'month', '2028-02-01', '2028-02-29', 'February 2028'],
  ['2026-12-31', 'month', '2026-12-01', '2026-12-31', 'December 2026'],
  ['2026-01-01', 'quarter', '2026-01-01', '2026-03-31', 'January to March 2026'],
  ['2026-03-31', 'quarter', '2026-01-01', '2026-03-31', 'January to March 2026'],
  ['2026-05-31', 'quarter', '2026-04-01', '2026-06-30', 'April to June 2026'],
  ['2026-12-07', 'quarter', '2026-10-01', '2026-12-31', 'October to December 2026'],
  ['2026-04-05', 'taxYear', '2025-04-06', '2026-04-05', 'Tax year 2025/26'],
  ['2026-04-06', 'taxYear', '2026-04-06', '2027-04-05', 'Tax year 2026/27'],
  ['2027-04-05', 'taxYear', '2026-04-06', '2027-04-05', 'Tax year 2026/27'],
  ['2100-01-01', 'taxYear', '2099-04-06', '2100-04-05', 'Tax year 2099/00'],
])('%s is in the %s from %s to %s: %s', (date, kind, from, to, name) => {
  expect(periodWith(Temporal.PlainDate.from(date), kind)).toEqual({ from, to })
  expect(periodName({ from, to })).toBe(name)
})

test('names other periods by their dates', () => {
  expect(periodName({ from: '2026-04-06', to: '2027-04-04' })).toBe('06/04/2026 to 04/04/2027')
  expect(periodName({ from: '2026-04-01', to: '2026-05-31' })).toBe('01/04/2026 to 31/05/2026')
})

test('lists the current period and those before it, without gaps', () => {
  const today = Temporal.PlainDate.from('2026-03-31')
  expect(latestPeriods(today, 'month').slice(0, 3).map(periodName)).toEqual([
    'March 2026',
    'February 2026',
    'January 2026',
  ])
  expect(latestPeriods(today, 'quarter').slice(0, 2).map(periodName)).toEqual([
    'January to March 2026',
    'October to December 2025',
  ])
  const years = latestPeriods(today, 'taxYear')
  expect(years.map(periodName)).toContain('Tax year 2025/26')
  for (const [index, { from }] of years.slice(0, -1).entries())
    expect(
      Temporal.PlainDate.from(years[index + 1]?.to ?? '')
        .add({ days: 1 })
        .toString(),
    ).toBe(from)
})
