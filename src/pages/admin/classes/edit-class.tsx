import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { fullName } from '#accounts/rules.ts'
import type { ClassForAdmin } from '#booking/contract-classes.ts'
import { classForAdmin } from '#booking/web/admin-bookings.ts'
import type { Slot } from '#facts/contract-timetable.ts'
import { keysOf, many } from '#foundation/collections.ts'
import { formatDate, formatLongDate, weekdayOf } from '#foundation/dates.ts'
import { timeOf, today } from '#foundation/instants.ts'
import { History } from '#insights/web/history.tsx'
import { EditClassForm } from '#schedule/contract.ts'
import { scheduleApi } from '#schedule/web/api.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { hasStarted } from '#timetable/rules.ts'
import type { SlotChange } from '#timetable/rules-planning.ts'
import { Button } from '#ui/button.tsx'
import { Callout } from '#ui/callout.tsx'
import { RadioCards } from '#ui/choices.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Tick } from '#ui/form-choices.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { present, useNow } from '#ui/use-now.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { ConfirmChange, DialogForm, formValues, useFreshVersion } from '../dialog-form.tsx'
import { MemberLink, type UserName } from '../users/member-details.tsx'
import { useConfirmFirst } from './confirm-first.tsx'
import { ClassFields, lengthOf, oddLength } from './create-class.tsx'
import { SeeTheEmail } from './see-the-email.tsx'
import { GiveConsequences } from './teacher-field.tsx'

const valuesOf = (studioClass: StudioClass) => formValues(EditClassForm, studioClass)

type Callbacks = {
  onClose: () => void
  onDelete: () => void
  onExtend: () => void
  /** Called after several classes of a weekly slot changed their time or places, or were taken off. */
  onSeveralChanged: (change: SlotChange) => void
}

/** Edits a class, or it and later ones, or all of the same weekday and time; `Active` takes it off the timetable. */
export function EditClassDialog({ id, ...callbacks }: Callbacks & { id: number }) {
  const found = useQuery(classForAdmin(id))
  return (
    <Dialog onClose={callbacks.onClose} title="Edit Class">
      <QueryView query={found} failed="The class could not be loaded.">
        {(shown) => <Form found={shown} {...callbacks} />}
      </QueryView>
      <History subject={`class:${id}`} />
    </Dialog>
  )
}

function Form({ found, onClose, onDelete, onExtend, onSeveralChanged }: Callbacks & { found: ClassForAdmin }) {
  const { id, repeatFrequency, repeatUntilDate } = found.class
  const queries = useQueryClient()
  const [scope, setScope] = useState<Scope>('one')
  const form = useForm<EditClassForm>({ resolver: zodResolver(EditClassForm), defaultValues: valuesOf(found.class) })
  const { base, take } = useFreshVersion(found.class, form, valuesOf)
  const values = form.watch()
  const isLengthNew = lengthOf(values) !== lengthOf(base)
  const own = isLengthNew ? oddLength(values, 'Save anyway?') : undefined
  const confirm = useConfirmFirst([values, scope], { own })
  const edit = useAdminMutation({
    mutationFn: (sent: EditClassForm) => {
      const changes = changesOf(sent, valuesOf(base))
      const answers = isMove(changes) || changes.isActive ? confirm.answers : {}
      const body = { ...changes, ...answers, applyToRecurring: APPLY_TO[scope], ifUpdatedAt: base.updatedAt }
      return scheduleApi.editClass.call({ params: { id }, body })
    },
    toasts: { success: 'Class updated successfully', failure: 'Failed to update class', fixed: true },
    onSuccess: (_, sent) => {
      onClose()
      if (isOfSlot(base, scope)) onSeveralChanged(slotChange(base, sent, scope))
    },
    isQuestion: confirm.isQuestion,
  })
  const { mostBooked, bookings, members, people, calls } = found.touches[scope]
  const changes = changesOf(values, valuesOf(base))
  const whatIf = { change: 'edit', classId: id, edit: { ...changes, applyToRecurring: APPLY_TO[scope] } } as const
  const cancels = base.isActive && !values.isActive
  const moves = !cancels && isMove(changes)
  const isAhead = !hasStarted(Temporal.Instant.from(base.startsAt), useNow())
  const gives = !cancels && !moves && isAhead && changes.instructorName !== undefined
  const submitLabel = () => {
    if (confirm.isAsking) return 'Save anyway'
    if (cancels && bookings > 0) return 'Save and cancel bookings'
    return moves && people > calls ? `Save and email ${many(people - calls, 'person', 'people')}` : 'Save'
  }
  return (
    <>
      <dl className="mt-5 grid gap-3 rounded-row bg-linen p-4 text-small/even">
        <Names label={`Booked ${found.class.bookedCount}/${found.class.maxParticipants}`} of={found.bookings} />
        {found.waiting.length > 0 && <Names label="Waiting list" of={found.waiting} />}
      </dl>
      {repeatUntilDate && (
        <p className="mt-3 flex flex-wrap items-center gap-x-3 text-small text-ink-soft">
          Repeats {repeatFrequency} until {formatDate(repeatUntilDate)}.
          <Button variant="quiet" small className="px-0" onClick={onExtend}>
            Extend series
          </Button>
        </p>
      )}
      <DialogForm
        form={form}
        mutation={confirm.askingFirst(edit)}
        submit={submitLabel()}
        aside={
          <Button variant="quiet" className="sm:mr-auto" onClick={onDelete}>
            Delete
          </Button>
        }
        onLoad={async () => take((await queries.fetchQuery({ ...classForAdmin(id), staleTime: 0 })).class)}
        onClose={onClose}
      >
        <ClassFields
          minutes={lengthOf(base)}
          places={
            values.isActive && values.maxParticipants < mostBooked
              ? `${many(mostBooked, 'place is', 'places are')} booked: a class cannot have fewer.`
              : undefined
          }
        />
        <Tick name="isActive" label="Active: members see the class and can book it" />
        <ScopeChoice found={found} scope={scope} onChange={setScope} />
        {cancels && <Consequences found={found} scope={scope} change={whatIf} />}
        {changes.isActive && (
          <Callout role="status" tone="plain">
            {scope !== 'one' && `All ${found.touches[scope].classes} classes become active. `}
            Bookings and the waiting list do not come back: the class starts empty, and no emails will be sent.
          </Callout>
        )}
        {gives && <GiveConsequences members={members} change={whatIf} />}
        {moves && <MoveConsequences found={found} scope={scope} date={changes.date} change={whatIf} />}
        {confirm.note}
      </DialogForm>
    </>
  )
}

