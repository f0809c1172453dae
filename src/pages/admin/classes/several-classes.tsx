import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { ClassPeople, ShiftForm } from '#booking/contract-several.ts'
import { bookingApi } from '#booking/web/api.ts'
import { formatDate, weekdayOf } from '#foundation/dates.ts'
import { many } from '#foundation/many.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { Button } from '#ui/button.tsx'
import { SelectField, TextField } from '#ui/form-fields.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { CHANGED } from '../bookings/booking-changes.ts'
import { ConfirmChange, FormDialog } from '../dialog-form.tsx'
import { Asked, useAskFirst } from './ask-first.tsx'

type Several = { classes: StudioClass[]; people: ReadonlyMap<number, ClassPeople> }

/** The id of {@link SeveralBar}. */
export const CHOSEN_ID = 'chosen-classes'

/** Actions for the ticked classes; nothing while none is ticked. */
export function SeveralBar({ classes, people, onClear }: Several & { onClear: () => void }) {
  const [open, setOpen] = useState<'move' | 'take-off'>()
  const close = () => setOpen(undefined)
  const done = () => {
    close()
    onClear()
  }
  if (classes.length === 0) return null
  return (
    <section
      id={CHOSEN_ID}
      tabIndex={-1}
      aria-label="Chosen classes"
      className="sticky bottom-4 z-20 mt-6 flex flex-wrap items-center justify-between gap-3 rounded-row bg-white px-5 py-3 shadow-lift"
    >
      <p aria-live="polite" className="text-[0.9375rem] font-medium">
        {many(classes.length, 'class', 'classes')} chosen
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="quiet" small onClick={onClear}>
          Clear
        </Button>
        <Button variant="secondary" small onClick={() => setOpen('move')}>
          Move
        </Button>
        <Button variant="secondary" small onClick={() => setOpen('take-off')}>
          Take off
        </Button>
      </div>
      {open === 'move' && <MoveDialog classes={classes} people={people} onClose={close} onDone={done} />}
      {open === 'take-off' && <TakeOffDialog classes={classes} people={people} onClose={close} onDone={done} />}
    </section>
  )
}

/** The people who have booked or are waiting, each counted once. */
function peopleOf({ classes, people }: Several): number {
  const those = classes.flatMap(({ id }) => [...(people.get(id)?.booked ?? []), ...(people.get(id)?.waiting ?? [])])
  return new Set(those.map(({ id }) => id)).size
}

const toldOf = (count: number) =>
  count === 0 ? 'Nobody has booked or is waiting.' : `${many(count, 'person is', 'people are')} told by email.`

function TakeOffDialog({ classes, people, onClose, onDone }: Several & { onClose: () => void; onDone: () => void }) {
  const takeOff = useAdminMutation({
    mutationFn: () => bookingApi.takeOffSeveral.call({ body: { classIds: classes.map(({ id }) => id) } }),
    isRepeatable: true,
    says: {
      success: `${many(classes.length, 'class is', 'classes are')} off the timetable`,
      failure: 'Failed to take off the classes',
    },
    stale: CHANGED,
    onSuccess: onDone,
  })
  const bookings = classes.reduce((sum, { bookedCount }) => sum + bookedCount, 0)
  return (
    <ConfirmChange
      title={`Take ${many(classes.length, 'class', 'classes')} off?`}
      text={`${bookings === 0 ? 'No booking is cancelled.' : `${many(bookings, 'booking is', 'bookings are')} cancelled, and every credit is returned.`} ${toldOf(peopleOf({ classes, people }))}`}
      keep="Keep"
      confirm="Take off"
      mutation={takeOff}
      onClose={onClose}
    >
      <ul className="mt-5 grid gap-1 rounded-row bg-linen p-4 text-[0.9375rem]/[1.5]">
        {classes.map((c) => (
          <li key={c.id}>
            {weekdayOf(c.date)} {formatDate(c.date)}, {c.startTime}: {c.title}
          </li>
        ))}
      </ul>
    </ConfirmChange>
  )
}

/** The server's limits. */
const MOST_DAYS = 366
const MOST_MINUTES = 720

type Typed = { days: string; direction: 'later' | 'earlier'; minutes: string }

function MoveDialog({ classes, people, onClose, onDone }: Several & { onClose: () => void; onDone: () => void }) {
  const form = useForm<Typed>({ defaultValues: { days: '0', direction: 'later', minutes: '0' } })
  const typed = form.watch()
  const ask = useAskFirst(typed)
  const move = useAdminMutation({
    mutationFn: (sent: Typed, key) =>
      bookingApi.shiftSeveral.call({ body: { ...bodyOf(classes, sent), ...ask.answers }, key }),
    isRepeatable: true,
    says: {
      success: (answer) => `${many(answer.classes, 'class', 'classes')} moved`,
      failure: 'Failed to move the classes',
    },
    stale: CHANGED,
    onSuccess: onDone,
    asks: ask.take,
  })
  const { days, minutes } = bodyOf(classes, typed)
  const isMoved =
    isWholeNumber(typed.days, MOST_DAYS) && isWholeNumber(typed.minutes, MOST_MINUTES) && (days !== 0 || minutes !== 0)
  return (
    <FormDialog
      title={`Move ${many(classes.length, 'class', 'classes')}`}
      description={`Every class moves by the same amount from its own day and time. ${toldOf(peopleOf({ classes, people }))}`}
      form={form}
      mutation={move}
      submit={ask.words.length > 0 ? 'Move anyway' : 'Move'}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-4">
        <TextField<Typed>
          name="days"
          rules={{
            validate: (typed) => isWholeNumber(typed, MOST_DAYS) || `Please enter whole days, at most ${MOST_DAYS}`,
            deps: 'minutes',
          }}
          label="Days"
          inputMode="numeric"
        />
        <TextField<Typed>
          name="minutes"
          rules={{
            validate: (typed, all) =>
              !isWholeNumber(typed, MOST_MINUTES)
                ? `Please enter whole minutes, at most ${MOST_MINUTES}`
                : Number(typed) !== 0 || Number(all.days) !== 0 || 'Please enter how far to move',
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
        <ul className="grid gap-1 rounded-row bg-linen p-4 text-[0.9375rem]/[1.5]">
          {classes.map((c) => (
            <li key={c.id}>
              {c.title}: {wordsOf(c)}, then {wordsOf(shifted(c, { days, minutes }))}
            </li>
          ))}
        </ul>
      )}
      <Asked words={ask.words} />
    </FormDialog>
  )
}

const isWholeNumber = (typed: string, most: number) => /^\d{1,3}$/.test(typed.trim()) && Number(typed) <= most

function bodyOf(
  classes: StudioClass[],
  { days, direction, minutes }: Typed,
): Pick<ShiftForm, 'classIds' | 'days' | 'minutes'> {
  const sign = direction === 'earlier' ? -1 : 1
  return { classIds: classes.map(({ id }) => id), days: sign * Number(days), minutes: sign * Number(minutes) }
}

const wordsOf = ({ date, startTime }: { date: string; startTime: string }) =>
  `${weekdayOf(date).slice(0, 3)} ${formatDate(date)} ${startTime}`

/** The new date and time of a class, computed as the server does. */
function shifted({ date, startTime }: StudioClass, { days, minutes }: { days: number; minutes: number }) {
  return {
    date: Temporal.PlainDate.from(date).add({ days }).toString(),
    startTime: Temporal.PlainTime.from(startTime).add({ minutes }).toString({ smallestUnit: 'minute' }),
  }
}
