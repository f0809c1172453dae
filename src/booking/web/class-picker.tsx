import { formatLongDate } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { useClasses } from '#timetable/web/classes.ts'
import { Button } from '#ui/button.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useNow } from '#ui/use-now.ts'
import { useUpcomingBookings } from './bookings.ts'
import { ClassRow } from './day-list.tsx'
import { rowState } from './row-state.ts'
import { dayInWeek, WeekStrip, weekOf } from './week-strip.tsx'

export function ClassPicker({
  day,
  onDay,
  onChoose,
}: {
  day: string
  onDay: (day: string) => void
  onChoose: (chosen: StudioClass) => void
}) {
  const now = useNow()
  const days = weekOf(day)
  const classes = useClasses(days[0] as string, days[6] as string)
  const upcoming = useUpcomingBookings()
  const takeable = (all: readonly StudioClass[]) =>
    all.filter((c) => rowState(c, upcoming.data ?? [], now) === 'available')
  const free = new Set(takeable(classes.data ?? []).map((c) => c.date))
  const nextFree = days.find((other) => other > day && free.has(other))
  return (
    <>
      <WeekStrip
        days={days}
        selected={day}
        today={today(now)}
        free={free}
        onSelect={onDay}
        onMove={(weeks) => onDay(dayInWeek(day, weeks, now))}
      />
      <h3 className="mt-6 mb-2 text-[0.9375rem] text-ink-soft">{formatLongDate(day)}</h3>
      <div className="min-h-[280px]">
        <QueryView query={classes} failed="The classes could not be loaded." loading="Loading classes...">
          {(all) => {
            const listed = takeable(all).filter((c) => c.date === day)
            return listed.length === 0 ? (
              <NothingFree next={nextFree} onDay={onDay} onNextWeek={() => onDay(dayInWeek(day, 1, now))} />
            ) : (
              <ul className="border-t border-line">
                {listed.map((c) => (
                  <ClassRow key={c.id} listed={c} state="available" action="Choose" onChoose={() => onChoose(c)} />
                ))}
              </ul>
            )
          }}
        </QueryView>
      </div>
    </>
  )
}

function NothingFree({
  next,
  onDay,
  onNextWeek,
}: {
  next: string | undefined
  onDay: (day: string) => void
  onNextWeek: () => void
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-4 border-y border-line py-5">
      <p className="text-ink-soft">Nothing free on this day.</p>
      <Button variant="secondary" small onClick={() => (next ? onDay(next) : onNextWeek())}>
        {next ? formatLongDate(next).replace(/ \d{4}$/, '') : 'See next week'}
      </Button>
    </div>
  )
}