/** Deletes a class, or this and the later ones, or all on the same weekday and time; shows the consequences first. */
type DeleteProps = { id: number; onClose: () => void } & Pick<Callbacks, 'onSeveralChanged'>
export function DeleteClassDialog({ id, onClose, onSeveralChanged }: DeleteProps) {
  const found = useQuery(classForAdmin(id))
  const [scope, setScope] = useState<Scope>('one')
  const c = found.data?.class
  const count = found.data?.touches[scope].classes ?? 1
  return (
    <ConfirmChange
      title="Delete class?"
      text={c ? `${c.title}, ${formatLongDate(c.date)}, ${c.startTime}\u00a0-\u00a0${c.endTime}.` : ''}
      keep="Keep"
      confirm={count > 1 ? `Delete ${count} classes` : 'Delete class'}
      mutationFn={() => scheduleApi.deleteClass.call({ params: { id }, body: { applyToRecurring: APPLY_TO[scope] } })}
      toasts={{ success: 'Class deleted successfully', failure: 'Failed to delete class' }}
      disabled={!c}
      onDone={() => {
        if (c && isOfSlot(c, scope)) onSeveralChanged(slotChange(c, null, scope))
      }}
      onClose={onClose}
    >
      <QueryView query={found} failed="The class could not be loaded.">
        {(shown) => (
          <div className="mt-6 grid gap-5">
            <ScopeChoice found={shown} scope={scope} onChange={setScope} />
            <Consequences
              found={shown}
              scope={scope}
              change={{ change: 'delete', classId: id, applyToRecurring: APPLY_TO[scope] }}
            />
            <p className="text-small text-ink-soft">
              You can undo this for a minute. After that, we’ll send the emails.
            </p>
          </div>
        )}
      </QueryView>
    </ConfirmChange>
  )
}

/** Whether a change to these classes changes a weekly slot. */
const isOfSlot = ({ repeatFrequency }: StudioClass, scope: Scope) =>
  scope === 'all' || (scope === 'later' && repeatFrequency !== 'monthly')

/** How the weekly slot of several classes has changed, and from which day on. */
function slotChange(before: StudioClass, after: EditClassForm | null, scope: Scope): SlotChange {
  const now = today(present())
  const first = [before.date, after?.date ?? before.date].sort()[0] ?? before.date
  return {
    before: slotOf(before),
    after: after?.isActive ? slotOf(after) : null,
    from: scope === 'all' || first < now ? now : first,
  }
}

const slotOf = ({ date, startTime, endTime, maxParticipants }: EditClassForm | StudioClass): Slot => {
  return { day: weekdayOf(date), startTime, endTime, maxParticipants }
}

type Scope = 'one' | 'later' | 'all'
const APPLY_TO = { one: false, later: 'later', all: true } as const
type Scoped = { found: ClassForAdmin; scope: Scope }

