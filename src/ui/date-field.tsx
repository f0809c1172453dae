import calendarDays from '@lucide/icons/icons/calendar-days'
import * as Radix from '@radix-ui/react-dialog'
import { type ReactNode, type Ref, useId, useState } from 'react'
import { DayPicker } from 'react-day-picker'
import { enGB } from 'react-day-picker/locale'
import { formatDate, formatLongDate } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { FieldError, useFieldAria } from './field.tsx'
import { Icon } from './icon.tsx'
import { useOpenDialog } from './open-dialogs.tsx'
import { present } from './use-now.ts'

const CLASS_NAMES = {
  root: 'calendar relative',
  month_caption: 'flex min-h-11 items-center pl-2 font-medium',
  nav: 'absolute top-0 right-0 flex gap-1',
  button_previous: 'grid size-11 place-items-center rounded-full hover:bg-sand aria-disabled:text-stone',
  button_next: 'grid size-11 place-items-center rounded-full hover:bg-sand aria-disabled:text-stone',
  chevron: 'size-5 fill-current',
  month_grid: 'mt-1 w-full table-fixed border-collapse',
  weekday: 'h-9 text-fine font-normal text-ink-mute',
  day: 'p-0 text-center',
  day_button:
    'mx-auto grid h-11 w-full max-w-11 place-items-center rounded-full tabular-nums hover:bg-sand disabled:bg-transparent disabled:text-ink-mute disabled:line-through',
  selected: '[&>button]:bg-sage-dark [&>button]:text-paper [&>button:hover]:bg-sage-night',
  today: 'font-semibold',
}

/** The first and the last day that can be chosen. */
type Bounds = { min?: string; max?: string }

/** A date, chosen from a calendar that opens below. `value`: `YYYY-MM-DD` or empty. */
export function DateField({
  label,
  error,
  help,
  optional,
  value,
  onChange,
  clear,
  ref,
  ...bounds
}: Bounds & {
  label: ReactNode
  error?: string
  help?: ReactNode
  optional?: boolean
  value: string
  onChange: (date: string) => void
  /** The label of the button that empties the field. Without one it cannot be emptied. */
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
      <p id={`${id}-label`} className="mb-2 text-small/snug font-medium">
        {label} {optional && <span className="font-normal text-ink-mute">(optional)</span>}
      </p>
      <button
        type="button"
        ref={ref}
        id={id}
        aria-labelledby={`${id}-label ${id}`}
        aria-expanded={open}
        aria-describedby={control['aria-describedby']}
        onClick={() => setOpen((now) => !now)}
        // ARIA has no `aria-invalid` for buttons.
        data-invalid={error ? true : undefined}
        className="input flex items-center justify-between gap-3 text-left"
      >
        <span className={value ? '' : 'text-ink-mute'}>{value ? formatLongDate(value) : 'Choose a date'}</span>
        <Icon of={calendarDays} size={20} className="flex-none text-ink-mute" />
      </button>
      {open && (
        <div
          ref={bringIntoView}
          className="mt-2 scroll-mb-44 rounded-row border border-line bg-white p-3 sm:scroll-mb-28"
        >
          <Calendar value={value} onChoose={choose} {...bounds} />
          {clear && value && <Clear onClick={() => choose('')}>{clear}</Clear>}
        </div>
      )}
      {help && (
        <div id={`${id}-help`} className="mt-2 text-small/snug text-ink-mute">
          {help}
        </div>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}

/** Above the buttons at the end of a dialog, which cover what is below. */
function bringIntoView(calendar: HTMLElement | null): void {
  calendar?.scrollIntoView({ block: 'nearest' })
}

/** Moves the calendar to the left as far as it would leave the window. */
function keepInWindow(calendar: HTMLElement | null): void {
  if (!calendar) return
  const beyond = calendar.getBoundingClientRect().right - (document.documentElement.clientWidth - 16)
  if (beyond > 0) calendar.style.left = `${-beyond}px`
}

/**
 * A date above a list; its calendar opens over the list. `value`: `YYYY-MM-DD`, or empty for no filter.
 *
 * @param clear the label of the button that empties it
 */
export function DateFilter({
  label,
  value,
  onChange,
  clear = 'Any day',
  ...bounds
}: Bounds & {
  label: string
  value: string
  onChange: (date: string | undefined) => void
  clear?: string
}) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const choose = (date: string | undefined) => {
    onChange(date)
    setOpen(false)
  }
  return (
    <Radix.Root modal={false} open={open} onOpenChange={setOpen}>
      <div className="relative min-w-0">
        <p id={`${id}-label`} className="mb-1 text-fine text-ink-mute">
          {label}
        </p>
        <Radix.Trigger
          id={id}
          aria-labelledby={`${id}-label ${id}`}
          className="input flex min-h-11 items-center justify-between gap-3 py-2 text-left text-small tabular-nums sm:min-w-40"
        >
          {value ? formatDate(value) : 'Any day'}
          <Icon of={calendarDays} size={18} className="flex-none text-ink-mute" />
        </Radix.Trigger>
        <Radix.Content
          ref={keepInWindow}
          aria-describedby={undefined}
          className="absolute top-full left-0 z-30 mt-2 w-[min(330px,100vw-32px)] rounded-row border border-line bg-white p-3 shadow-lift"
        >
          <Radix.Title className="sr-only">{label}</Radix.Title>
          <OpenCalendar onClose={() => setOpen(false)} />
          <Calendar autoFocus value={value} onChoose={choose} {...bounds} />
          {value && <Clear onClick={() => choose(undefined)}>{clear}</Clear>}
        </Radix.Content>
      </div>
    </Radix.Root>
  )
}

/** Registers the calendar over a list, so that Escape closes it before a toast. */
function OpenCalendar({ onClose }: { onClose: () => void }) {
  useOpenDialog(onClose, true)
  return null
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
  min,
  max,
  autoFocus,
}: Bounds & { value: string; onChoose: (date: string) => void; autoFocus?: boolean }) {
  const now = today(present())
  const shown = value || (min && min > now ? min : now)
  return (
    <DayPicker
      mode="single"
      required
      autoFocus={autoFocus}
      locale={enGB}
      weekStartsOn={1}
      fixedWeeks
      classNames={CLASS_NAMES}
      today={dateOf(now)}
      defaultMonth={dateOf(max && max < shown ? max : shown)}
      startMonth={min ? dateOf(min < now ? min : now) : undefined}
      endMonth={max ? dateOf(max) : undefined}
      selected={value ? dateOf(value) : undefined}
      disabled={[...(min ? [{ before: dateOf(min) }] : []), ...(max ? [{ after: dateOf(max) }] : [])]}
      onSelect={(date) => onChoose(textOf(date))}
    />
  )
}

/** The calendar's days are local dates, not instants. */
function dateOf(text: string): Date {
  return new Date(Number(text.slice(0, 4)), Number(text.slice(5, 7)) - 1, Number(text.slice(8, 10)))
}

function textOf(date: Date): string {
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}
