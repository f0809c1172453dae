import { mondayOf, monthOf } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { hasStarted } from '#timetable/rules.ts'

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

/**
 * The day the calendar opens on when none is asked for: today while a class of it is still to come, else the first of
 * the days that has a free place. Undefined where these classes have neither.
 */
export function openingDay(
  classes: readonly Pick<StudioClass, 'date' | 'startsAt' | 'availableSpots' | 'isActive'>[],
  now: Temporal.Instant,
): string | undefined {
  const coming = classes.filter((c) => c.isActive && !hasStarted(Temporal.Instant.from(c.startsAt), now))
  const day = today(now)
  if (coming.some(({ date }) => date === day)) return day
  return coming
    .filter(({ availableSpots }) => availableSpots > 0)
    .map(({ date }) => date)
    .sort()[0]
}

/** `November 2026`. */
export function monthAndYear(date: string): string {
  return `${monthOf(date)} ${date.slice(0, 4)}`
}
