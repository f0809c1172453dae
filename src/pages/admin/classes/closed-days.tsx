import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { fullName } from '#accounts/rules.ts'
import { many } from '#foundation/collections.ts'
import { formatDay } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { ClosureForm, type previewClosure } from '#schedule/contract-closures.ts'
import { scheduleApi } from '#schedule/web/api.ts'
import type { Closure } from '#timetable/contract.ts'
import type { listBankHolidays } from '#timetable/contract-term.ts'
import { timetableApi } from '#timetable/web/api.ts'
import { daysOf, useClosures } from '#timetable/web/classes.ts'
import { Button } from '#ui/button.tsx'
import { Callout } from '#ui/callout.tsx'
import { Tick as ControlledTick, RadioCards } from '#ui/choices.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import { Tick, TimeField } from '#ui/form-choices.tsx'
import { DateField } from '#ui/form-date-field.tsx'
import { TextField } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { previewOfTyped } from '#ui/refetch-shown.ts'
import { isTime } from '#ui/time-field.tsx'
import { useDialog } from '#ui/use-dialog.ts'
import { present } from '#ui/use-now.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { ConfirmChange, FormDialog } from '../dialog-form.tsx'
import { notificationsText } from '../messages/notification-text.ts'
import { SeeTheEmail } from './see-the-email.tsx'

