import { mondayOf, monthOf } from '../../foundation/dates.ts'
import { today } from '../../foundation/instants.ts'

/** The seven days, Monday first, of the week that holds `date`. */
export function weekOf(date: string): string[] {
  const monday = mondayOf(date)
  return Array.from({ length: 7 }, (_, i) => monday.add({ days: i }).toString())
}

/** The day to select after moving by whole weeks: today in this week, otherwise the Monday. */
export function dayInWeek(date: string, weeks: number, now: Temporal.Instant): string {
  const week = weekOf(Temporal.PlainDate.from(date).add({ weeks }).toString())
  const current = today(now)
  return week.includes(current) ? current : (week[0] as string)
}

/** `November 2026`. */
export function monthAndYear(date: string): string {
  return `${monthOf(date)} ${date.slice(0, 4)}`
}
