import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { ClassForAdmin } from '#booking/contract-classes.ts'
import { classForAdmin } from '#booking/web/admin-bookings.ts'
import { many } from '#foundation/collections.ts'
import { addDays, formatDate, mondayOf, weekdayOf } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { scheduleApi } from '#schedule/web/api.ts'
import { daysOf, useClosures } from '#timetable/web/classes.ts'
import { Dialog } from '#ui/dialog.tsx'
import { SelectField, Tick } from '#ui/form-choices.tsx'
import { DateField } from '#ui/form-date-field.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { previewOfTyped } from '#ui/refetch-shown.ts'
import { present } from '#ui/use-now.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { DialogForm, FormDialog } from '../dialog-form.tsx'
import { useConfirmFirst } from './confirm-first.tsx'

const WEEKS_OFFERED = 26
/** The server's limit. */
const MAX_COPIES = 12

const sundayOf = (monday: string) => addDays(monday, 6)
const weekOf = (monday: string) => `${formatDate(monday)} to ${formatDate(sundayOf(monday))}`

type Copied = Awaited<ReturnType<typeof scheduleApi.copyWeek.call>>

function leftOutOf({ alreadyThere, onClosedDays, inThePast }: Copied): string {
  const left = [
    alreadyThere > 0 && `${alreadyThere} already there`,
    onClosedDays > 0 && `${onClosedDays} on closed days`,
    inThePast > 0 && `${inThePast} in the past`,
  ].filter(Boolean)
  return left.length > 0 ? `; left out: ${left.join(', ')}` : ''
}

/** Copies a week's active classes to another one or to several, without bookings. */
export function CopyWeekDialog({ monday, onClose }: { monday: string; onClose: () => void }) {
  const now = mondayOf(today(present()))
  const weeks = Array.from({ length: WEEKS_OFFERED }, (_, weeks) => now.add({ weeks }).toString()).filter(
    (week) => week !== monday,
  )
  const next = addDays(monday, 7)
  const form = useForm({ defaultValues: { to: weeks.includes(next) ? next : '', weeks: 1, onClosedDay: false } })
  const typed = form.watch()
  const lastMonday = typed.to && addDays(typed.to, 7 * (typed.weeks - 1))
  const closed = useClosures().filter(({ from, to }) => lastMonday && from <= sundayOf(lastMonday) && to >= typed.to)
  const preview = useQuery({
    ...scheduleApi.previewCopyWeek.queryOptions({ body: { from: monday, ...typed } }),
    enabled: typed.to !== '',
    ...previewOfTyped,
  })
  const confirm = useConfirmFirst(typed, { questions: ['ifNoOverlap'] })
  const copy = useAdminMutation({
    mutationFn: (sent: typeof typed) =>
      scheduleApi.copyWeek.call({ body: { from: monday, ...sent, ifNoOverlap: confirm.answers.ifNoOverlap } }),
    toasts: {
      success: (copied) => `${many(copied.classes, 'class', 'classes')} copied${leftOutOf(copied)}`,
      failure: 'Failed to copy the week',
    },
    onSuccess: onClose,
    isQuestion: confirm.isQuestion,
  })
  return (
    <FormDialog
      title="Copy this week"
      description={`The active classes of ${weekOf(monday)}, without bookings. Closed days and classes already there are left out.`}
      form={form}
      mutation={copy}
      submit={confirm.isAsking ? 'Copy anyway' : 'Copy'}
      onClose={onClose}
    >
      <SelectField
        name="to"
        rules={{ required: 'Please choose a week' }}
        label="To"
        choose="Choose a week"
        options={weeks.map((week) => [week, weekOf(week)])}
      />
      <SelectField
        name="weeks"
        rules={{ valueAsNumber: true }}
        label="How many weeks"
        options={Array.from({ length: MAX_COPIES }, (_, more) => [more + 1, many(more + 1, 'week')])}
      />
      {preview.isSuccess && (
        <p role="status" className="text-small text-ink-soft">
          {many(preview.data.classes, 'class', 'classes')}
          {typed.weeks > 1 && lastMonday && `, until ${formatDate(sundayOf(lastMonday))}`}
          {leftOutOf(preview.data)}
        </p>
      )}
      {closed.length > 0 && (
        <Tick
          name="onClosedDay"
          label="Copy classes onto closed days too"
          help={`The studio is closed on ${closed.map((closure) => `${daysOf(closure)}: ${closure.reason}`).join('; ')}`}
        />
      )}
      {confirm.note}
    </FormDialog>
  )
}

export function ExtendSeriesDialog({ id, onClose }: { id: number; onClose: () => void }) {
  return (
    <Dialog
      onClose={onClose}
      title="Extend series"
      description="New classes like this one, on the dates of the series. Closed days are left out."
    >
      <QueryView query={useQuery(classForAdmin(id))} failed="The class could not be loaded.">
        {(found) => <ExtendForm found={found} onClose={onClose} />}
      </QueryView>
    </Dialog>
  )
}

function ExtendForm({
  found: { class: studioClass, seriesStart },
  onClose,
}: {
  found: ClassForAdmin
  onClose: () => void
}) {
  const ends = studioClass.repeatUntilDate ?? studioClass.date
  const first = seriesStart ?? studioClass.date
  const form = useForm<{ until: string }>({ defaultValues: { until: '' } })
  const confirm = useConfirmFirst(form.watch(), { questions: ['ifNoOverlap'] })
  const extend = useAdminMutation({
    mutationFn: ({ until }: { until: string }) => {
      const body = { until, ifNoOverlap: confirm.answers.ifNoOverlap }
      return scheduleApi.extendSeries.call({ params: { id: studioClass.id }, body })
    },
    toasts: {
      success: ({ classes, until }) => `${many(classes, 'class', 'classes')} added, until ${formatDate(until)}`,
      failure: 'Failed to extend the series',
    },
    onSuccess: onClose,
    isQuestion: confirm.isQuestion,
  })
  return (
    <DialogForm form={form} mutation={extend} submit={confirm.isAsking ? 'Extend anyway' : 'Extend'} onClose={onClose}>
      <p className="text-small text-ink-soft">
        {studioClass.title} at {studioClass.startTime}, {studioClass.repeatFrequency} from {weekdayOf(first)}{' '}
        {formatDate(first)}, ends on {formatDate(ends)}.
      </p>
      <DateField
        name="until"
        label="Repeat until"
        min={addDays(ends, 1)}
        rules={{
          required: 'Please enter a date',
          validate: (chosen) => chosen > ends || `Please choose a day after ${formatDate(ends)}`,
        }}
      />
      {confirm.note}
    </DialogForm>
  )
}
