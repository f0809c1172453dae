import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useFormContext } from 'react-hook-form'
import { busyInWords } from '#calendar/rules.ts'
import { ownCalendarApi } from '#calendar/web/own-calendar.ts'
import { useFacts } from '#content/web/facts.tsx'
import type { PublicFacts } from '#facts/contract.ts'
import { parseAmount } from '#foundation/amounts.ts'
import { many } from '#foundation/collections.ts'
import { addDays, formatDate, formatLongDate, mondayOf } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { formatPrice } from '#foundation/money.ts'
import type { PlannedSlot } from '#timetable/contract-term.ts'
import { classType } from '#timetable/rules.ts'
import { timetableApi } from '#timetable/web/api.ts'
import { Button } from '#ui/button.tsx'
import { Callout } from '#ui/callout.tsx'
import { Tick } from '#ui/choices.tsx'
import { SelectField } from '#ui/form-choices.tsx'
import { DateField } from '#ui/form-date-field.tsx'
import { TextField } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { previewOfTyped } from '#ui/refetch-shown.ts'
import { present } from '#ui/use-now.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { FormDialog } from '../dialog-form.tsx'
import { useConfirmFirst } from './confirm-first.tsx'
import { useTeachers } from './teachers.tsx'

/** What is typed for a slot; empty for the default. */
type Choice = { title: string; maxParticipants: string; price: string; passPrice: string; instructorName: string }
type Values = { from: string; to: string; choices: Record<string, Choice> }
type Found = { date: string; name: string }

const WEEKS = 12
const NOTHING: Choice = { title: '', maxParticipants: '', price: '', passPrice: '', instructorName: '' }

/** Twelve weeks from the next timetable's first day, or from next Monday. */
function usualTerm({ nextTimetable }: PublicFacts): Omit<Values, 'choices'> {
  const monday = mondayOf(today(present())).add({ weeks: 1 }).toString()
  const from = nextTimetable?.from ?? monday
  return { from, to: lastDay(from) }
}
const lastDay = (from: string) => addDays(from, 7 * WEEKS - 1)