/** The classes that a change can include, each with its label. */
export function scopesOf(
  { date, startTime, repeatFrequency }: Pick<StudioClass, 'date' | 'startTime' | 'repeatFrequency'>,
  touches: Record<'all' | 'later', { classes: number }>,
): [Scope, string][] {
  const scopes: [Scope, string][] = [['one', 'This class only']]
  const [all, later] = [touches.all.classes, touches.later.classes]
  if (all > 1) scopes.push(['all', `All ${all} classes on ${weekdayOf(date)} at ${startTime}`])
  if (later > 1 && (later < all || repeatFrequency === 'monthly')) scopes.push(['later', `This and ${later - 1} later`])
  return scopes
}

function ScopeChoice({ found, scope, onChange }: Scoped & { onChange: (scope: Scope) => void }) {
  const options = scopesOf(found.class, found.touches)
  if (options.length < 2) return null
  return (
    <div>
      <RadioCards
        label="Which classes?"
        name="scope"
        options={options}
        checkedValue={scope}
        onChange={({ target }) => onChange(options.find(([value]) => value === target.value)?.[0] ?? 'one')}
      />
      {found.class.repeatFrequency === 'monthly' && found.touches.later.classes > 1 && (
        <p className="mt-2 text-small text-ink-soft">Later classes are those of this monthly series, on any weekday.</p>
      )}
    </div>
  )
}

type Change = Parameters<typeof SeeTheEmail>[0]

function Consequences({ found, scope, change }: Scoped & Change) {
  const { bookings, credits, members, waiting, people: all, calls } = found.touches[scope]
  const people = [members > 0 && many(members, 'member'), waiting > 0 && `${waiting} on the waiting list`]
  const reached = all - calls > 0 && many(all - calls, 'person', 'people')
  const emailed = calls > 0 ? reached || '' : people.filter(Boolean).join(' and ')
  return (
    <Callout role="status" tone={members > 0 ? 'warn' : 'plain'}>
      {members > 0 && `${many(bookings, 'booking')} will be cancelled and ${many(credits, 'credit')} returned.`}
      {members === 0 && emailed && 'No one has booked.'}
      {emailed && ` We’ll email ${emailed}.`}
      {members === 0 && !emailed && calls === 0 && 'No one has booked, so no emails will be sent.'}
      <ToCall calls={calls} />
      {all > 0 && <SeeTheEmail change={change} />}
    </Callout>
  )
}

/** Members whom the email cannot reach. */
function ToCall({ calls }: { calls: number }) {
  if (calls === 0) return null
  return ` ${many(calls, 'person', 'people')} to call, as we have no email address.`
}

/** The consequences of moving. `date`: the new date of the edited class, if it changes. */
function MoveConsequences({ found, scope, date, change }: Scoped & Change & { date: string | undefined }) {
  const { classes, bookings, waiting, people, calls } = found.touches[scope]
  const days = date
    ? Temporal.PlainDate.from(found.class.date).until(Temporal.PlainDate.from(date), { largestUnit: 'days' }).days
    : 0
  const how = [bookings > 0 && 'booked', waiting > 0 && 'joined the waiting list'].filter(Boolean).join(' or ')
  return (
    <Callout role="status" tone={people > 0 ? 'warn' : 'plain'}>
      {classes > 1 &&
        days !== 0 &&
        `All ${classes} classes move by ${many(Math.abs(days), 'day')}, ${days > 0 ? 'later' : 'earlier'}. `}
      {people > 0
        ? `${many(people, 'person has', 'people have')} ${how}.${people > calls ? ' We’ll email them the new time.' : ''} Anyone who has booked can cancel until the class starts and get the credit back.`
        : 'No one has booked or is waiting, so no emails will be sent.'}
      <ToCall calls={calls} />
      {people > 0 && <SeeTheEmail change={change} />}
    </Callout>
  )
}

function Names({ label, of }: { label: string; of: readonly { user: UserName; offeredUntil?: string | null }[] }) {
  return (
    <div>
      <dt className="text-ink-mute">{label}</dt>
      <dd>
        {of.length === 0 ? (
          'No one yet'
        ) : (
          <ul className="flex flex-wrap gap-x-4">
            {of.map(({ user, offeredUntil }) => (
              <li key={user.id}>
                <MemberLink id={user.id}>{fullName(user)}</MemberLink>
                {offeredUntil && ` (offered until ${timeOf(offeredUntil)})`}
              </li>
            ))}
          </ul>
        )}
      </dd>
    </div>
  )
}

/** The changed fields only: an edited series leaves inactive classes inactive, and own names of classes as they are. */
export function changesOf(typed: EditClassForm, shown: EditClassForm): Partial<EditClassForm> {
  return Object.fromEntries(
    keysOf(typed)
      .filter((name) => typed[name] !== shown[name])
      .map((name) => [name, typed[name]]),
  )
}

export function isMove({ date, startTime, endTime }: Partial<EditClassForm>): boolean {
  return date !== undefined || startTime !== undefined || endTime !== undefined
}
