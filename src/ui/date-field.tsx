import calendarDays from '@lucide/icons/icons/calendar-days'
import { type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react'
import { DayPicker } from 'react-day-picker'
import { enGB } from 'react-day-picker/locale'
import { formatDate, formatLongDate } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { FieldError, useFieldAria } from './field.tsx'
import { Icon } from './icon.tsx'
import { present } from './use-now.ts'

const LOOK = {
  root: 'calendar relative',
  month_caption: 'flex min-h-11 items-center pl-2 font-medium',
  nav: 'absolute top-0 right-0 flex gap-1',
  button_previous: 'grid size-11 place-items-center rounded-full hover:bg-sand aria-disabled:text-stone',
  button_next: 'grid size-11 place-items-center rounded-full hover:bg-sand aria-disabled:text-stone',
  chevron: 'size-5 fill-current',
  month_grid: 'mt-1 w-full table-fixed border-collapse',
  weekday: 'h-9 text-[0.8125rem] font-normal text-ink-mute',
  day: 'p-0 text-center',
  day_button:
    'mx-auto grid h-11 w-full max-w-11 place-items-center rounded-full tabular-nums hover:bg-sand disabled:bg-transparent disabled:text-ink-mute disabled:line-through',
  selected: '[&>button]:bg-sage-dark [&>button]:text-paper [&>button:hover]:bg-sage-night',
  today: 'font-semibold',
}

/** Which days can be chosen. */
type Bounds = {
  /** The studio's date of today. */
  today: string
  /** Days up to and including this one cannot be chosen. */
  after?: string
  /** The last day that can be chosen. */
  until?: string
}

/** A day chosen from a calendar that opens below. `value`: `YYYY-MM-DD` or empty. */
export function DateField({
  label,
  error,
  help,
  value,
  onChange,
  clear,
  ref,
  ...bounds
}: Bounds & {
  label: ReactNode
  error?: string
  help?: ReactNode
  value: string
  onChange: (date: string) => void
  /** What the button that empties the field is called; without it a day stays chosen. */
  clear?: string
  ref?: Ref<HTMLButtonElement>
}) {
  const { id, control } = useFieldAria({ label, error, help })
  const [open, setOpen] = useState(false)
  const choose = (date: string) => {
    onChange(date)
    setOpen(false)
    document.getElementById(id)?.focus()
  }
  return (
    <div className="min-w-0">
      <p id={`${id}-label`} className="mb-2 text-[0.9375rem]/[1.4] font-medium">
        {label}
      </p>
      <button
        type="button"
        ref={ref}
        id={id}
        aria-labelledby={`${id}-label ${id}`}
        aria-expanded={open}
        aria-describedby={control['aria-describedby']}
        onClick={() => setOpen((now) => !now)}
        className="input flex items-center justify-between gap-3 text-left"
      >
        <span className={value ? '' : 'text-ink-mute'}>{value ? formatLongDate(value) : 'Choose a date'}</span>
        <Icon of={calendarDays} aria-hidden size={20} strokeWidth={1.5} className="flex-none text-ink-mute" />
      </button>
      {open && (
        <div className="mt-2 rounded-row border border-line bg-white p-3">
          <Calendar value={value} onChoose={choose} {...bounds} />
          {clear && value && <Clear onClick={() => choose('')}>{clear}</Clear>}
        </div>
      )}
      {help && (
        <div id={`${id}-help`} className="mt-2 text-[0.9375rem]/[1.4] text-ink-mute">
          {help}
        </div>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}

/** As wide as the calendar over a list is where there is room, in pixels, and what it leaves free beside it. */
const [WIDE, FREE] = [330, 16]

function shiftOf(box: HTMLElement | null): number {
  const room = document.documentElement.clientWidth - FREE
  return Math.min(0, room - Math.min(WIDE, room - FREE) - (box?.getBoundingClientRect().left ?? 0))
}

/**
 * A date above a list; its calendar opens over the list. `value`: `YYYY-MM-DD`, or empty where it filters nothing.
 *
 * @param clear what the button that takes the date away is called
 */
export function DateFilter({
  label,
  value,
  onChange,
  min,
  max,
  clear = 'Any day',
}: {
  label: string
  value: string
  onChange: (date: string | undefined) => void
  min?: string
  max?: string
  clear?: string
}) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  // How far to the left the calendar begins, so that it stays inside the window.
  const [shift, setShift] = useState(0)
  useEffect(() => {
    if (!open) return
    const place = () => setShift(shiftOf(box.current))
    const press = ({ target }: PointerEvent) => {
      if (!box.current?.contains(target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', press)
    window.addEventListener('resize', place)
    return () => {
      document.removeEventListener('pointerdown', press)
      window.removeEventListener('resize', place)
    }
  }, [open])
  const close = () => {
    setOpen(false)
    document.getElementById(id)?.focus()
  }
  const choose = (date: string | undefined) => {
    onChange(date)
    close()
  }
  return (
    // Escape and leaving with the keyboard are meant wherever the focus is in here.
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens for what its own controls let through
    <div
      ref={box}
      className="relative min-w-0"
      onKeyDown={(event) => {
        if (open && event.key === 'Escape') close()
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) setOpen(false)
      }}
    >
      <p id={`${id}-label`} className="mb-1 text-[0.8125rem] text-ink-mute">
        {label}
      </p>
      <button
        type="button"
        id={id}
        aria-labelledby={`${id}-label ${id}`}
        aria-expanded={open}
        aria-haspopup="dialog"
        onClick={() => {
          setShift(shiftOf(box.current))
          setOpen((now) => !now)
        }}
        className="input flex min-h-11 items-center justify-between gap-3 py-2 text-left text-[0.9375rem] tabular-nums sm:min-w-40"
      >
        {value ? formatDate(value) : 'Any day'}
        <Icon of={calendarDays} aria-hidden size={18} strokeWidth={1.5} className="flex-none text-ink-mute" />
      </button>
      {open && (
        <div
          role="dialog"
          aria-labelledby={`${id}-label`}
          style={{ left: shift, width: `min(${WIDE}px, 100vw - ${2 * FREE}px)` }}
          className="absolute top-full z-30 mt-2 rounded-row border border-line bg-white p-3 shadow-lift"
        >
          <Calendar
            autoFocus
            value={value}
            onChoose={choose}
            today={today(present())}
            after={min && dayBeside(min, -1)}
            until={max}
          />
          {value && <Clear onClick={() => choose(undefined)}>{clear}</Clear>}
        </div>
      )}
    </div>
  )
}

function Clear({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button type="button" onClick={onClick} className="btn btn-small btn-quiet mt-1 w-full">
      {children}
    </button>
  )
}

function Calendar({
  value,
  onChoose,
  today,
  after,
  until,
  autoFocus,
}: Bounds & { value: string; onChoose: (date: string) => void; autoFocus?: boolean }) {
  const first = after && dayBeside(after, 1)
  const shown = value || (first && first > today ? first : today)
  return (
    <DayPicker
      mode="single"
      required
      autoFocus={autoFocus}
      locale={enGB}
      weekStartsOn={1}
      fixedWeeks
      classNames={LOOK}
      today={dateOf(today)}
      defaultMonth={dateOf(until && until < shown ? until : shown)}
      startMonth={first ? dateOf(first < today ? first : today) : undefined}
      endMonth={until ? dateOf(until) : undefined}
      selected={value ? dateOf(value) : undefined}
      disabled={[...(first ? [{ before: dateOf(first) }] : []), ...(until ? [{ after: dateOf(until) }] : [])]}
      onSelect={(date) => onChoose(textOf(date))}
    />
  )
}

/** The calendar counts in days of this browser; no instant is meant. */
function dateOf(text: string): Date {
  return new Date(Number(text.slice(0, 4)), Number(text.slice(5, 7)) - 1, Number(text.slice(8, 10)))
}

function textOf(date: Date): string {
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}

function dayBeside(text: string, days: number): string {
  const date = dateOf(text)
  date.setDate(date.getDate() + days)
  return textOf(date)
}
