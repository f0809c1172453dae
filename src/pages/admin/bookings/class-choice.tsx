import { addDays, formatDate, weekdayOf } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { hasStarted } from '#timetable/rules.ts'
import { useClasses } from '#timetable/web/classes.ts'
import { SelectField } from '#ui/form-choices.tsx'
import { ReadFailed } from '#ui/query-view.tsx'
import { present } from '#ui/use-now.ts'

const WEEKS = 4
const NO_CLASSES = `No classes in the next ${WEEKS} weeks`

export function useClassesAhead() {
  const from = today(present())
  return useClasses(from, addDays(from, 7 * WEEKS))
}

/** Whether a date and time, such as a class's `startsAt`, has passed. */
export const isPast = (instant: string) => hasStarted(Temporal.Instant.from(instant), present())

/** `Mon 07/12/2026 09:30, Reformer Duo (1 free)`. */
export function wordsOf(c: StudioClass): string {
  const free = c.availableSpots > 0 ? `${c.availableSpots} free` : 'full'
  return `${weekdayOf(c.date).slice(0, 3)} ${formatDate(c.date)} ${c.startTime}, ${c.title} (${isPast(c.startsAt) ? 'has started, ' : ''}${free})`
}

/** The first line of a list of classes, which may still be loading. */
export function chooseClass(classes: readonly StudioClass[] | undefined, error: unknown): string {
  if (!classes) return error ? 'Choose a class' : 'Loading classes…'
  return classes.length > 0 ? 'Choose a class' : NO_CLASSES
}

/** Registered even without the classes, so that the form cannot be sent without one. */
export function ClassField({ label, isOffered }: { label: string; isOffered: (c: StudioClass) => boolean }) {
  const { data, error, refetch } = useClassesAhead()
  const classes = data?.filter(isOffered)
  return (
    <div>
      <SelectField
        // A select cannot show a value before it has the option: mount it again with the classes.
        key={classes ? 'loaded' : 'loading'}
        name="classId"
        rules={{ required: 'Please choose a class' }}
        label={label}
        // Leaving the list while it loads would empty a preselected class.
        disabled={!classes && !error}
        choose={chooseClass(classes, error)}
        options={(classes ?? []).map((c) => [c.id, wordsOf(c)])}
      />
      {error && <ReadFailed title="The classes could not be loaded." error={error} onAgain={refetch} />}
    </div>
  )
}
