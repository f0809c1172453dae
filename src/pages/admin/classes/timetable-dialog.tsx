import x from '@lucide/icons/icons/x'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useFieldArray, useForm, useFormContext } from 'react-hook-form'
import { useFacts } from '#content/web/facts.tsx'
import type { OwnStudio } from '#facts/contract.ts'
import type { Timetable } from '#facts/contract-timetable.ts'
import { usualEnd } from '#facts/rules-timetable.ts'
import { factsApi, showFacts } from '#facts/web/api.ts'
import { recordOf } from '#foundation/collections.ts'
import { formatLongDate, mondayOf, WEEKDAYS } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { History } from '#insights/web/history.tsx'
import { inForceInstead, overlappingSlots } from '#timetable/rules-planning.ts'
import { Button } from '#ui/button.tsx'
import { SelectField as Choice } from '#ui/choices.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { SelectField, TimeField } from '#ui/form-choices.tsx'
import { DateField } from '#ui/form-date-field.tsx'
import { Icon } from '#ui/icon.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { isTime } from '#ui/time-field.tsx'
import { present } from '#ui/use-now.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { DialogForm } from '../dialog-form.tsx'
import { useConfirmFirst } from './confirm-first.tsx'
import { useTeachers } from './teachers.tsx'

type Weekday = (typeof WEEKDAYS)[number]
/** `instructorName`: empty for the lead instructor. */
type Row = { startTime: string; endTime: string; maxParticipants: number; instructorName: string }
type Values = { from: string; days: Record<Weekday, Row[]> }

const NEW = 'new'
const SHOWN = { success: 'Saved. Every page will show it within a minute', failure: 'Failed to save the timetable' }

/** The weekly timetable of the website, in versions that each have a first day. */
export default function TimetableDialog({ onClose }: { onClose: () => void }) {
  const query = useQuery({ ...factsApi.readOwnStudio.queryOptions(), staleTime: 0 })
  return (
    <Dialog
      wide
      onClose={onClose}
      title="Timetable"
      description="The week that the website shows, and what “Fill the calendar” creates. Classes on the calendar stay as they are."
    >
      <QueryView query={query} failed="The timetable could not be loaded.">
        {(studio) => (
          <Versions
            key={studio.version}
            studio={studio}
            onLoad={() => query.refetch().then(() => {})}
            onClose={onClose}
          />
        )}
      </QueryView>
      <History subject="studio:facts" />
    </Dialog>
  )
}

type Props = { studio: OwnStudio; onLoad: () => Promise<void>; onClose: () => void }

function Versions(props: Props) {
  const { timetables } = props.studio
  const now = today(present())
  // Those before the one in force are history.
  const current = timetables.findLast(({ from }) => from <= now)
  const shown = timetables.filter((one) => one === current || one.from > now)
  const [chosen, setChosen] = useState<string>(shown[0]?.from ?? NEW)
  const version = shown.find(({ from }) => from === chosen)
  const last = shown.at(-1)
  const copy = { from: nextMonday(now), slots: last?.slots ?? [] }
  const nameOf = ({ from }: Timetable) => `${from > now ? 'From' : 'Since'} ${formatLongDate(from)}`
  return (
    <>
      <div className="mt-6 flex flex-wrap items-end gap-3 [&>div]:grow">
        <Choice
          label="Which timetable?"
          value={chosen}
          onChange={({ target }) => setChosen(target.value)}
          options={[
            ...shown.map((one) => [one.from, nameOf(one)] as const),
            ...(chosen === NEW ? [[NEW, 'A new timetable'] as const] : []),
          ]}
        />
        {chosen !== NEW && (
          <Button variant="secondary" onClick={() => setChosen(NEW)}>
            New timetable
          </Button>
        )}
      </div>
      <VersionForm key={chosen} {...props} version={version} filled={version ?? copy} />
    </>
  )
}

const nextMonday = (day: string) => mondayOf(day).add({ weeks: 1 }).toString()

