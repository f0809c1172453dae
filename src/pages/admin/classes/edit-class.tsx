import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { type ClassForAdmin, EditClassForm } from '#booking/contract-classes.ts'
import { classForAdmin } from '#booking/web/admin-bookings.ts'
import { bookingApi } from '#booking/web/api.ts'
import { bookingQueries, classQueries } from '#booking/web/change-bookings.ts'
import { keysOf } from '#foundation/collections.ts'
import { formatDate, formatLongDate, weekdayOf } from '#foundation/dates.ts'
import { many } from '#foundation/many.ts'
import { memberQueries } from '#insights/web/api.ts'
import { History } from '#insights/web/history.tsx'
import { passQueries } from '#passes/web/passes.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { timetableApi } from '#timetable/web/api.ts'
import { Button } from '#ui/button.tsx'
import { RadioCards } from '#ui/choices.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Tick } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { ConfirmChange, DialogForm, useFreshVersion } from '../dialog-form.tsx'
import { Asked, useAskFirst } from './ask-first.tsx'
import { ClassFields } from './create-class.tsx'

const valuesOf = (c: StudioClass): EditClassForm => ({
  title: c.title,
  description: c.description ?? '',
  date: c.date,
  startTime: c.startTime,
  endTime: c.endTime,
  maxParticipants: c.maxParticipants,
  isActive: c.isActive,
})

/** Edits a class, or all on the same weekday and time; `Active` takes it off the timetable. */
export function EditClassDialog({ id, ...ways }: Ways & { id: number }) {
  const found = useQuery(classForAdmin(id))
  return (
    <Dialog open onClose={ways.onClose} title="Edit Class">
      <QueryView query={found} failed="The class could not be loaded.">
        {(shown) => <Form found={shown} {...ways} />}
      </QueryView>
      <History subject={`class:${id}`} />
    </Dialog>
  )
}

type Ways = { onClose: () => void; onDelete?: (() => void) | undefined; onExtend?: (() => void) | undefined }

function Form({ found, onClose, onDelete, onExtend }: Ways & { found: ClassForAdmin }) {
  const { id } = found.class
  const queries = useQueryClient()
  const [scope, setScope] = useState<Scope>('one')
  const form = useForm<EditClassForm>({
    resolver: zodResolver(EditClassForm),
    defaultValues: valuesOf(found.class),
  })
  const { base, take } = useFreshVersion(found.class, form, valuesOf)
  const values = form.watch()
  const ask = useAskFirst([values, scope])
  const edit = useAdminMutation({
    mutationFn: (sent: EditClassForm) => {
      const changes = changesOf(sent, valuesOf(base))
      const answers = isMove(changes) || changes.isActive ? ask.answers : {}
      const body = { ...changes, ...answers, applyToRecurring: scope === 'all', ifUpdatedAt: base.updatedAt }
      return bookingApi.editClass.call({ params: { id }, body })
    },
    says: { success: 'Class updated successfully', failure: 'Failed to update class', fixed: true },
    stale: [...classQueries, ...bookingQueries, ...passQueries, ...memberQueries],
    onSuccess: onClose,
    asks: ask.take,
  })
  const { mostBooked, bookings, people } = found.touches[scope]
  const changes = changesOf(values, valuesOf(base))
  const cancels = base.isActive && !values.isActive
  const moves = !cancels && isMove(changes)
  return (
    <>
      <WhoComes found={found} />
      {onExtend && found.class.repeatUntilDate && (
        <p className="mt-3 flex flex-wrap items-center gap-x-3 text-[0.9375rem] text-ink-soft">
          Repeats {found.class.repeatFrequency} until {formatDate(found.class.repeatUntilDate)}.
          <Button variant="quiet" small className="px-0" onClick={onExtend}>
            Extend series
          </Button>
        </p>
      )}
      <DialogForm
        form={form}
        mutation={edit}
        submit={
          ask.words.length > 0
            ? 'Save anyway'
            : cancels && bookings > 0
              ? 'Save and cancel bookings'
              : moves && people > 0
                ? `Save and tell ${peopleOf(people)}`
                : 'Save'
        }
        aside={
          onDelete && (
            <Button variant="quiet" className="sm:mr-auto" onClick={onDelete}>
              Delete
            </Button>
          )
        }
        onLoad={async () => take((await queries.fetchQuery({ ...classForAdmin(id), staleTime: 0 })).class)}
        onClose={onClose}
      >
        <ClassFields
          places={
            values.isActive && values.maxParticipants < mostBooked
              ? `${mostBooked} places are booked: a class cannot have fewer.`
              : undefined
          }
        />
        <Tick name="isActive" label="Active: members see the class and can book it" />
        <ScopeChoice found={found} scope={scope} onChange={setScope} />
        {cancels && <Consequences found={found} scope={scope} />}
        {changes.isActive && (
          <p role="status" className="rounded-row bg-linen p-4 text-[0.9375rem]/[1.45] text-ink-soft">
            {scope === 'all' && `All ${found.touches.all.classes} classes become active. `}
            Bookings and the waiting list do not come back: the class starts empty, and nobody is told.
          </p>
        )}
        {moves && <MoveConsequences found={found} scope={scope} date={changes.date} />}
        <Asked words={ask.words} />
      </DialogForm>
    </>
  )
}

