import chevronLeft from '@lucide/icons/icons/chevron-left'
import chevronRight from '@lucide/icons/icons/chevron-right'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { mondayOf, monthOf, weekdayOf } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { hasStarted } from '#timetable/rules.ts'
import { Icon } from '#ui/icon.tsx'
import type { Booking } from '../contract.ts'
import { rowState } from '../rules.ts'

const arrow =
  'grid size-11 place-items-center rounded-row border border-line-strong bg-white text-ink-soft transition-colors hover:border-ink-mute'

/** Filled with a free place, a ring without one, nothing without classes. */
function dotOf(isFree: boolean | undefined): string {
  if (isFree === undefined) return ''
  return isFree ? 'bg-sage group-aria-pressed:bg-sage-tint' : 'shadow-[inset_0_0_0_1px_var(--color-line-strong)]'
}

export function WeekStrip(strip: {
  days: readonly string[]
  selected: string
  today: string
  /** The days with classes to come, and whether a place is free; undefined while they load. */
  free: ReadonlyMap<string, boolean> | undefined
  onSelect: (day: string) => void
  onMove: (weeks: -1 | 1) => void
}) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const day = list.current?.querySelector<HTMLElement>(`[data-day="${strip.selected}"]`)
    if (day && list.current)
      list.current.scrollLeft = day.offsetLeft - list.current.clientWidth / 2 + day.clientWidth / 2
  }, [strip.selected])
  const keys = (event: KeyboardEvent, at: number) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const next = step && strip.days[at + step]
    if (!next) return
    event.preventDefault()
    strip.onSelect(next)
    list.current?.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus()
  }
  return (
    <>
      <div className="flex items-center justify-between gap-4">
        <h3 className="figure text-[1.5rem] sm:text-[1.75rem]" aria-live="polite">
          {monthAndYear(strip.selected)}
        </h3>
        <div className="flex gap-2">
          <button type="button" aria-label="Previous week" className={arrow} onClick={() => strip.onMove(-1)}>
            <Icon of={chevronLeft} size={20} />
          </button>
          <button type="button" aria-label="Next week" className={arrow} onClick={() => strip.onMove(1)}>
            <Icon of={chevronRight} size={20} />
          </button>
        </div>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a group of toggle buttons, not a fieldset of a form */}
      <div
        ref={list}
        role="group"
        aria-label="Days of the week"
        className="relative -mx-5 mt-1 grid snap-x grid-cols-[repeat(7,minmax(62px,1fr))] gap-2 overflow-x-auto px-5 py-1 [scrollbar-width:none] sm:mx-0 sm:mt-5 sm:gap-2.5 sm:px-0"
      >
        {strip.days.map((day, i) => (
          <button
            key={day}
            type="button"
            data-day={day}
            aria-pressed={day === strip.selected}
            aria-current={day === strip.today ? 'date' : undefined}
            onClick={() => strip.onSelect(day)}
            onKeyDown={(event) => keys(event, i)}
            className={`group flex min-h-[70px] snap-center flex-col items-center justify-center gap-0.5 rounded-row border px-1.5 py-1.5 sm:min-h-[86px] sm:py-3 transition-colors focus-visible:rounded-row aria-pressed:border-sage-dark aria-pressed:bg-sage-dark aria-pressed:text-paper ${
              day < strip.today || strip.free?.has(day) === false
                ? 'border-transparent text-ink-mute'
                : 'border-line-strong bg-white hover:border-ink-mute'
            }`}
          >
            <span className="text-fine/[1.3] text-ink-mute group-aria-pressed:text-stone">
              {weekdayOf(day).slice(0, 3)}{' '}
            </span>
            <b className="figure text-[1.75rem] font-normal">{Number(day.slice(8))} </b>
            <span className="sr-only">
              {monthAndYear(day)}
              {strip.free?.get(day) && ', places free'}
            </span>
            <i className={`mt-1 size-1.5 rounded-full ${dotOf(strip.free?.get(day))}`} />
          </button>
        ))}
      </div>
    </>
  )
}

/** The days with classes that have not started, and whether one of them is free for a member with these bookings. */
export function freeDays(
  classes: readonly StudioClass[],
  bookings: readonly Booking[],
  now: Temporal.Instant,
): ReadonlyMap<string, boolean> {
  const free = new Map<string, boolean>()
  for (const one of classes) {
    const state = rowState(one, bookings, now)
    if (state !== 'started') free.set(one.date, free.get(one.date) === true || state === 'available')
  }
  return free
}

/** The seven days of a week, from Monday. */
export function weekOf(date: string): string[] {
  const monday = mondayOf(date)
  return Array.from({ length: 7 }, (_, i) => monday.add({ days: i }).toString())
}

/** The day to select after moving by weeks: today in this week, otherwise the Monday. */
export function dayInWeek(date: string, weeks: number, now: Temporal.Instant): string {
  const week = weekOf(Temporal.PlainDate.from(date).add({ weeks }).toString())
  const current = today(now)
  return week.includes(current) ? current : (week[0] as string)
}

/** The calendar's first day: today if a class is still to come, else the first day with a free place, if any. */
export function openingDay(
  classes: readonly Pick<StudioClass, 'date' | 'startsAt' | 'availableSpots' | 'isActive'>[],
  now: Temporal.Instant,
): string | undefined {
  const coming = classes.filter((c) => c.isActive && !hasStarted(Temporal.Instant.from(c.startsAt), now))
  const day = today(now)
  if (coming.some(({ date }) => date === day)) return day
  return coming
    .filter(({ availableSpots }) => availableSpots > 0)
    .map(({ date }) => date)
    .sort()[0]
}

function monthAndYear(date: string): string {
  return `${monthOf(date)} ${date.slice(0, 4)}`
}