/** @param props.version undefined for a new one */
function VersionForm({
  studio: { timetables, version: ifVersion },
  version,
  filled,
  onLoad,
  onClose,
}: Props & { version: Timetable | undefined; filled: Timetable }) {
  const form = useForm<Values>({ defaultValues: valuesOf(filled) })
  const queries = useQueryClient()
  const now = today(present())
  const others = timetables.filter((one) => one !== version)
  const typed = timetableOf(form.watch())
  const own = questionsOf(typed, now)
  const confirm = useConfirmFirst(typed, { questions: [], own })
  const put = (all: Timetable[]) => factsApi.editStudio.call({ body: { timetables: all, ifVersion } })
  const onSuccess = (studio: OwnStudio) => {
    showFacts(queries, studio)
    onClose()
  }
  const save = useAdminMutation({
    mutationFn: (values: Values) => put([...others, timetableOf(values)]),
    toasts: SHOWN,
    onSuccess,
  })
  const remove = useAdminMutation({
    mutationFn: () => put(others),
    toasts: { ...SHOWN, success: 'The timetable has been removed' },
    onSuccess,
  })
  const [isEndShown, setEndShown] = useState(filled.slots.some((slot) => slot.endTime !== usualEnd(slot.startTime)))
  return (
    <DialogForm
      form={form}
      mutation={confirm.askingFirst(save)}
      submit={confirm.isAsking ? 'Save anyway' : 'Save'}
      aside={
        version && version.from > now ? (
          <Button variant="quiet" className="sm:mr-auto" runs={remove}>
            Remove this timetable
          </Button>
        ) : (
          <UndoTimetable ifVersion={ifVersion} timetables={timetables} onSuccess={onSuccess} />
        )
      }
      onLoad={onLoad}
      onClose={onClose}
    >
      <DateField<Values>
        name="from"
        label="First day"
        rules={{
          required: 'Please choose the first day',
          validate: (typed) => {
            const from = String(typed)
            if (others.some((one) => one.from === from)) return 'Another timetable starts on this day'
            const instead = inForceInstead(others, from, now)
            return (
              !instead || `The timetable from ${formatLongDate(instead.from)} is in force. Please choose a later day`
            )
          },
        }}
      />
      <div className="grid border-t border-line">
        {WEEKDAYS.map((day) => (
          <DayRows key={day} day={day} isEndShown={isEndShown} />
        ))}
      </div>
      {!isEndShown && (
        <Button variant="quiet" small className="justify-self-start px-0" onClick={() => setEndShown(true)}>
          Change when classes end
        </Button>
      )}
      {confirm.note}
    </DialogForm>
  )
}

