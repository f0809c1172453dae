import chevronLeft from '@lucide/icons/icons/chevron-left'
import chevronRight from '@lucide/icons/icons/chevron-right'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { ClassPeople } from '#booking/contract-several.ts'
import { useClassPeople } from '#booking/web/admin-bookings.ts'
import { formatDate, mondayOf, monthOf } from '#foundation/dates.ts'
import { dateOr, today } from '#foundation/instants.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { classesOfDays } from '#timetable/web/classes.ts'
import { Button } from '#ui/button.tsx'
import { Icon, type IconData } from '#ui/icon.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { present } from '#ui/use-now.ts'
import { Views, viewOf } from '#ui/views.tsx'
import { CLOSE, CREATE, useOpened, useShowAll } from '../tab-state.ts'
import { ClassDays, ClassWeek, type OpenClass } from './class-days.tsx'
import { CloseDaysDialog, Closures } from './closed-days.tsx'
import { CreateClassDialog } from './create-class.tsx'
import { DeleteClassDialog, EditClassDialog } from './edit-class.tsx'
import { CopyWeekDialog, ExtendSeriesDialog } from './repeat-classes.tsx'
import { SeveralBar } from './several-classes.tsx'

const VIEWS = [
  ['list', 'List'],
  ['week', 'Week'],
] as const

export default function ClassesTab() {
  const [query, setQuery] = useSearchParams()
  const view = viewOf(query, VIEWS)
  const period = periodOf(view, query.get('from'))
  const [creating, setCreating] = useOpened(CREATE)
  const [closing, setClosing] = useOpened(CLOSE)
  const [created, setCreated] = useState<number>()
  const [copying, setCopying] = useState(false)
  const [open, setOpen] = useState<OpenClass>()
  const [isAll, showAll] = useShowAll()
  const turn = (from: string) =>
    setQuery(
      (now) => {
        now.set('from', from)
        return now
      },
      { replace: true, preventScrollReset: true },
    )
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <Views label="Classes as" views={VIEWS} />
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" onClick={() => setClosing(true)}>
            Close Days
          </Button>
          <Button onClick={() => setCreating(true)}>Create Class</Button>
        </div>
      </div>
      <Closures />
      <div className="mb-4 flex items-center justify-between gap-4">
        <div>
          <h2 className="title">{period.name}</h2>
          <p className="text-[0.9375rem] text-ink-mute">Use the arrows to see the {period.unit}s before and after.</p>
        </div>
        <div className="flex flex-wrap items-center justify-end gap-1">
          {view === 'week' && (
            <Button variant="quiet" small onClick={() => setCopying(true)}>
              Copy this week
            </Button>
          )}
          <Turn label={`Previous ${period.unit}`} icon={chevronLeft} onTurn={() => turn(period.before)} />
          <Turn label={`Next ${period.unit}`} icon={chevronRight} onTurn={() => turn(period.after)} />
        </div>
      </div>
      <QueryView query={useQuery(classesOfDays(period.from, period.to))} failed="The classes could not be loaded.">
        {(classes) =>
          view === 'week' ? (
            <ClassWeek monday={period.from} classes={classes} created={created} onOpen={setOpen} />
          ) : classes.length === 0 ? (
            <p className="py-10 text-center text-ink-soft">No classes in {period.name}</p>
          ) : (
            <List
              key={period.from}
              classes={classes}
              period={period}
              onOpen={setOpen}
              created={created}
              isAll={created !== undefined || isAll}
              onAll={showAll}
            />
          )
        }
      </QueryView>
      {closing && <CloseDaysDialog onClose={() => setClosing(false)} />}
      {copying && <CopyWeekDialog monday={period.from} onClose={() => setCopying(false)} />}
      {creating && (
        <CreateClassDialog
          onCreated={({ id, date }) => {
            setCreated(id)
            turn(date)
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {open?.dialog === 'edit' && (
        <EditClassDialog
          id={open.id}
          onClose={() => setOpen(undefined)}
          onDelete={() => setOpen({ dialog: 'delete', id: open.id })}
          onExtend={() => setOpen({ dialog: 'extend', id: open.id })}
        />
      )}
      {open?.dialog === 'extend' && <ExtendSeriesDialog id={open.id} onClose={() => setOpen(undefined)} />}
      {open?.dialog === 'delete' && <DeleteClassDialog id={open.id} onClose={() => setOpen(undefined)} />}
    </>
  )
}

type Listed = {
  classes: StudioClass[]
  period: { from: string; to: string }
  onOpen: (open: OpenClass) => void
  created: number | undefined
  isAll: boolean
  onAll: () => void
}

/** Classes by day; several can be ticked and changed together. */
function List({ classes, period, onOpen, created, isAll, onAll }: Listed) {
  const people = useClassPeople(period.from, period.to).data ?? NOBODY
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const choose = (id: number, isChosen: boolean) =>
    setTicked((before) => new Set(isChosen ? [...before, id] : [...before].filter((other) => other !== id)))
  // Drop classes that someone else has deleted.
  const chosen = classes.filter(({ id }) => ticked.has(id))
  return (
    <>
      <ClassDays
        classes={classes}
        people={people}
        chosen={new Set(chosen.map(({ id }) => id))}
        onChoose={choose}
        onOpen={onOpen}
        created={created}
        isAll={isAll}
        onAll={onAll}
      />
      <SeveralBar classes={chosen} people={people} onClear={() => setTicked(new Set())} />
    </>
  )
}

const NOBODY: ReadonlyMap<number, ClassPeople> = new Map()

function Turn({ label, icon, onTurn }: { label: string; icon: IconData; onTurn: () => void }) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onTurn}
      className="grid size-11 place-items-center rounded-full hover:bg-sand"
    >
      <Icon of={icon} aria-hidden size={20} strokeWidth={1.5} />
    </button>
  )
}

/** The month or week shown, which bounds the list. */
function periodOf(view: 'list' | 'week', wished: string | null) {
  const day = Temporal.PlainDate.from(dateOr(wished, today(present())))
  const first = view === 'week' ? mondayOf(day.toString()) : day.with({ day: 1 })
  const step = view === 'week' ? { weeks: 1 } : { months: 1 }
  const from = first.toString()
  const to = first.add(step).subtract({ days: 1 }).toString()
  return {
    unit: view === 'week' ? 'week' : 'month',
    name: view === 'week' ? `${formatDate(from)} to ${formatDate(to)}` : `${monthOf(from)} ${first.year}`,
    from,
    to,
    before: first.subtract(step).toString(),
    after: first.add(step).toString(),
  }
}
