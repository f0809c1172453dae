import { monthOf, studioDate } from '../../foundation/dates.ts'

/** Today at the studio, `YYYY-MM-DD`. */
export function today(now: Temporal.Instant): string {
  return studioDate(now).toString()
}

/** The seven days, Monday first, of the week that holds `date`. */
export function weekOf(date: string): string[] {
  const day = Temporal.PlainDate.from(date)
  const monday = day.subtract({ days: day.dayOfWeek - 1 })
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

/** `text` if it is an existing date, else `fallback`. */
export function dateOr(text: string | null, fallback: string): string {
  if (!text) return fallback
  try {
    return Temporal.PlainDate.from(text).toString()
  } catch {
    return fallback
  }
}