function DayRows({ day, isEndShown }: { day: Weekday; isEndShown: boolean }) {
  const { control, setValue } = useFormContext<Values>()
  const { fields, append, remove } = useFieldArray({ control, name: `days.${day}` })
  const { instructor } = useFacts()
  // A teacher who is no longer in the settings stays until another is chosen.
  const now = fields.map(({ instructorName }) => instructorName)
  const others = [...new Set([...useTeachers(), ...now])].filter((name) => name !== '' && name !== instructor.name)
  return (
    <fieldset className="grid gap-2 border-b border-line py-3 sm:grid-cols-[8em_1fr]">
      <legend className="sr-only">{day}</legend>
      <div className="flex items-center justify-between sm:block">
        <p aria-hidden className="font-medium">
          {day}
        </p>
        <Button
          variant="quiet"
          small
          className="sm:px-0"
          aria-label={`Add a class on ${day}`}
          onClick={() => append({ startTime: '', endTime: '', maxParticipants: 2, instructorName: '' })}
        >
          Add a class
        </Button>
      </div>
      <div className="grid content-start gap-2">
        {fields.length === 0 && <p className="py-2 text-small text-ink-mute">No classes</p>}
        {fields.map(({ id }, place) => {
          const name = `days.${day}.${place}` as const
          const which = `${day}, class ${place + 1}`
          return (
            <div key={id} className="flex flex-wrap items-start gap-2 [&_label]:sr-only">
              <div className="w-23 has-[[aria-invalid]]:w-full [&_input]:w-23">
                <TimeField<Values>
                  name={`${name}.startTime`}
                  label={`${which}: start`}
                  rules={{
                    validate: (time) => isTime(String(time)) || 'Please enter a time, such as 09:30',
                    onChange: ({ target }) => {
                      if (isTime(target.value)) setValue(`${name}.endTime`, usualEnd(target.value))
                    },
                  }}
                />
              </div>
              {isEndShown && (
                <div className="w-23 has-[[aria-invalid]]:w-full [&_input]:w-23">
                  <TimeField<Values>
                    name={`${name}.endTime`}
                    label={`${which}: end`}
                    rules={{ validate: (time) => isTime(String(time)) || 'Please enter a time, such as 09:30' }}
                  />
                </div>
              )}
              <div className={`min-w-[9rem] grow ${isEndShown ? 'max-sm:order-last max-sm:basis-full' : ''}`}>
                <SelectField<Values>
                  name={`${name}.maxParticipants`}
                  rules={{ valueAsNumber: true }}
                  label={`${which}: type`}
                  options={[
                    [2, 'Duo'],
                    [1, 'One-on-one'],
                  ]}
                />
              </div>
              {others.length > 0 && (
                <div className="min-w-[9rem] grow">
                  <SelectField<Values>
                    name={`${name}.instructorName`}
                    label={`${which}: teacher`}
                    options={[['', instructor.name], ...others.map((teacher) => [teacher, teacher] as const)]}
                  />
                </div>
              )}
              <button
                type="button"
                aria-label={`Remove ${which}`}
                onClick={() => remove(place)}
                className="mt-1 ml-auto grid size-11 flex-none place-items-center rounded-full text-ink-soft hover:bg-sand"
              >
                <Icon of={x} size={18} />
              </button>
            </div>
          )
        })}
      </div>
    </fieldset>
  )
}

/** Undoes the last change of the facts, if it changed the timetable. */
function UndoTimetable({
  ifVersion,
  timetables,
  onSuccess,
}: {
  ifVersion: number
  timetables: Timetable[]
  onSuccess: (studio: OwnStudio) => void
}) {
  const before = useQuery({
    ...factsApi.readStudioBefore.queryOptions({ params: { id: ifVersion } }),
    enabled: ifVersion > 0,
  }).data?.timetables
  const undo = useAdminMutation({
    mutationFn: () => factsApi.editStudio.call({ body: { timetables: before, ifVersion } }),
    toasts: { ...SHOWN, success: 'The last change has been undone' },
    onSuccess,
  })
  if (!before || JSON.stringify(before) === JSON.stringify(timetables)) return null
  return (
    <Button variant="quiet" className="sm:mr-auto" runs={undo}>
      Undo last change
    </Button>
  )
}

const valuesOf = ({ from, slots }: Timetable): Values => ({
  from,
  days: recordOf(WEEKDAYS, (day) =>
    slots.filter((slot) => slot.day === day).map(({ day: _, ...row }) => ({ instructorName: '', ...row })),
  ),
})

const timetableOf = ({ from, days }: Values): Timetable => ({
  from,
  slots: WEEKDAYS.flatMap((day) =>
    days[day].map(({ instructorName, ...row }) => ({ day, ...row, ...(instructorName && { instructorName }) })),
  ),
})

/** What the dialog asks before it saves; undefined if nothing. */
function questionsOf({ from, slots }: Timetable, now: string): string | undefined {
  const times = slots.filter(({ startTime, endTime }) => isTime(startTime) && isTime(endTime))
  const sentences = overlappingSlots(times).map(
    ([one, other]) => `${one.day} ${one.startTime} and ${other.startTime} take place at the same time.`,
  )
  if (from && from < now) {
    sentences.push(`This timetable starts in the past, on ${formatLongDate(from)}, so the website shows it at once.`)
  }
  return sentences.length > 0 ? `${sentences.join(' ')} Save anyway?` : undefined
}