/** Closed days, each with a button that opens it again; nothing if there are none. */
export function Closures() {
  const closures = useClosures()
  const { dialog, open } = useDialog()
  if (closures.length === 0) return null
  return (
    <section aria-labelledby="closures" className="mb-8 rounded-row bg-linen px-5 py-4">
      <h2 id="closures" className="font-medium">
        Closed days
      </h2>
      <ul className="mt-1">
        {closures.map((closure) => (
          <li key={closure.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-1.5">
            <p className="min-w-0 wrap-anywhere">
              {daysOf(closure)} <span className="text-ink-soft">· {closure.reason}</span>
            </p>
            <Button variant="secondary" small onClick={() => open(OpenDaysDialog, { closure })}>
              Open again<span className="sr-only">: {daysOf(closure)}</span>
            </Button>
          </li>
        ))}
      </ul>
      {dialog}
    </section>
  )
}

function OpenDaysDialog({ closure, onClose }: { closure: Closure; onClose: () => void }) {
  return (
    <ConfirmChange
      title="Open these days again?"
      text={`${daysOf(closure)}. Their classes come back empty: members who had booked have their credits back and can book again. No emails will be sent.`}
      keep="Keep closed"
      confirm="Open again"
      mutationFn={() => scheduleApi.openDays.call({ params: { id: closure.id } })}
      toasts={{ success: ({ message }) => message, failure: 'Failed to open the days' }}
      onClose={onClose}
    />
  )
}

type Values = z.input<typeof ClosureForm>
type Preview = z.output<typeof previewClosure.response>

/** Suggests the morning. */
const HOURS = { fromTime: '07:00', toTime: '12:00' }
const NO_HOURS = { fromTime: '', toTime: '' }

/** Closes days, or some hours of one day; lists the classes that will be cancelled, each of which can be unticked. */
export function CloseDaysDialog({ onClose }: { onClose: () => void }) {
  const now = today(present())
  const [isPart, setPart] = useState(false)
  const form = useForm<Values, unknown, ClosureForm>({
    resolver: zodResolver(ClosureForm),
    defaultValues: { from: '', to: '', ...NO_HOURS, reason: '', notify: true, exceptClassIds: [] },
  })
  const close = useAdminMutation({
    mutationFn: (body: ClosureForm) => scheduleApi.closeDays.call({ body }),
    toasts: {
      success: ({ classes, peopleNotified }) =>
        `The studio is closed. ${many(classes, 'class', 'classes')} cancelled. We’ll notify ${many(peopleNotified, 'person', 'people')} in a minute.`,
      failure: 'Failed to close the days',
    },
    onSuccess: onClose,
  })
  const { from, to, exceptClassIds, ...typed } = form.watch()
  const [fromTime, toTime] = [typed.fromTime ?? '', typed.toTime ?? '']
  const hours = isPart && fromTime && toTime ? { fromTime, toTime } : {}
  const preview = useQuery({
    ...scheduleApi.previewClosure.queryOptions({ query: { from, to, ...hours } }),
    enabled: from !== '' && from <= to && (!isPart || (isTime(fromTime) && isTime(toTime) && fromTime < toTime)),
    ...previewOfTyped,
  })
  const kept = new Set(exceptClassIds)
  const keep = (id: number, isKept: boolean) =>
    form.setValue('exceptClassIds', [...kept].filter((other) => other !== id).concat(isKept ? [id] : []))
  const choosePart = (part: boolean) => {
    setPart(part)
    const { fromTime: first, toTime: last } = part ? HOURS : NO_HOURS
    form.setValue('fromTime', first)
    form.setValue('toTime', last)
    if (part) form.setValue('to', from)
  }
  const days = from && to ? Temporal.PlainDate.from(from).until(to).days + 1 : 0
  const submit = [
    isPart || days < 1 ? `Close these ${isPart ? 'hours' : 'days'}` : `Close ${many(days, 'day')}`,
    ...(from && preview.data ? effectOf(preview.data.classes, kept, typed.notify !== false) : []),
  ].join(', ')
  return (
    <FormDialog
      form={form}
      mutation={{
        ...close,
        // Without times, the whole day would be closed.
        mutate: (body) =>
          isPart && !body.fromTime
            ? form.setError('fromTime', { message: 'Please enter both times' })
            : close.mutate(body),
      }}
      submit={submit}
      danger
      disabled={days < 1}
      aside={
        days < 1 && (
          <p className="self-center text-small text-ink-mute max-sm:order-last max-sm:w-full">First choose the days.</p>
        )
      }
      onClose={onClose}
      title="Close Days"
    >
      <RadioCards
        label="How long?"
        name="how-long"
        options={[
          ['all', 'All day'],
          ['part', 'Part of the day'],
        ]}
        checkedValue={isPart ? 'part' : 'all'}
        onChange={({ target }) => choosePart(target.value === 'part')}
      />
      <div className="grid gap-5">
        <DateField
          name="from"
          label={isPart ? 'Day' : 'First day'}
          min={now}
          onChange={(date) => {
            if (date > to || isPart) form.setValue('to', date)
          }}
        />
        {isPart ? (
          <div className="grid grid-cols-2 gap-4">
            <TimeField name="fromTime" label="From" />
            <TimeField name="toTime" label="To" help="A class that starts at this time still takes place." />
          </div>
        ) : (
          <DateField name="to" label="Last day" min={from || now} />
        )}
      </div>
      {!isPart && (
        <BankHolidays
          onChoose={({ date, name }) => {
            form.setValue('from', date)
            form.setValue('to', date)
            form.setValue('reason', name)
          }}
        />
      )}
      <TextField name="reason" label="Reason" help="Members see it in their email, and visitors on the website." />
      {from && (
        <QueryView query={preview} failed="The classes of these days could not be loaded.">
          {({ closures, classes }) => (
            <>
              {/* Days can be closed twice for two reasons; they open when both closures are removed. */}
              {closures.length > 0 && (
                <p className="rounded-row bg-linen p-4 text-small/even wrap-anywhere">
                  Already closed: {closures.map((closure) => `${daysOf(closure)} (${closure.reason})`).join('; ')}
                </p>
              )}
              <Consequences
                classes={classes}
                kept={kept}
                onKeep={keep}
                closure={{ ...form.getValues(), ...NO_HOURS, ...hours, reason: form.getValues('reason').trim() || '…' }}
              />
            </>
          )}
        </QueryView>
      )}
    </FormDialog>
  )
}

/** `cancel 2 classes`, `email 3 people`; each only where there are any. */
function effectOf(classes: Preview['classes'], kept: ReadonlySet<number>, tellsWaiting: boolean): string[] {
  const cancelled = classes.filter(({ id }) => !kept.has(id))
  const people = cancelled.flatMap(({ booked, cancelledLate, waiting }) => [
    ...booked,
    ...cancelledLate,
    ...(tellsWaiting ? waiting : []),
  ])
  const emailed = new Set(people.filter(({ isByPhone }) => !isByPhone).map(({ id }) => id)).size
  return [
    ...(cancelled.length > 0 ? [`cancel ${many(cancelled.length, 'class', 'classes')}`] : []),
    ...(emailed > 0 ? [`email ${many(emailed, 'person', 'people')}`] : []),
  ]
}

type Consequences = {
  classes: Preview['classes']
  kept: ReadonlySet<number>
  onKeep: (id: number, isKept: boolean) => void
  /** What would be sent. */
  closure: Values
}

function Consequences({ classes, kept, onKeep, closure }: Consequences) {
  if (classes.length === 0)
    return (
      <p className="text-ink-soft">
        There are no more classes {closure.fromTime ? 'in these hours' : 'on these days'}.
      </p>
    )
  const cancelled = classes.filter(({ id }) => !kept.has(id))
  const booked = cancelled.flatMap((one) => one.booked)
  const late = cancelled.flatMap((one) => one.cancelledLate)
  const waiting = cancelled.flatMap((one) => one.waiting)
  const people = [...booked, ...late, ...waiting]
  const credits = booked.length + late.length
  return (
    <div>
      <fieldset>
        <legend className="mb-1 text-small/snug font-medium">Classes to cancel</legend>
        {classes.map((one) => (
          <ControlledTick
            key={one.id}
            label={`${formatDay(one.date)}, ${one.startTime}: ${one.title}`}
            help={namesOf(one)}
            checked={!kept.has(one.id)}
            onChange={({ target }) => onKeep(one.id, !target.checked)}
          />
        ))}
      </fieldset>
      <Callout role="status" className="mt-3 p-4">
        {credits > 0
          ? `${many(booked.length, 'booking')} will be cancelled and ${many(credits, 'credit')} returned${late.length > 0 ? `, ${late.length} of them for a late cancellation` : ''}. ${notificationsText(people)}`
          : 'No one has booked.'}
        {people.length > 0 && <SeeTheEmail change={{ change: 'close', closure }} />}
      </Callout>
      {waiting.length > 0 && <Tick name="notify" label="Also email people on the waiting list" />}
    </div>
  )
}

function namesOf({ booked, waiting }: Preview['classes'][number]): string {
  const names = booked.map(fullName).join(', ')
  const waitingText = waiting.length > 0 && `${waiting.length} on the waiting list`
  return [names, waitingText].filter(Boolean).join('; ') || 'No one has booked'
}

type BankHoliday = z.output<typeof listBankHolidays.response>[number]

/** The bank holidays of the coming year, each of which fills in the form. */
function BankHolidays({ onChoose }: { onChoose: (holiday: BankHoliday) => void }) {
  const from = today(present())
  const to = Temporal.PlainDate.from(from).add({ years: 1 }).toString()
  const holidays = useQuery(timetableApi.listBankHolidays.queryOptions({ query: { from, to } })).data ?? []
  if (holidays.length === 0) return null
  return (
    <Disclosure label="Bank holidays" className="border-b pb-2">
      <ul>
        {holidays.map((holiday) => (
          <li key={holiday.date}>
            <button type="button" className="link min-h-11 text-left" onClick={() => onChoose(holiday)}>
              {holiday.name}, {formatDay(holiday.date)} {holiday.date.slice(0, 4)}
            </button>
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}
