import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { ClassPeople } from '#booking/contract-classes.ts'
import { many } from '#foundation/collections.ts'
import { addDays, formatDate, weekdayOf } from '#foundation/dates.ts'
import { scheduleApi } from '#schedule/web/api.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { SelectField } from '#ui/form-choices.tsx'
import { TextField } from '#ui/form-fields.tsx'
import { RowButton } from '#ui/rows.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { ConfirmChange, FormDialog } from '../dialog-form.tsx'
import { notificationsText } from '../messages/notification-text.ts'
import { useConfirmFirst } from './confirm-first.tsx'
import { GiveClassesDialog } from './give-classes.tsx'
import { SeeTheEmail } from './see-the-email.tsx'
import { useTeachers } from './teachers.tsx'

type Several = { classes: StudioClass[]; people: ReadonlyMap<number, ClassPeople> }
type DialogProps = Several & { onClose: () => void; onDone: () => void }

export const CHOSEN_ID = 'chosen-classes'

export function SeveralBar({ classes, people, onClear }: Several & { onClear: () => void }) {
  const [open, setOpen] = useState<'move' | 'give' | 'take-off'>()
  const hasOthers = useTeachers().length > 1
  if (classes.length === 0) return null
  const props = { classes, people, onDone: onClear, onClose: () => setOpen(undefined) }
  return (
    <section
      id={CHOSEN_ID}
      tabIndex={-1}
      aria-label="Chosen classes"
      className="above-bar z-20 mt-6 flex flex-wrap items-center justify-between gap-3 rounded-row bg-white px-5 py-3 shadow-lift max-sm:-mx-2 max-sm:px-3 md:bottom-4"
    >
      <p aria-live="polite" className="text-small font-medium">
        {many(classes.length, 'class', 'classes')} chosen
      </p>
      <div className="flex flex-wrap gap-2">
        <RowButton label="Clear" variant="quiet" onClick={onClear} />
        <RowButton label="Move" onClick={() => setOpen('move')} />
        {hasOthers && <RowButton label="Another teacher" onClick={() => setOpen('give')} />}
        <RowButton label="Take off" onClick={() => setOpen('take-off')} />
      </div>
      {open === 'move' && <MoveDialog {...props} />}
      {open === 'give' && (
        <GiveClassesDialog
          title={`Another teacher for ${many(classes.length, 'class', 'classes')}`}
          classes={classes}
          members={(id) => (people.get(id)?.booked ?? []).map((member) => member.id)}
          onClose={props.onClose}
          onDone={onClear}
        />
      )}
      {open === 'take-off' && <TakeOffDialog {...props} />}
    </section>
  )
}

const affectedBy = ({ classes, people }: Several) =>
  classes.flatMap(({ id }) => [...(people.get(id)?.booked ?? []), ...(people.get(id)?.waiting ?? [])])

/** Who will be emailed or has to be called, each counted once. */
function emailedOf(several: Several): string {
  return notificationsText(affectedBy(several)) || 'No one has booked or is waiting.'
}

function TakeOffDialog({ classes, people, onClose, onDone }: DialogProps) {
  const bookings = classes.reduce((sum, { bookedCount }) => sum + bookedCount, 0)
  const cancelled =
    bookings === 0
      ? 'There are no bookings to cancel.'
      : `${many(bookings, 'booking')} will be cancelled and every credit returned.`
  return (
    <ConfirmChange
      title={`Take ${many(classes.length, 'class', 'classes')} off the timetable?`}
      text={`${cancelled} ${emailedOf({ classes, people })}`}
      keep="Keep"
      confirm="Take off"
      mutationFn={() => scheduleApi.takeOffClassesInBulk.call({ body: { classIds: classes.map(({ id }) => id) } })}
      toasts={{
        success: `${many(classes.length, 'class is', 'classes are')} off the timetable`,
        failure: 'Failed to take off the classes',
      }}
      onDone={onDone}
      onClose={onClose}
    >
      <ul className="mt-5 grid gap-1 rounded-row bg-linen p-4 text-small/normal">
        {classes.map((c) => (
          <li key={c.id}>
            {weekdayOf(c.date)} {formatDate(c.date)}, {c.startTime}: {c.title}
          </li>
        ))}
      </ul>
      {affectedBy({ classes, people }).length > 0 && (
        <SeeTheEmail change={{ change: 'takeOff', classIds: classes.map(({ id }) => id) }} />
      )}
    </ConfirmChange>
  )
}

