import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { ClassForAdmin } from '#booking/contract-classes.ts'
import { classForAdmin } from '#booking/web/admin-bookings.ts'
import { bookingApi } from '#booking/web/api.ts'
import { formatDate, mondayOf, weekdayOf } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { many } from '#foundation/many.ts'
import type { Closure } from '#timetable/contract.ts'
import { daysOf, useClosures } from '#timetable/web/classes.ts'
import { Dialog } from '#ui/dialog.tsx'
import { DateField } from '#ui/form-date-field.tsx'
import { SelectField, Tick } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { present } from '#ui/use-now.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { CHANGED } from '../bookings/booking-changes.ts'
import { DialogForm, FormDialog } from '../dialog-form.tsx'
import { Asked, useAskFirst } from './ask-first.tsx'

/** Weeks ahead to choose from. */
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
  const copy = useAdminMutation({
    mutationFn: ({ to, onClosedDay }: Typed, key) => {
      const body = { from: monday, to, onClosedDay, ifNoOverlap: ask.answers.ifNoOverlap }
      return bookingApi.copyWeek.call({ body, key })
    },
    isRepeatable: true,
    says: { success: saidOf, failure: 'Failed to copy the week' },
    stale: CHANGED,
    onSuccess: onClose,
    asks: ask.take,
  })
  return (
    <FormDialog
      title="Copy this week"
      description={`The active classes of ${weekOf(from)}, without bookings. Closed days and classes already there are left out.`}
      form={form}
      mutation={copy}
      submit={ask.words.length > 0 ? 'Copy anyway' : 'Copy'}
      onClose={onClose}
    >
      <SelectField
        name="to"
        rules={{ required: 'Please choose a week' }}
        label="To"
        choose="Choose a week"
        options={weeks.map((week) => [week.toString(), weekOf(week)])}
      />
      {closed.length > 0 && (
        <Tick
          name="onClosedDay"
          label="Copy classes onto closed days too"
          help={`The studio is closed on ${closed.map((closure) => `${daysOf(closure)}: ${closure.reason}`).join('; ')}`}
        />
      )}
      <Asked words={ask.words} />
    </FormDialog>
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

/** Extends a repeating class until a later day. */
export function ExtendSeriesDialog({ id, onClose }: { id: number; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Extend series"
      description="New classes like this one, on the dates of the series. Closed days are left out."
    >
      <QueryView query={useQuery(classForAdmin(id))} failed="The class could not be loaded.">
        {(found) => <Form found={found} onClose={onClose} />}
      </QueryView>
    </Dialog>
  )
}

function Form({ found: { class: named, seriesStart }, onClose }: { found: ClassForAdmin; onClose: () => void }) {
  const ends = named.repeatUntilDate ?? named.date
  const first = seriesStart ?? named.date
  const form = useForm<{ until: string }>({ defaultValues: { until: '' } })
  const ask = useAskFirst(form.watch(), ['ifNoOverlap'])
  const extend = useAdminMutation({
    mutationFn: ({ until }: { until: string }) =>
      bookingApi.extendSeries.call({
        params: { id: named.id },
        body: { until, ifNoOverlap: ask.answers.ifNoOverlap },
      }),
    isRepeatable: true,
    says: {
      success: ({ classes, until }) => `${many(classes, 'class', 'classes')} added, until ${formatDate(until)}`,
      failure: 'Failed to extend the series',
    },
    stale: CHANGED,
    onSuccess: onClose,
    asks: ask.take,
  })
  return (
    <DialogForm
      form={form}
      mutation={extend}
      submit={ask.words.length > 0 ? 'Extend anyway' : 'Extend'}
      onClose={onClose}
    >
      <p className="text-[0.9375rem] text-ink-soft">
        {named.title} at {named.startTime}, {named.repeatFrequency} from {weekdayOf(first)} {formatDate(first)}, ends on{' '}
        {formatDate(ends)}.
      </p>
      <DateField
        name="until"
        label="Repeat until"
        today={today(present())}
        after={ends}
        rules={{
          required: 'Please enter a date',
          validate: (chosen) => chosen > ends || `Please choose a day after ${formatDate(ends)}`,
        }}
      />
      <Asked words={ask.words} />
    </DialogForm>
  )
}
