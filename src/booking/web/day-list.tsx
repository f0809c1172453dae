import { sentenceOf } from '#foundation/call.ts'
import { formatLongDate } from '#foundation/dates.ts'
import type { StudioClass } from '#timetable/contract.ts'
import type { useClasses } from '#timetable/web/classes.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { ReadFailed } from '#ui/query-view.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { toast } from '#ui/toast.ts'
import { present, useNow } from '#ui/use-now.ts'
import type { Booking } from '../contract.ts'
import type { WaitingEntry } from '../contract-waiting.ts'
import { CANNOT_CHOOSE } from './bookings.ts'
import { ClassRow } from './class-row.tsx'
import { rowState } from './row-state.ts'

/** The classes of one day. */
export function DayList({
  day,
  classes,
  bookings,
  waiting,
  onChoose,
  onWait,
}: {
  day: string
  classes: ReturnType<typeof useClasses>
  bookings: readonly Booking[] | undefined
  waiting: readonly WaitingEntry[] | undefined
  onChoose: (chosen: StudioClass) => void
  onWait: (awaited: StudioClass) => void
}) {
  const now = useNow()
  if (classes.isError) {
    return (
      <ReadFailed title={sentenceOf(classes.error, 'The classes could not be loaded.')} onAgain={classes.refetch} />
    )
  }
  if (classes.isPending || !bookings || !waiting) return <Spinner label="Loading classes..." visible />

  const listed = classes.data.filter((c) => c.date === day)
  // The date stays whole.
  if (listed.length === 0)
    return <EmptyState title={`No classes scheduled for ${formatLongDate(day).replaceAll(' ', '\u00A0')}`} />

  const choose = (chosen: StudioClass) => {
    const state = rowState(chosen, bookings, present())
    if (state === 'started' || state === 'booked') toast(CANNOT_CHOOSE[state])
    else if (state === 'available') onChoose(chosen)
  }
  return (
    <ul key={day} className="border-t border-line motion-safe:animate-[appear_160ms_ease-out]">
      {listed.map((c) => (
        <ClassRow
          key={c.id}
          listed={c}
          state={rowState(c, bookings, now)}
          entry={waiting.find(({ classId }) => classId === c.id)}
          onChoose={() => choose(c)}
          onWait={() => onWait(c)}
        />
      ))}
    </ul>
  )
}
