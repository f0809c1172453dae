import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useForm, useFormContext } from 'react-hook-form'
import type { z } from 'zod'
import { useFacts } from '#content/web/facts.tsx'
import { many } from '#foundation/collections.ts'
import { addDays, formatDay, formatLongDate } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { studio } from '#studio.ts'
import { ClassForm, RepeatFrequency, type StudioClass } from '#timetable/contract.ts'
import { closureOf } from '#timetable/rules.ts'
import { MAX_OCCURRENCES, occurrences } from '#timetable/rules-planning.ts'
import { timetableApi } from '#timetable/web/api.ts'
import { hoursOf, useClosures } from '#timetable/web/classes.ts'
import { Button } from '#ui/button.tsx'
import { Callout } from '#ui/callout.tsx'
import { SelectField, Tick, TimeField } from '#ui/form-choices.tsx'
import { DateField } from '#ui/form-date-field.tsx'
import { TextArea, TextField } from '#ui/form-fields.tsx'
import { isTime } from '#ui/time-field.tsx'
import { present } from '#ui/use-now.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { FormDialog } from '../dialog-form.tsx'
import { useConfirmFirst } from './confirm-first.tsx'
import { TeacherField } from './teacher-field.tsx'

type Values = z.input<typeof ClassForm>

/** Two participants by default. */
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

type CreateProps = { onCreated: (first: StudioClass) => void; onClose: () => void }

export function CreateClassDialog({ onCreated, onClose }: CreateProps) {
  const defaultValues = { ...EMPTY, instructorName: useFacts().instructor.name }
  const form = useForm<Values, unknown, ClassForm>({ resolver: zodResolver(ClassForm), defaultValues })
  const typed = form.watch()
  const confirm = useConfirmFirst(typed, { questions: ['ifNoOverlap'], own: oddLength(typed, 'Create anyway?') })
  const create = useAdminMutation({
    mutationFn: (typed: ClassForm) =>
      timetableApi.createClass.call({ body: { ...typed, ifNoOverlap: confirm.answers.ifNoOverlap } }),
    toasts: { success: 'Class created successfully', failure: 'Failed to create class', fixed: true },
    onSuccess: (first) => {
      onCreated(first)
      onClose()
    },
    isQuestion: confirm.isQuestion,
  })
  return (
    <FormDialog
      title="Create Class"
      form={form}
      mutation={confirm.askingFirst(create)}
      submit={confirm.isAsking ? 'Create anyway' : 'Create Class'}
      onClose={onClose}
    >
      <FromTimetable />
      <ClassFields />
      <Repeats />
      <OnClosedDay />
      {confirm.note}
    </FormDialog>
  )
}

const WEEKS_AHEAD = 12
const OFFERED = 4

/** The next classes of the timetable that are not there yet; each fills in the form. */
function FromTimetable() {
  const { getValues, reset, watch } = useFormContext<Values>()
  const [chosenDate, chosenStart] = watch(['date', 'startTime'])
  const from = today(present())
  const to = addDays(from, 7 * WEEKS_AHEAD)
  const preview = useQuery({ ...timetableApi.previewTerm.queryOptions({ body: { from, to } }), staleTime: 0 })
  const missing = (preview.data?.slots ?? [])
    .flatMap(({ first, ...slot }) => (first === null ? [] : [{ ...slot, date: first }]))
    .sort((a, b) => `${a.date} ${a.startTime}`.localeCompare(`${b.date} ${b.startTime}`))
  if (missing.length === 0) return null
  return (
    <fieldset>
      <legend className="mb-2 text-small/snug font-medium">Next in the timetable</legend>
      <div className="-mx-1 flex gap-2 overflow-x-auto p-1 sm:flex-wrap">
        {missing.slice(0, OFFERED).map(({ title, date, startTime, endTime, maxParticipants, instructorName }) => (
          <Button
            key={`${date} ${startTime}`}
            variant="secondary"
            small
            aria-pressed={date === chosenDate && startTime === chosenStart}
            className="flex-none hover:bg-transparent aria-pressed:border-sage-dark aria-pressed:bg-sage-tint"
            aria-label={`${formatDay(date)}, ${startTime}: ${title}`}
            onClick={() => reset({ ...getValues(), title, date, startTime, endTime, maxParticipants, instructorName })}
          >
            {formatDay(date)}, {startTime}
          </Button>
        ))}
      </div>
    </fieldset>
  )
}

/** `12 classes, the last on 22 December 2026. 1 left out: the studio is closed.` */
function seriesInWords(all: readonly string[], dates: readonly string[]): string {
  const last = dates.at(-1)
  return [
    many(dates.length, 'class', 'classes'),
    last && `, the last on ${formatLongDate(last)}`,
    '.',
    dates.length < all.length && ` ${all.length - dates.length} left out: the studio is closed.`,
  ]
    .filter(Boolean)
    .join('')
}

