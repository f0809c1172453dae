import { studio } from '#studio.ts'
import { daysOf, useClosures } from './classes.ts'

/** The fixed weekly timetable. Every session is a duo. */
export function WeeklyTimetable() {
  const days = Object.entries<readonly string[]>(studio.timetable)
  return (
    <table className="w-full border-collapse text-left">
      <caption className="sr-only">Weekly timetable</caption>
      <thead>
        <tr className="border-b border-line text-[0.8125rem] text-ink-mute [&>th]:py-3 [&>th]:font-medium">
          <th scope="col" className="w-[34%]">
            Day
          </th>
          <th scope="col" className="w-[33%]">
            Time
          </th>
          <th scope="col">Class Type</th>
        </tr>
      </thead>
      {days.map(([day, times]) => (
        <tbody key={day} className="border-b border-line">
          {times.length === 0 && (
            <tr>
              <th scope="row" className="py-4 pr-3 font-medium">
                {day}
              </th>
              <td colSpan={2} className="py-4 text-ink-mute">
                No classes scheduled
              </td>
            </tr>
          )}
          {times.map((time, i) => (
            <tr key={time} className="[&>*]:py-2 [&:first-child>*]:pt-4 [&:last-child>*]:pb-4">
              {i === 0 && (
                <th scope="rowgroup" rowSpan={times.length} className="pr-3 align-top font-medium">
                  {day}
                </th>
              )}
              <td>
                <span className="figure text-2xl">{time}</span>
              </td>
              <td className="text-ink-soft">Duo</td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  )
}

export function ClosedDays() {
  const closures = useClosures()
  if (closures.length === 0) return null
  return (
    <section aria-labelledby="closed" className="mt-10">
      <h3 id="closed" className="title">
        Closed days
      </h3>
      <dl className="mt-4 border-t border-line">
        {closures.map((closure) => (
          <div key={closure.id} className="grid border-b border-line py-3.5 sm:grid-cols-[34%_1fr]">
            <dt className="font-medium sm:pr-3">{daysOf(closure)}</dt>
            <dd className="text-ink-soft wrap-anywhere">{closure.reason}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
