import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm, useFormContext } from 'react-hook-form'
import type { z } from 'zod'
import { classQueries } from '#booking/web/change-bookings.ts'
import { keysOf } from '#foundation/collections.ts'
import { formatLongDate } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { studio } from '#studio.ts'
import { ClassForm, RepeatFrequency, type StudioClass } from '#timetable/contract.ts'
import { closureOn, MOST_OCCURRENCES, occurrences } from '#timetable/rules.ts'
import { timetableApi } from '#timetable/web/api.ts'
import { useClosures } from '#timetable/web/classes.ts'
import { SelectField, Tick } from '#ui/choices.tsx'
import { DateField } from '#ui/date-field.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { showRefusedFields } from '#ui/refused-fields.ts'
import { isTime } from '#ui/time-field.tsx'
import { present } from '#ui/use-now.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { DialogForm } from '../dialog-form.tsx'
import { Asked, useAskFirst } from './ask-first.tsx'
import { ClassFields } from './class-fields.tsx'

type Values = z.input<typeof ClassForm>

/** Two for a duo is usual (specification, section 9). */
const EMPTY = {
  title: '',
  description: '',
  date: '',
  startTime: '',
  endTime: '',
  maxParticipants: 2,
  isRepeating: false,
  repeatFrequency: '',
  repeatUntilDate: '',
  onClosedDay: false,
} satisfies Values
const FIELDS = keysOf(EMPTY)

/** Creates a class, or one for each occurrence of a repeating one. */
export function CreateClassDialog({
  onCreated,
  onClose,
}: {
  onCreated: (first: StudioClass) => void
  onClose: () => void
}) {
  const form = useForm<Values, unknown, ClassForm>({ resolver: zodResolver(ClassForm), defaultValues: EMPTY })
  const ask = useAskFirst(form.watch(), ['ifNoOverlap'])
  const create = useAdminMutation({
    mutationFn: (typed: ClassForm) => {
      const body = { ...typed, ifNoOverlap: ask.answers.ifNoOverlap }
      return timetableApi.createClass.call({ body })
    },
    says: { success: 'Class created successfully', failure: 'Failed to create class', fixed: true },
    stale: classQueries,
    onSuccess: (first) => {
      onCreated(first)
      onClose()
    },
    asks: ask.take,
    onRefused: (error) => showRefusedFields(error, form.setError, FIELDS),
  })
  return (
    <Dialog open onClose={onClose} title="Create Class">
      <DialogForm
        form={form}
        mutation={create}
        submit={ask.words.length > 0 ? 'Create anyway' : 'Create Class'}
        onClose={onClose}
      >
        <ClassFields
          onStart={(start) => {
            if (!form.formState.dirtyFields.endTime) form.setValue('endTime', endOf(start))
          }}
        />
        <Repeats />
        <OnClosedDay />
        <Asked words={ask.words} />
      </DialogForm>
    </Dialog>
  )
}

const FREQUENCIES: Record<RepeatFrequency, string> = {
  weekly: 'Weekly',
  biweekly: 'Every two weeks',
  monthly: 'Monthly',
}

function Repeats() {
  const { register, control, watch, formState } = useFormContext<Values>()
  const { errors } = formState
  const now = today(present())
  const { date, isRepeating, repeatFrequency, repeatUntilDate } = watch()
  const closures = useClosures()
  const all = date && repeatFrequency && repeatUntilDate ? occurrences(date, repeatFrequency, repeatUntilDate) : []
  const dates = all.filter((day) => !closureOn(day, closures))
  return (
    <div>
      <Tick label="Repeat this class" {...register('isRepeating')} />
      {isRepeating && (
        <div className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-5 rounded-row bg-linen p-4">
          <SelectField
            label="How often"
            choose="Choose how often"
            options={RepeatFrequency.options.map((frequency) => [frequency, FREQUENCIES[frequency]])}
            error={errors.repeatFrequency?.message}
            {...register('repeatFrequency')}
          />
          <Controller
            control={control}
            name="repeatUntilDate"
            render={({ field }) => (
              <DateField
                label="Repeat until"
                value={field.value ?? ''}
                onChange={field.onChange}
                today={now}
                after={date || now}
                error={errors.repeatUntilDate?.message}
              />
            )}
          />
          {all.length > MOST_OCCURRENCES ? (
            <p role="status" className="text-[0.9375rem] text-err">
              More than {MOST_OCCURRENCES} classes: please choose an earlier end date.
            </p>
          ) : (
            all.length > 0 && (
              <p role="status" className="text-[0.9375rem] text-ink-soft">
                {dates.length} classes{dates.length > 0 && `, the last on ${formatLongDate(dates.at(-1) ?? date)}`}.
                {dates.length < all.length && ` ${all.length - dates.length} left out: the studio is closed.`}
              </p>
            )
          )}
        </div>
      )}
    </div>
  )
}

/** A single class on a day on which the studio is closed is asked about. */
function OnClosedDay() {
  const { register, watch, formState } = useFormContext<Values>()
  const { date, isRepeating } = watch()
  const closure = closureOn(date, useClosures())
  if (!closure || isRepeating) return null
  return (
    <Tick
      label="This class takes place anyway"
      help={`The studio is closed on this day: ${closure.reason}`}
      error={formState.errors.onClosedDay?.message}
      {...register('onClosedDay')}
    />
  )
}

/** When a session that starts then usually ends; nothing for what is no time yet. */
function endOf(start: string): string {
  if (!isTime(start)) return ''
  const end = Temporal.PlainTime.from(start).add({ minutes: studio.session.minutes })
  return end.toString({ smallestUnit: 'minute' })
}