/** The server's limits. */
const MAX_DAYS = 366
const MAX_MINUTES = 720

type Typed = { days: string; direction: 'later' | 'earlier'; minutes: string }

function MoveDialog({ classes, people, onClose, onDone }: DialogProps) {
  const form = useForm<Typed>({ defaultValues: { days: '0', direction: 'later', minutes: '0' } })
  const typed = form.watch()
  const confirm = useConfirmFirst(typed)
  const move = useAdminMutation({
    mutationFn: (sent: Typed) => {
      const classIds = classes.map(({ id }) => id)
      return scheduleApi.shiftClassesInBulk.call({ body: { classIds, ...shiftOf(sent), ...confirm.answers } })
    },
    toasts: {
      success: (answer) => `${many(answer.classes, 'class', 'classes')} moved`,
      failure: 'Failed to move the classes',
    },
    onSuccess: () => {
      onClose()
      onDone()
    },
    isQuestion: confirm.isQuestion,
  })
  const shift = shiftOf(typed)
  const isValid = isWholeNumber(typed.days, MAX_DAYS) && isWholeNumber(typed.minutes, MAX_MINUTES)
  const isMoved = isValid && (shift.days !== 0 || shift.minutes !== 0)
  return (
    <FormDialog
      title={`Move ${many(classes.length, 'class', 'classes')}`}
      description={`Every class moves by the same amount from its own day and time. ${emailedOf({ classes, people })}`}
      form={form}
      mutation={move}
      submit={confirm.isAsking ? 'Move anyway' : 'Move'}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-4">
        <TextField<Typed>
          name="days"
          rules={{
            validate: (days) => isWholeNumber(days, MAX_DAYS) || `Please enter whole days, at most ${MAX_DAYS}`,
            deps: 'minutes',
          }}
          label="Days"
          inputMode="numeric"
        />
        <TextField<Typed>
          name="minutes"
          rules={{
            validate: (minutes, all) =>
              !isWholeNumber(minutes, MAX_MINUTES)
                ? `Please enter whole minutes, at most ${MAX_MINUTES}`
                : Number(minutes) !== 0 || Number(all.days) !== 0 || 'Please enter how far to move',
          }}
          label="Minutes"
          inputMode="numeric"
        />
      </div>
      <SelectField
        name="direction"
        label="Direction"
        options={[
          ['later', 'Later'],
          ['earlier', 'Earlier'],
        ]}
      />
      {isMoved && (
        <ul className="grid gap-1 rounded-row bg-linen p-4 text-small/normal">
          {classes.map((c) => (
            <li key={c.id}>
              {c.title}: {timeOf(c)}, then {timeOf(shifted(c, shift))}
            </li>
          ))}
        </ul>
      )}
      {isMoved && affectedBy({ classes, people }).length > 0 && (
        <SeeTheEmail change={{ change: 'shift', shift: { classIds: classes.map(({ id }) => id), ...shift } }} />
      )}
      {confirm.note}
    </FormDialog>
  )
}

const isWholeNumber = (typed: string, most: number) => /^\d{1,3}$/.test(typed.trim()) && Number(typed) <= most

function shiftOf({ days, direction, minutes }: Typed) {
  const sign = direction === 'earlier' ? -1 : 1
  return { days: sign * Number(days), minutes: sign * Number(minutes) }
}

const timeOf = ({ date, startTime }: { date: string; startTime: string }) =>
  `${weekdayOf(date).slice(0, 3)} ${formatDate(date)} ${startTime}`

/** The new date and time of a class, computed as the server does. */
function shifted({ date, startTime }: StudioClass, { days, minutes }: ReturnType<typeof shiftOf>) {
  return {
    date: addDays(date, days),
    startTime: Temporal.PlainTime.from(startTime).add({ minutes }).toString({ smallestUnit: 'minute' }),
  }
}