/** Creates the classes of the timetable between two days; shows them first. */
export default function PlanTermDialog({
  onPlanned,
  onTimetable,
  onClose,
}: {
  onPlanned: (from: string) => void
  onTimetable: () => void
  onClose: () => void
}) {
  const facts = useFacts()
  const form = useForm<Values>({ defaultValues: { ...usualTerm(facts), choices: {} } })
  const { from, to } = form.watch()
  const isInOrder = from !== '' && from <= to
  const holidays = useQuery({
    ...timetableApi.listBankHolidays.queryOptions({ query: { from, to } }),
    enabled: isInOrder,
    placeholderData: keepPreviousData,
  })
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const found: Found[] = (isInOrder && holidays.data) || []
  const leaveOut = found.map(({ date }) => date).filter((date) => !open.has(date))
  const own = useQuery({
    ...ownCalendarApi.listTermClashes.queryOptions({ query: { from, to } }),
    enabled: isInOrder,
    placeholderData: keepPreviousData,
  })
  const [held, setHeld] = useState<ReadonlySet<string>>(new Set())
  const clashes = ((isInOrder && own.data) || []).filter(({ date }) => !leaveOut.includes(date))
  const leaveOutClasses = clashes
    .filter(({ date }) => !held.has(date))
    .map(({ date, startTime }) => ({ date, startTime }))
  const body = { from, to, leaveOut, leaveOutClasses }
  const preview = useQuery({
    ...timetableApi.previewTerm.queryOptions({ body }),
    enabled: isInOrder && holidays.isSuccess && !holidays.isPlaceholderData && !own.isLoading && !own.isPlaceholderData,
    ...previewOfTyped,
  })
  const confirm = useConfirmFirst(body, { questions: ['ifNoOverlap'] })
  const overlaps = preview.data?.overlaps ?? []
  const plan = useAdminMutation({
    mutationFn: ({ choices }: Values) => {
      const slots = (preview.data?.slots ?? []).flatMap((slot) => choiceOf(slot, choices[keyOf(slot)]))
      const ifNoOverlap = overlaps.length === 0 && confirm.answers.ifNoOverlap
      return timetableApi.planTerm.call({ body: { ...body, slots, ifNoOverlap } })
    },
    toasts: {
      success: ({ classes }) => `${many(classes, 'class', 'classes')} created`,
      failure: 'Failed to plan the term',
    },
    onSuccess: () => {
      onPlanned(from)
      onClose()
    },
    isQuestion: confirm.isQuestion,
  })
  const now = today(present())
  const count = preview.data?.classes ?? 0
  const isAsking = overlaps.length > 0 || confirm.isAsking
  return (
    <FormDialog
      wide
      title="Fill the calendar"
      description="Adds what is missing from your timetable. Classes that you have moved or deleted stay so."
      form={form}
      mutation={plan}
      submit={`Create ${preview.isSuccess ? many(count, 'class', 'classes') : 'classes'}${isAsking ? ' anyway' : ''}`}
      disabled={count === 0 || !preview.isSuccess || preview.isPlaceholderData}
      onClose={onClose}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <DateField<Values>
          name="from"
          label="First day"
          min={now}
          rules={{ required: 'Please choose the first day' }}
          onChange={(date) => form.setValue('to', lastDay(date))}
        />
        <DateField<Values>
          name="to"
          label="Last day"
          min={from || now}
          rules={{ required: 'Please choose the last day' }}
        />
      </div>
      {found.length > 0 && (
        <fieldset>
          <legend className="mb-1 text-small/snug font-medium">No classes on these bank holidays</legend>
          {found.map(({ date, name }) => (
            <Tick
              key={date}
              label={`${name}, ${formatLongDate(date)}`}
              checked={!open.has(date)}
              onChange={({ target }) =>
                setOpen(new Set(target.checked ? [...open].filter((other) => other !== date) : [...open, date]))
              }
            />
          ))}
        </fieldset>
      )}
      {clashes.length > 0 && (
        <fieldset>
          <legend className="mb-1 text-small/snug font-medium">Leave out what clashes with your own calendar</legend>
          {[...Map.groupBy(clashes, ({ date }) => date)].map(([date, ofDay]) => (
            <Tick
              key={date}
              label={`${formatLongDate(date)}, ${ofDay.map(({ startTime, busy }) => `${startTime} (you are busy ${busyInWords(date, busy)})`).join(', ')}`}
              checked={!held.has(date)}
              onChange={({ target }) =>
                setHeld(new Set(target.checked ? [...held].filter((other) => other !== date) : [...held, date]))
              }
            />
          ))}
        </fieldset>
      )}
      <QueryView query={preview} failed="We could not work out the classes of this term.">
        {({ classes, slots, overlaps }) =>
          slots.length === 0 ? (
            <Callout tone="plain">
              <p>The timetable has no classes between these days.</p>
              <Button variant="secondary" small className="mt-3" onClick={onTimetable}>
                Edit the timetable
              </Button>
            </Callout>
          ) : (
            <div>
              <p role="status" className="font-medium">
                {classes === 0 ? 'There is nothing to create.' : `${many(classes, 'class', 'classes')} in all`}
              </p>
              {overlaps.length > 0 && (
                <Callout role="alert" className="mt-3 p-4">
                  <p>Some would take place at the same time as {namesOf(overlaps)}.</p>
                </Callout>
              )}
              <ul className="mt-3 border-t border-line">
                {slots.map((slot, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two classes may start at the same time
                  <SlotRow key={`${keyOf(slot)} ${place}`} slot={slot} />
                ))}
              </ul>
            </div>
          )
        }
      </QueryView>
      {confirm.note}
    </FormDialog>
  )
}

const MAX_NAMED = 3
function namesOf(overlaps: string[]): string {
  const more = overlaps.length - MAX_NAMED
  return overlaps.slice(0, MAX_NAMED).join('; ') + (more > 0 ? ` and ${more} more` : '')
}

