import arrowDown from '@lucide/icons/icons/arrow-down'
import { useEffect, useRef, useState } from 'react'
import { formatDay, formatLongDate } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { useClasses } from '#timetable/web/classes.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { FormError } from '#ui/field.tsx'
import { Icon } from '#ui/icon.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useNow } from '#ui/use-now.ts'
import type { Booking } from '../contract.ts'
import { rowState } from '../rules.ts'
import { useUpcomingBookings } from './bookings.ts'
import { CreditIsUsed, OverlappingBooking } from './can-book.tsx'
import { rescheduleFailure, useRescheduleBooking } from './change-bookings.ts'
import { ClassRow } from './day-list.tsx'
import { dayInWeek, freeDays, WeekStrip, weekOf } from './week-strip.tsx'

/** Choose another class, review, confirm. Until then, and after a refusal, the booking stays. */
export default function RescheduleDialog({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const [to, setTo] = useState<StudioClass>()
  const [day, setDay] = useState(booking.class.date)
  const move = useRescheduleBooking({ onMoved: onClose })
  const others = (useUpcomingBookings().data ?? []).filter(({ id }) => id !== booking.id)
  const step = useRef<HTMLDivElement>(null)
  const isFirstRender = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the step is what the focus follows
  useEffect(() => {
    if (!isFirstRender.current) step.current?.focus({ preventScroll: true })
    isFirstRender.current = false
  }, [to])

  if (!to) {
    return (
      <Dialog
        wide
        onClose={onClose}
        title="Choose another time"
        description={`You keep ${booking.class.title}, ${formatLongDate(booking.class.date)} at ${booking.class.startTime}, until you confirm.`}
      >
        <div ref={step} tabIndex={-1} className="mt-7 outline-none">
          <ClassPicker
            day={day}
            onDay={setDay}
            onChoose={(chosen) => {
              move.reset()
              setTo(chosen)
            }}
          />
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog wide onClose={onClose} title="Move your booking?">
      <div ref={step} tabIndex={-1} className="mt-6 outline-none">
        <div className="grid gap-2">
          <Place term="From" of={booking.class} />
          <Icon of={arrowDown} size={22} className="mx-5 text-sage" />
          <Place term="To" of={to} chosen />
        </div>
        <CreditIsUsed startsAt={to.startsAt} action="move to" />
        <OverlappingBooking chosen={to} bookings={others} />
        <p className="mt-5 text-base text-ink-soft">
          Your credit moves with your booking. You do not pay anything else.
        </p>
        <FormError>{move.error && rescheduleFailure(move.error)}</FormError>
      </div>
      <DialogActions onClose={() => setTo(undefined)} cancel="Choose another">
        <Button busy={move.isPending} onClick={() => move.mutate({ booking, to })}>
          Move booking
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type Moment = { title: string; date: string; startTime: string; endTime: string; instructorName: string }

function Place({ term, of, chosen = false }: { term: string; of: Moment; chosen?: boolean }) {
  return (
    <dl className={`rounded-row px-5 py-4 ${chosen ? 'bg-sage-tint' : 'bg-linen'}`}>
      <dt className={`text-caption ${chosen ? 'text-ink-soft' : 'text-ink-mute'}`}>{term}</dt>
      <dd className="flex flex-wrap items-baseline justify-between gap-x-6">
        <span>
          <span className="figure mr-3 text-[1.75rem]">{of.startTime}</span>
          <span className="text-ink-soft">to {of.endTime}</span>
        </span>
        <span className="text-ink-soft">{formatLongDate(of.date)}</span>
        <span className="w-full wrap-break-word">
          {of.title} with {of.instructorName}
        </span>
      </dd>
    </dl>
  )
}

function ClassPicker({
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
  const free = freeDays(classes.data ?? [], upcoming.data ?? [], now)
  const nextFree = days.find((other) => other > day && free.get(other))
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
      <h3 className="mt-6 mb-2 text-small text-ink-soft">{formatLongDate(day)}</h3>
      <div className="min-h-[280px]">
        <QueryView query={classes} failed="The classes could not be loaded." loading="Loading classes...">
          {(all) => {
            const listed = takeable(all).filter((c) => c.date === day)
            return listed.length === 0 ? (
              <div className="flex flex-wrap items-center justify-between gap-4 border-y border-line py-5">
                <p className="text-ink-soft">Nothing free on this day.</p>
                <Button variant="secondary" small onClick={() => onDay(nextFree ?? dayInWeek(day, 1, now))}>
                  {nextFree ? formatDay(nextFree) : 'See next week'}
                </Button>
              </div>
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
