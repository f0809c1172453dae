import { easter } from 'date-easter'

export type BankHoliday = { date: string; name: string }

/**
 * The bank holidays of England between two days, both included (Banking and Financial Dealings Act 1971 and the yearly
 * proclamations). A holiday proclaimed for one year only, such as a coronation, is not among them.
 */
export function bankHolidaysBetween({ from, to }: { from: string; to: string }): BankHoliday[] {
  const [first, last] = [from, to].map((date) => Number(date.slice(0, 4)))
  const years = Array.from({ length: (last ?? 0) - (first ?? 0) + 1 }, (_, years) => (first ?? 0) + years)
  return years.flatMap(bankHolidaysOf).filter(({ date }) => from <= date && date <= to)
}

function bankHolidaysOf(year: number): BankHoliday[] {
  const { month, day } = easter(year)
  const sunday = Temporal.PlainDate.from({ year, month, day })
  const newYear = Temporal.PlainDate.from({ year, month: 1, day: 1 })
  const christmas = Temporal.PlainDate.from({ year, month: 12, day: 25 })
  return [
    ...withSubstitute('New Year’s Day', newYear, 1),
    named('Good Friday', sunday.subtract({ days: 2 })),
    named('Easter Monday', sunday.add({ days: 1 })),
    named('Early May bank holiday', mondayFrom({ year, month: 5, day: 1 })),
    named('Spring bank holiday', mondayFrom({ year, month: 5, day: 25 })),
    named('Summer bank holiday', mondayFrom({ year, month: 8, day: 25 })),
    ...withSubstitute('Christmas Day', christmas, 2),
    ...withSubstitute('Boxing Day', christmas.add({ days: 1 }), 2),
  ].sort((a, b) => a.date.localeCompare(b.date))
}

const named = (name: string, date: Temporal.PlainDate): BankHoliday => ({ date: date.toString(), name })

/** The first Monday from a day on. */
function mondayFrom(day: { year: number; month: number; day: number }): Temporal.PlainDate {
  const date = Temporal.PlainDate.from(day)
  return date.add({ days: (8 - date.dayOfWeek) % 7 })
}

/** The day, and at a weekend also the weekday instead: the next Monday, or the Tuesday if a second holiday follows. */
function withSubstitute(name: string, date: Temporal.PlainDate, days: 1 | 2): BankHoliday[] {
  const { dayOfWeek } = date
  if (dayOfWeek < 6) return [named(name, date)]
  const later = days === 2 ? 2 : 8 - dayOfWeek
  return [named(name, date), named(`${name} (substitute day)`, date.add({ days: later }))]
}
