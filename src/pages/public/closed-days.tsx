import { daysOf, useClosures } from '#timetable/web/classes.ts'

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
