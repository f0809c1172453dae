import { formatDate, weekdayOf } from '#foundation/dates.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { ActiveBadge } from '#timetable/web/active-badge.tsx'
import { intoView, type OpenClass } from './class-days.tsx'

/** A week as seven columns, on a phone as seven days below each other. A class opens its dialog. */
export function ClassWeek({
  monday,
  classes,
  created,
  onOpen,
}: {
  monday: string
  classes: StudioClass[]
  /** The class that was created last, which is scrolled to. */
  created: number | undefined
  onOpen: (open: OpenClass) => void
}) {
  const days = Array.from({ length: 7 }, (_, days) => Temporal.PlainDate.from(monday).add({ days }).toString())
  return (
    <ol className="grid gap-x-3 gap-y-6 lg:grid-cols-7">
      {days.map((date) => {
        const those = classes.filter((c) => c.date === date)
        return (
          <li key={date} className="min-w-0 border-t border-line pt-3">
            <h3 className="text-[0.9375rem] font-medium">
              {weekdayOf(date)} <span className="font-normal text-ink-mute tabular-nums">{formatDate(date)}</span>
            </h3>
            {those.length === 0 && <p className="mt-2 text-[0.9375rem] text-ink-mute">No classes</p>}
            <ul className="mt-2 grid gap-2">
              {those.map((c) => (
                <li key={c.id} ref={c.id === created ? intoView : undefined}>
                  <button
                    type="button"
                    onClick={() => onOpen({ dialog: 'edit', id: c.id })}
                    className="w-full rounded-row bg-white p-3 text-left shadow-rest hover:bg-linen"
                  >
                    <span className="flex items-baseline justify-between gap-2">
                      <span className="figure text-xl">{c.startTime}</span>
                      <span className="text-[0.875rem] text-ink-soft tabular-nums">
                        {c.bookedCount}/{c.maxParticipants} <span className="sr-only">booked</span>
                      </span>
                    </span>
                    <span className="mt-1 block text-[0.9375rem]/[1.35] [overflow-wrap:anywhere]">{c.title}</span>
                    {!c.isActive && (
                      <span className="mt-2 block">
                        <ActiveBadge isActive={false} />
                      </span>
                    )}
                  </button>
                </li>
              ))}
            </ul>
          </li>
        )
      })}
    </ol>
  )
}