/** Without a colon or a dot, which have a meaning in field names. */
const keyOf = ({ day, startTime }: PlannedSlot) => `${day}${startTime.replace(':', '')}`

function choiceOf({ day, startTime }: PlannedSlot, choice = NOTHING) {
  const given = Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== ''))
  if (Object.keys(given).length === 0) return []
  const { maxParticipants } = choice
  return [{ day, startTime, ...given, maxParticipants: maxParticipants ? Number(maxParticipants) : undefined }]
}

function SlotRow({ slot }: { slot: PlannedSlot }) {
  const { formState } = useFormContext<Values>()
  const name = `choices.${keyOf(slot)}` as const
  const which = `${slot.day} ${slot.startTime}`
  const teachers = useTeachers()
  const isWrong = formState.errors.choices?.[keyOf(slot)] !== undefined
  const price = {
    inputMode: 'decimal',
    rules: {
      validate: (typed: unknown) =>
        !typed || 'pence' in parseAmount(typed) || 'Please write the price in pounds, such as 45, 45.50 or 1,200',
    },
  } as const
  return (
    <li className="border-b border-line py-2">
      <details open={isWrong || undefined} className="group">
        <summary className="grid min-h-11 cursor-pointer list-none grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 py-1 [&::-webkit-details-marker]:hidden">
          <span className="min-w-0">
            <span className="block font-medium">
              {slot.day} {slot.startTime}
            </span>
            <span className="block text-small/snug text-ink-soft">
              {classType(slot.maxParticipants)} · {summaryOf(slot)}
            </span>
            <LeftOut slot={slot} />
          </span>
          <span className="link text-small" aria-hidden>
            Change
          </span>
          <span className="sr-only">Change title, places, price and teacher</span>
        </summary>
        <div className="grid gap-4 rounded-row bg-linen p-4 sm:grid-cols-2">
          <TextField<Values> name={`${name}.title`} label={`Title, ${which}`} placeholder={slot.title} />
          <SelectField<Values>
            name={`${name}.maxParticipants`}
            label={`Max participants, ${which}`}
            options={[
              ['', `${slot.maxParticipants} (${classType(slot.maxParticipants).toLowerCase()})`],
              slot.maxParticipants === 2 ? [1, '1 (one-on-one)'] : [2, '2 (duo)'],
            ]}
          />
          <TextField<Values> name={`${name}.price`} label={`Price, ${which}`} placeholder={slot.price} {...price} />
          <TextField<Values>
            name={`${name}.passPrice`}
            label={`Price with a pass, ${which}`}
            placeholder={slot.passPrice}
            {...price}
          />
          {teachers.length > 1 && (
            <SelectField<Values>
              name={`${name}.instructorName`}
              label={`Teacher, ${which}`}
              options={[
                ['', slot.instructorName],
                ...teachers.filter((other) => other !== slot.instructorName).map((other) => [other, other] as const),
              ]}
            />
          )}
        </div>
      </details>
    </li>
  )
}

function summaryOf(slot: PlannedSlot): string {
  const { classes, first, last, price } = slot
  const dates = [...new Set([first, last])].flatMap((date) => (date ? [formatDate(date)] : [])).join(' to ')
  return [many(classes, 'class', 'classes'), dates, classes > 0 && formatPrice(price)].filter(Boolean).join(', ')
}

function LeftOut({ slot }: { slot: PlannedSlot }) {
  const left = [
    [slot.leftOut, 'on bank holidays'],
    [slot.clashing, 'for your own calendar'],
    [slot.onClosedDays, 'on closed days'],
    [slot.alreadyThere, 'already there'],
    [slot.movedOrDeleted, 'moved or deleted'],
    [slot.inThePast, 'in the past'],
  ].flatMap(([count, why]) => (count === 0 ? [] : [`${count} ${why}`]))
  if (left.length === 0) return null
  return (
    <span className="block text-small/snug text-ink-mute">
      <span className="sr-only">, left out: </span>
      {left.join(' · ')}
    </span>
  )
}