/** Deletes a class, or all on the same weekday and time; shows the consequences first. */
export function DeleteClassDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const found = useQuery(classForAdmin(id))
  const [scope, setScope] = useState<Scope>('one')
  const remove = useAdminMutation({
    mutationFn: () => bookingApi.deleteClass.call({ params: { id }, body: { applyToRecurring: scope === 'all' } }),
    says: { success: 'Class deleted successfully', failure: 'Failed to delete class' },
    stale: [timetableApi.listClasses, ...bookingQueries, ...passQueries, ...memberQueries, bookingApi.listUndoable],
    onSuccess: onClose,
  })
  const named = found.data?.class
  const count = found.data?.touches[scope].classes ?? 1
  return (
    <ConfirmChange
      title="Delete class?"
      text={
        named ? `${named.title}, ${formatLongDate(named.date)}, ${named.startTime}\u00a0-\u00a0${named.endTime}.` : ''
      }
      keep="Keep"
      confirm={count > 1 ? `Delete ${count} classes` : 'Delete class'}
      mutation={remove}
      disabled={!named}
      onClose={onClose}
    >
      <QueryView query={found} failed="The class could not be loaded.">
        {(shown) => (
          <div className="mt-6 grid gap-5">
            <ScopeChoice found={shown} scope={scope} onChange={setScope} />
            <Consequences found={shown} scope={scope} />
            <p className="text-[0.9375rem] text-ink-soft">
              You can undo this for a minute; emails are sent after that.
            </p>
          </div>
        )}
      </QueryView>
    </ConfirmChange>
  )
}

type Scope = 'one' | 'all'

/** This class only, or all with the same weekday and time; shown only if there are others. */
function ScopeChoice({
  found,
  scope,
  onChange,
}: {
  found: ClassForAdmin
  scope: Scope
  onChange: (scope: Scope) => void
}) {
  const { touches, class: c } = found
  if (touches.all.classes < 2) return null
  return (
    <RadioCards
      label="Which classes?"
      name="scope"
      options={[
        ['one', 'This class only'],
        ['all', `All ${touches.all.classes} classes on ${weekdayOf(c.date)} at ${c.startTime}`],
      ]}
      checkedValue={scope}
      onChange={(event) => onChange(event.target.value === 'all' ? 'all' : 'one')}
    />
  )
}

