import { formatDate, weekdayOf } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { hasStarted } from '#timetable/rules.ts'
import { useClasses } from '#timetable/web/classes.ts'
import { present } from '#ui/use-now.ts'

/** How far ahead classes are offered. */
const WEEKS = 4
export const NO_CLASSES = `No classes in the next ${WEEKS} weeks`

/** Classes of today and the weeks ahead. */
export function useClassesAhead() {
  const from = today(present())
  return useClasses(from, Temporal.PlainDate.from(from).add({ weeks: WEEKS }).toString())
}

/** Whether a class has started, and whether it has ended. */
export const hasBegun = ({ startsAt }: StudioClass) => hasStarted(Temporal.Instant.from(startsAt), present())
export const isOver = ({ endsAt }: StudioClass) => hasStarted(Temporal.Instant.from(endsAt), present())

/** `Mon 07/12/2026 09:30, Reformer Duo (1 free)`. */
export function wordsOf(c: StudioClass): string {
  const free = c.availableSpots > 0 ? `${c.availableSpots} free` : 'full'
  return `${weekdayOf(c.date).slice(0, 3)} ${formatDate(c.date)} ${c.startTime}, ${c.title} (${hasBegun(c) ? 'has begun, ' : ''}${free})`
}
