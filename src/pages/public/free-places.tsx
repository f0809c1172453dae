import { BookLink } from '#accounts/web/book-now.tsx'
import { formatDay } from '#foundation/dates.ts'
import { bookingOf, type FreePlace, useFreePlacesThisWeek } from '#timetable/web/free-places.ts'

/** What is free in the coming seven days, by day: each time leads to its booking. Nothing until that is known. */
export function FreePlaces() {
  const free = useFreePlacesThisWeek()
  if (!free) return null
  const days = Map.groupBy(free, ({ date }) => date)
  return (
    <section aria-labelledby="free" className="mt-10">
      <h3 id="free" className="title">
        Free in the next seven days
      </h3>
      {free.length === 0 ? (
        <p className="mt-3 text-ink-soft">
          Every place is taken. The calendar shows the weeks after, and waiting lists.
        </p>
      ) : (
        <dl className="mt-4 border-t border-line">
          {[...days].map(([date, classes]) => (
            <div key={date} className="grid border-b border-line py-2 sm:grid-cols-[34%_1fr]">
              <dt className="pt-2.5 font-medium sm:pr-3">{formatDay(date)}</dt>
              <dd className="grid grid-cols-2 gap-x-5 sm:flex sm:flex-wrap">
                {classes.map((one) => (
                  <Place key={one.id} free={one} />
                ))}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

function Place({ free }: { free: FreePlace }) {
  const { title, startTime, availableSpots, maxParticipants } = free
  const places = maxParticipants === 1 ? 'one-on-one' : availableSpots === 1 ? 'one place' : 'two places'
  return (
    <BookLink to={bookingOf(free)} variant="text" className="inline-flex min-h-11 items-center gap-2">
      <span className="sr-only">{title} at </span>
      <span className="figure text-xl underline decoration-line-strong underline-offset-4">{startTime}</span>
      <span className="text-[0.875rem] text-ink-mute">{places}</span>
    </BookLink>
  )
}
