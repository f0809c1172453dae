import { formatDate, weekdayOf } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { Badge } from './badge.tsx'
import { present } from './use-now.ts'

/** `Monday 07/12/2026`, marked if it is today. */
export function DayHeading({ date }: { date: string }) {
  return (
    <span className="flex items-baseline gap-2">
      {weekdayOf(date)} <span className="font-normal text-ink-mute tabular-nums">{formatDate(date)}</span>
      {date === today(present()) && <Badge tone="clay">Today</Badge>}
    </span>
  )
}