/** The consequences of cancelling: `3 bookings are cancelled and 3 credits returned. 3 members are emailed.` */
function Consequences({ found, scope }: { found: ClassForAdmin; scope: Scope }) {
  const { bookings, credits, members, waiting } = found.touches[scope]
  return (
    <Note warns={credits > 0}>
      {credits > 0
        ? `${many(bookings, 'booking is', 'bookings are')} cancelled and ${many(credits, 'credit')} returned.`
        : 'Nobody has booked.'}{' '}
      {emailedOf(members, waiting)}
    </Note>
  )
}

function emailedOf(members: number, waiting: number): string {
  const people = [members > 0 && many(members, 'member'), waiting > 0 && `${waiting} on the waiting list`]
  const named = people.filter(Boolean).join(' and ') || 'Nobody'
  return `${named} ${members + waiting > 1 ? 'are' : 'is'} emailed.`
}

/**
 * The consequences of moving: how many people are emailed.
 *
 * @param props.date the new date of the edited class, if it changes
 */
function MoveConsequences({ found, scope, date }: { found: ClassForAdmin; scope: Scope; date: string | undefined }) {
  const { classes, bookings, waiting, people } = found.touches[scope]
  const days = date
    ? Temporal.PlainDate.from(found.class.date).until(Temporal.PlainDate.from(date), { largestUnit: 'days' }).days
    : 0
  const told = [bookings > 0 && many(bookings, 'booking'), waiting > 0 && `${waiting} on the waiting list`]
  return (
    <Note warns={people > 0}>
      {classes > 1 &&
        days !== 0 &&
        `All ${classes} classes move by ${many(Math.abs(days), 'day')}, ${days > 0 ? 'later' : 'earlier'}. `}
      {people > 0
        ? `${peopleOf(people)} will be told of the new time: ${told.filter(Boolean).join(', ')}. Anyone who has booked can cancel until the class starts and have the credit back.`
        : 'Nobody has booked or is waiting, so nobody is told.'}
    </Note>
  )
}

/** `1 person`, `3 people`. */
const peopleOf = (count: number) => (count === 1 ? '1 person' : `${count} people`)

function Note({ warns, children }: { warns: boolean; children: ReactNode }) {
  return (
    <p
      role="status"
      className={`rounded-row p-4 text-[0.9375rem]/[1.45] ${warns ? 'bg-warn-tint text-warn' : 'bg-linen text-ink-soft'}`}
    >
      {children}
    </p>
  )
}

type Named = { id: string; firstName: string; lastName: string }

/** Members who have booked or are waiting, linked to their pages. */
function WhoComes({ found }: { found: ClassForAdmin }) {
  const { bookings, waiting, class: c } = found
  return (
    <dl className="mt-5 grid gap-3 rounded-row bg-linen p-4 text-[0.9375rem]/[1.45]">
      <div>
        <dt className="text-ink-mute">
          Booked {c.bookedCount}/{c.maxParticipants}
        </dt>
        <dd>{bookings.length > 0 ? <Names of={bookings.map(({ user }) => user)} /> : 'Nobody yet'}</dd>
      </div>
      {waiting.length > 0 && (
        <div>
          <dt className="text-ink-mute">Waiting list</dt>
          <dd>
            <Names of={waiting.map(({ user }) => user)} />
          </dd>
        </div>
      )}
    </dl>
  )
}

function Names({ of }: { of: Named[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4">
      {of.map((user) => (
        <li key={user.id}>
          <Link to={`/admin?tab=Users&user=${user.id}`} className="link inline-flex min-h-8 items-center">
            {user.firstName} {user.lastName}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/**
 * The changed fields. Only they are sent: editing a series leaves an inactive class inactive and keeps the name of
 * a class that has its own.
 */
export function changesOf(typed: EditClassForm, shown: EditClassForm): Partial<EditClassForm> {
  return Object.fromEntries(
    keysOf(typed)
      .filter((name) => typed[name] !== shown[name])
      .map((name) => [name, typed[name]]),
  )
}

/** Whether the changes move the class to another date, start or end. */
export function isMove({ date, startTime, endTime }: Partial<EditClassForm>): boolean {
  return date !== undefined || startTime !== undefined || endTime !== undefined
}
