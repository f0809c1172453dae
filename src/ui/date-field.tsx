import calendarDays from '@lucide/icons/icons/calendar-days'
import { useId, useState } from 'react'
import { DayPicker } from 'react-day-picker'
import { enGB } from 'react-day-picker/locale'
import { formatLongDate } from '../foundation/dates.ts'
import { FieldError } from './field.tsx'
import { Icon } from './icon.tsx'

const LOOK = {
  root: 'calendar relative mt-2 rounded-row border border-line bg-white p-3',
  month_caption: 'flex min-h-11 items-center pl-2 font-medium',
  nav: 'absolute top-3 right-3 flex gap-1',
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

/**
 * A day chosen from a calendar that opens below. `value`: `YYYY-MM-DD` or empty.
 *
 * @param after days up to and including this one cannot be chosen
 */
export function DateField({
  label,
  error,
  value,
  onChange,
  today,
  after,
}: {
  label: string
  error?: string
  value: string
  onChange: (date: string) => void
  /** The studio's date of today. */
  today: string
  after: string
}) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const first = nextDay(after)
  return (
    <div className="min-w-0">
      <p id={`${id}-label`} className="mb-2 text-[0.9375rem]/[1.4] font-medium">
        {label}
      </p>
      <button
        type="button"
        id={id}
        aria-labelledby={`${id}-label ${id}`}
        aria-expanded={open}
        aria-describedby={error ? `${id}-error` : undefined}
        onClick={() => setOpen((now) => !now)}
        className="input flex items-center justify-between gap-3 text-left"
      >
        <span className={value ? '' : 'text-ink-mute'}>{value ? formatLongDate(value) : 'Choose a date'}</span>
        <Icon of={calendarDays} aria-hidden size={20} strokeWidth={1.5} className="flex-none text-ink-mute" />
      </button>
      {open && (
        <DayPicker
          mode="single"
          required
          locale={enGB}
          weekStartsOn={1}
          fixedWeeks
          classNames={LOOK}
          today={dateOf(today)}
          defaultMonth={dateOf(value || (first > today ? first : today))}
          startMonth={dateOf(first < today ? first : today)}
          selected={value ? dateOf(value) : undefined}
          disabled={{ before: dateOf(first) }}
          onSelect={(date) => {
            onChange(textOf(date))
            setOpen(false)
            document.getElementById(id)?.focus()
          }}
        />
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
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

function nextDay(text: string): string {
  const date = dateOf(text)
  date.setDate(date.getDate() + 1)
  return textOf(date)
}