const FREQUENCIES: Record<RepeatFrequency, string> = {
  weekly: 'Weekly',
  biweekly: 'Every two weeks',
  monthly: 'Monthly',
}

function Repeats() {
  const { watch } = useFormContext<Values>()
  const { date, startTime, isRepeating, repeatFrequency, repeatUntilDate } = watch()
  const closures = useClosures()
  const all = date && repeatFrequency && repeatUntilDate ? occurrences(date, repeatFrequency, repeatUntilDate) : []
  const dates = all.filter((day) => !closureOf({ date: day, startTime }, closures))
  const isTooMany = all.length > MAX_OCCURRENCES
  return (
    <div>
      <Tick name="isRepeating" label="Repeat this class" />
      {isRepeating && (
        <div className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-5 rounded-row bg-linen p-4">
          <SelectField
            name="repeatFrequency"
            label="How often"
            choose="Choose how often"
            options={RepeatFrequency.options.map((frequency) => [frequency, FREQUENCIES[frequency]])}
          />
          <DateField name="repeatUntilDate" label="Repeat until" min={addDays(date || today(present()), 1)} />
          {all.length > 0 && (
            <p role="status" className={`text-small ${isTooMany ? 'text-err' : 'text-ink-soft'}`}>
              {isTooMany
                ? `More than ${MAX_OCCURRENCES} classes: please choose an earlier end date.`
                : seriesInWords(all, dates)}
            </p>
          )}
        </div>
      )}
    </div>
  )
}

/** A single class on a closed day needs a tick. */
function OnClosedDay() {
  const { watch } = useFormContext<Values>()
  const { date, startTime, isRepeating } = watch()
  const closure = closureOf({ date, startTime }, useClosures())
  if (!closure || isRepeating) return null
  return (
    <Tick
      name="onClosedDay"
      label="This class takes place anyway"
      help={`The studio is closed on this day${hoursOf(closure)}: ${closure.reason}`}
    />
  )
}

type Times = { startTime: string; endTime: string }

/** In minutes; the usual length if a time is missing or the end is not after the start, as the server counts it. */
export function lengthOf({ startTime, endTime }: Times): number {
  if (!isTime(startTime) || !isTime(endTime) || endTime <= startTime) return studio.session.minutes
  return Temporal.PlainTime.from(startTime).until(Temporal.PlainTime.from(endTime)).total('minutes')
}

/** The question about a class of another length than usual; undefined if there is nothing to ask. */
export function oddLength(times: Times, question: string): string | undefined {
  const minutes = lengthOf(times)
  if (minutes === studio.session.minutes) return undefined
  return `This class would be ${many(minutes, 'minute')} long. ${question}`
}

/** The end of a class that starts at `start`; empty if that is not a time. */
function endOf(start: string, minutes: number): string {
  if (!isTime(start)) return ''
  return Temporal.PlainTime.from(start).add({ minutes }).toString({ smallestUnit: 'minute' })
}

/**
 * The fields of a class that creating and editing share. The end follows the start until it is typed.
 *
 * @param minutes how long the class is
 * @param places the help below the number of places
 */
export function ClassFields({ minutes = studio.session.minutes, places }: { minutes?: number; places?: string }) {
  const { watch, setValue, formState } = useFormContext<Times>()
  const isEndTyped = useRef(false)
  const [startTime, endTime] = watch(['startTime', 'endTime'])
  const endsBefore = isTime(startTime) && isTime(endTime) && endTime <= startTime
  return (
    <>
      <TextField name="title" label="Title" />
      <DateField name="date" label="Date" min={today(present())} />
      <div>
        <div className="grid grid-cols-2 gap-4">
          <TimeField
            name="startTime"
            rules={{
              onChange: ({ target }) => {
                const end = endOf(target.value, minutes)
                const shouldValidate = formState.isSubmitted
                if (end && !isEndTyped.current) setValue('endTime', end, { shouldDirty: true, shouldValidate })
              },
            }}
            label="Start time"
          />
          <TimeField
            name="endTime"
            rules={{
              onChange: ({ target }) => {
                isEndTyped.current = target.value !== ''
              },
            }}
            label="End time"
          />
        </div>
        {endsBefore && (
          <Callout role="status" className="mt-3 p-3">
            The end time is not after the start time, so the class will be treated as {studio.session.minutes} minutes
            long.
          </Callout>
        )}
      </div>
      <SelectField
        name="maxParticipants"
        rules={{ valueAsNumber: true }}
        label="Max participants"
        help={places}
        options={[
          [2, '2 (duo)'],
          [1, '1 (one-on-one)'],
        ]}
      />
      <TeacherField />
      <TextArea name="description" label="Description" optional rows={2} />
    </>
  )
}
