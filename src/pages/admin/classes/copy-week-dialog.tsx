import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { bookingApi } from '#booking/web/api.ts'
import { formatDate, mondayOf } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { newKey } from '#foundation/lost-answers.ts'
import { many } from '#foundation/many.ts'
import type { Closure } from '#timetable/contract.ts'
import { daysOf, useClosures } from '#timetable/web/classes.ts'
import { SelectField, Tick } from '#ui/choices.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { present } from '#ui/use-now.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { CHANGED } from '../bookings/booking-changes.ts'
import { DialogForm } from '../dialog-form.tsx'
import { Asked, useAskFirst } from './ask-first.tsx'

/** So many weeks ahead are offered. */
const WEEKS_OFFERED = 26

type Typed = { to: string; onClosedDay: boolean }

const isInWeek = ({ from, to }: Closure, monday: string) =>
  monday !== '' && from <= Temporal.PlainDate.from(monday).add({ days: 6 }).toString() && to >= monday

type Copied = { classes: number; alreadyThere: number; onClosedDays: number; inThePast: number }

const weekOf = (monday: Temporal.PlainDate) =>
  `${formatDate(monday.toString())} to ${formatDate(monday.add({ days: 6 }).toString())}`

/** Copies a week's active classes to another one, without bookings. */
export function CopyWeekDialog({ monday, onClose }: { monday: string; onClose: () => void }) {
  const now = mondayOf(today(present()))
  const weeks = Array.from({ length: WEEKS_OFFERED }, (_, weeks) => now.add({ weeks })).filter(
    (week) => week.toString() !== monday,
  )
  const from = Temporal.PlainDate.from(monday)
  const next = from.add({ weeks: 1 }).toString()
  const form = useForm<Typed>({
    defaultValues: { to: weeks.some((week) => week.toString() === next) ? next : '', onClosedDay: false },
  })
  const typed = form.watch()
  const closed = useClosures().filter((closure) => isInWeek(closure, typed.to))
  const ask = useAskFirst(typed, ['ifNoOverlap'])
  const [key] = useState(newKey)
  const send = ({ to, onClosedDay }: Typed) => {
    const body = { from: monday, to, onClosedDay, ifNoOverlap: ask.answers.ifNoOverlap }
    return bookingApi.copyWeek.call({ body, key })
  }
  const copy = useAdminMutation({
    mutationFn: send,
    lookAgain: send,
    says: { success: saidOf, failure: 'Failed to copy the week' },
    stale: CHANGED,
    onSuccess: onClose,
    asks: ask.take,
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Copy this week"
      description={`The active classes of ${weekOf(from)}, without bookings. Closed days and classes already there are left out.`}
    >
      <DialogForm form={form} mutation={copy} submit={ask.words.length > 0 ? 'Copy anyway' : 'Copy'} onClose={onClose}>
        <SelectField
          label="To"
          choose="Choose a week"
          options={weeks.map((week) => [week.toString(), weekOf(week)])}
          error={form.formState.errors.to?.message}
          {...form.register('to', { required: 'Please choose a week' })}
        />
        {closed.length > 0 && (
          <Tick
            label="Copy classes onto closed days too"
            help={`The studio is closed on ${closed.map((closure) => `${daysOf(closure)}: ${closure.reason}`).join('; ')}`}
            {...form.register('onClosedDay')}
          />
        )}
        <Asked words={ask.words} />
      </DialogForm>
    </Dialog>
  )
}

function saidOf({ classes, alreadyThere, onClosedDays, inThePast }: Copied): string {
  const left = [
    alreadyThere > 0 && `${alreadyThere} already there`,
    onClosedDays > 0 && `${onClosedDays} on closed days`,
    inThePast > 0 && `${inThePast} in the past`,
  ].filter(Boolean)
  return `${many(classes, 'class', 'classes')} copied${left.length > 0 ? `; left out: ${left.join(', ')}` : ''}`
}
