import plus from '@lucide/icons/icons/plus'
import { useFacts } from '#content/web/facts.tsx'
import type { PublicFacts } from '#facts/contract.ts'
import type { Timetable } from '#facts/contract-timetable.ts'
import { formatDay, WEEKDAYS, weekdayOf } from '#foundation/dates.ts'
import { Icon } from '#ui/icon.tsx'
import { Section } from '#ui/section.tsx'
import type { StudioClass } from '../contract.ts'
import { classType } from '../rules.ts'
import { daysOf, hoursOf, useClosures } from './classes.ts'

/** The weekly timetable, and the next one if there is one. */
export function WeeklyTimetable() {
  const { timetable, nextTimetable } = useFacts()
  return (
    <>
      <TimetableOfWeek timetable={timetable} caption="Weekly timetable" />
      {nextTimetable && (
        <details className="group border-b border-line">
          <summary className="flex min-h-14 cursor-pointer list-none items-center justify-between gap-6 py-3 [&::-webkit-details-marker]:hidden">
            <span>
              <span className="font-medium">From {formatDay(nextTimetable.from)}:</span>{' '}
              <span className="text-ink-soft">a new timetable</span>
            </span>
            <Icon
              of={plus}
              aria-hidden
              size={20}
              strokeWidth={1.5}
              className="flex-none text-sage group-open:[&>path:last-child]:invisible"
            />
          </summary>
          <TimetableOfWeek
            timetable={nextTimetable}
            caption={`Weekly timetable from ${formatDay(nextTimetable.from)}`}
          />
        </details>
      )}
    </>
  )
}

/** Whether the weekly timetable of its day has a class then. */
export function isInTimetable(
  { date, startTime }: Pick<StudioClass, 'date' | 'startTime'>,
  { timetable, nextTimetable }: Pick<PublicFacts, 'timetable' | 'nextTimetable'>,
): boolean {
  const inForce = nextTimetable && nextTimetable.from <= date ? nextTimetable : timetable
  return inForce?.slots.some((slot) => slot.day === weekdayOf(date) && slot.startTime === startTime) ?? false
}

function TimetableOfWeek({ timetable, caption }: { timetable: Timetable | null; caption: string }) {
  return (
    <table className="w-full border-collapse text-left">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b border-line text-fine text-ink-mute [&>th]:py-3 [&>th]:font-medium">
          <th scope="col" className="w-[34%]">
            Day
          </th>
          <th scope="col" className="w-[33%]">
            Time
          </th>
          <th scope="col">Class Type</th>
        </tr>
      </thead>
      {WEEKDAYS.map((day) => [day, timetable?.slots.filter((slot) => slot.day === day) ?? []] as const).map(
        ([day, slots]) => (
          <tbody key={day} className="border-b border-line">
            {slots.length === 0 && (
              <tr>
                <th scope="row" className="py-4 pr-3 font-medium">
                  {day}
                </th>
                <td colSpan={2} className="py-4 text-ink-mute">
                  No classes scheduled
                </td>
              </tr>
            )}
            {slots.map(({ startTime, maxParticipants }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two classes may start at the same time
              <tr key={i} className="[&>*]:py-2 [&:first-child>*]:pt-4 [&:last-child>*]:pb-4">
                {i === 0 && (
                  <th scope="rowgroup" rowSpan={slots.length} className="pr-3 align-top font-medium">
                    {day}
                  </th>
                )}
                <td>
                  <span className="figure text-2xl">{startTime}</span>
                </td>
                <td className="text-ink-soft">{classType(maxParticipants)}</td>
              </tr>
            ))}
          </tbody>
        ),
      )}
    </table>
  )
}

export function ClosedDays() {
  const closures = useClosures()
  if (closures.length === 0) return null
  return (
    <Section title="Closed days" level="h3" gap="" className="mt-10">
      <dl className="mt-4 border-t border-line">
        {closures.map((closure) => (
          <div key={closure.id} className="grid border-b border-line py-3.5 sm:grid-cols-[34%_1fr]">
            <dt className="font-medium sm:pr-3">
              {closure.fromTime ? `${formatDay(closure.from)}, closed${hoursOf(closure)}` : daysOf(closure)}
            </dt>
            <dd className="text-ink-soft wrap-anywhere">{closure.reason}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
