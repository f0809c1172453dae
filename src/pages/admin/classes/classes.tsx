import chevronLeft from '@lucide/icons/icons/chevron-left'
import chevronRight from '@lucide/icons/icons/chevron-right'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { formatDate, mondayOf, monthOf } from '#foundation/dates.ts'
import { dateOr, today } from '#foundation/instants.ts'
import type { SlotChange } from '#timetable/rules-planning.ts'
import { classesOfDays } from '#timetable/web/classes.ts'
import { Button } from '#ui/button.tsx'
import { Icon, type IconData } from '#ui/icon.tsx'
import { More } from '#ui/more.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useSetSearchParam } from '#ui/search-params.ts'
import { useDialog } from '#ui/use-dialog.ts'
import { present } from '#ui/use-now.ts'
import { Views, viewOf } from '#ui/views.tsx'
import { useQuickAction } from '../quick-action.ts'
import { ClassList, ClassWeek } from './class-days.tsx'
import { CloseDaysDialog, Closures } from './closed-days.tsx'
import { CreateClassDialog } from './create-class.tsx'
import { DeleteClassDialog, EditClassDialog } from './edit-class.tsx'
import { CopyWeekDialog, ExtendSeriesDialog } from './repeat-classes.tsx'

const TimetableDialog = lazy(() => import('./timetable-dialog.tsx'))
const OfferTimetableDialog = lazy(() => import('./offer-timetable.tsx'))
const RegularHoldersDialog = lazy(() => import('./regular-holders.tsx'))
const PlanTermDialog = lazy(() => import('./plan-term.tsx'))

const VIEWS = [
  ['list', 'List'],
  ['week', 'Week'],
] as const

export default function ClassesTab() {
  const [query] = useSearchParams()
  const view = viewOf(query, VIEWS)
  const period = periodOf(view, query.get('from'))
  const [created, setCreated] = useState<number>()
  const [isChoosing, setChoosing] = useState(false)
  const set = useSetSearchParam()
  const turn = (from: string) => set('from', from)
  const onCreated = ({ id, date }: { id: number; date: string }) => {
    setCreated(id)
    turn(date)
  }
  const planned = { onPlanned: turn, onTimetable: () => onTimetable() }
  const closing = (close: () => void) => <CloseDaysDialog onClose={close} />
  const creating = (close: () => void) => <CreateClassDialog onCreated={onCreated} onClose={close} />
  const timetable = (close: () => void) => <TimetableDialog onClose={close} />
  const planning = (close: () => void) => <PlanTermDialog {...planned} onClose={close} />
  const { dialog, open } = useDialog(
    { create: creating, close: closing, timetable, term: planning, none: undefined }[useQuickAction() ?? 'none'],
  )
  const onTimetable = () => open(TimetableDialog, {})
  const onSeveralChanged = (change: SlotChange) => open(OfferTimetableDialog, { change })
  const onDelete = (id: number) => open(DeleteClassDialog, { id, onSeveralChanged })
  const onExtend = (id: number) => open(ExtendSeriesDialog, { id })
  const onEdit = (id: number) =>
    open(EditClassDialog, {
      id,
      onDelete: () => onDelete(id),
      onExtend: () => onExtend(id),
      onSeveralChanged,
    })
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <Views label="Classes as" views={VIEWS} />
        <div className="flex flex-wrap items-center gap-2 sm:gap-3 max-sm:w-full max-sm:[&>.btn]:flex-1 max-sm:[&>.btn]:px-3">
          <Button onClick={() => open(CreateClassDialog, { onCreated })}>Create Class</Button>
          <Button variant="secondary" onClick={() => open(PlanTermDialog, planned)}>
            Fill the calendar
          </Button>
          <More
            of="Classes"
            items={[
              { label: 'Timetable', onSelect: onTimetable },
              { label: 'Regular bookings', onSelect: () => open(RegularHoldersDialog, { open }) },
              { label: 'Close Days', onSelect: () => open(CloseDaysDialog, {}) },
              view === 'list' && {
                label: isChoosing ? 'Stop choosing' : 'Choose several',
                onSelect: () => setChoosing(!isChoosing),
              },
              view === 'week' && {
                label: 'Copy this week',
                onSelect: () => open(CopyWeekDialog, { monday: period.from }),
              },
            ]}
          />
        </div>
      </div>
      <Closures />
      <div className="mb-4 flex items-center justify-between gap-x-2">
        <h2 className="title">{period.name}</h2>
        <div className="-mr-3 flex flex-none">
          <Turn label={`Previous ${period.unit}`} icon={chevronLeft} onTurn={() => turn(period.before)} />
          <Turn label={`Next ${period.unit}`} icon={chevronRight} onTurn={() => turn(period.after)} />
        </div>
      </div>
      <QueryView query={useQuery(classesOfDays(period.from, period.to))} failed="The classes could not be loaded.">
        {(classes) => {
          const shown = { classes, created, onEdit }
          if (view === 'week') return <ClassWeek monday={period.from} {...shown} />
          if (classes.length > 0)
            return <ClassList key={period.from} {...{ period, isChoosing, onDelete }} {...shown} />
          return <p className="py-10 text-center text-ink-soft">No classes in {period.name}</p>
        }}
      </QueryView>
      <Suspense>{dialog}</Suspense>
    </>
  )
}

function Turn({ label, icon, onTurn }: { label: string; icon: IconData; onTurn: () => void }) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onTurn}
      className="grid size-11 place-items-center rounded-full hover:bg-sand"
    >
      <Icon of={icon} size={20} />
    </button>
  )
}

/** The current month has the next one with it when fewer days are left of it. */
const FEW_DAYS = 14

/** A week from its Monday, or a month; near the end of the current month, the next one too. */
function periodOf(view: 'list' | 'week', wished: string | null) {
  const now = today(present())
  const day = Temporal.PlainDate.from(dateOr(wished, now))
  const isWeek = view === 'week'
  const first = isWeek ? mondayOf(day.toString()) : day.with({ day: 1 })
  const isEnding = first.equals(Temporal.PlainDate.from(now).with({ day: 1 })) && isNearMonthsEnd(now)
  const months = !isWeek && isEnding ? 2 : 1
  const next = first.add(isWeek ? { weeks: 1 } : { months })
  const [from, to] = [first.toString(), next.subtract({ days: 1 }).toString()]
  return {
    unit: isWeek ? 'week' : 'month',
    name: isWeek ? `${formatDate(from)} to ${formatDate(to)}` : monthsFrom(first, months),
    from,
    to,
    before: first.subtract(isWeek ? { weeks: 1 } : { months: 1 }).toString(),
    after: next.toString(),
  }
}

function isNearMonthsEnd(date: string): boolean {
  const { day, daysInMonth } = Temporal.PlainDate.from(date)
  return daysInMonth - day < FEW_DAYS
}

/** `November 2026`, `November and December 2026`, `December 2026 and January 2027`. */
function monthsFrom(first: Temporal.PlainDate, count: number): string {
  const last = first.add({ months: count - 1 })
  const shown = ({ year }: Temporal.PlainDate, date: string) => `${monthOf(date)} ${year}`
  const end = shown(last, last.toString())
  if (count === 1) return end
  return `${first.year === last.year ? monthOf(first.toString()) : shown(first, first.toString())} and ${end}`
}
