import { zodResolver } from '@hookform/resolvers/zod'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { ClosureForm, type previewClosure } from '#booking/contract-closures.ts'
import { bookingApi } from '#booking/web/api.ts'
import { keysOf } from '#foundation/collections.ts'
import { formatDay } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { newKey } from '#foundation/lost-answers.ts'
import { many } from '#foundation/many.ts'
import { timetableApi } from '#timetable/web/api.ts'
import { daysOf } from '#timetable/web/classes.ts'
import { Tick } from '#ui/choices.tsx'
import { DateField } from '#ui/date-field.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { showRefusedFields } from '#ui/refused-fields.ts'
import { present } from '#ui/use-now.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { CHANGED } from '../bookings/booking-changes.ts'
import { DialogForm } from '../dialog-form.tsx'

type Values = z.input<typeof ClosureForm>
type Preview = z.output<typeof previewClosure.reply>

const dayBefore = (date: string) => Temporal.PlainDate.from(date).subtract({ days: 1 }).toString()

/** Closes days: what that does is listed class by class, and a class that is to take place all the same is unticked. */
export function CloseDaysDialog({ onClose }: { onClose: () => void }) {
  const now = today(present())
  const empty = { from: now, to: now, reason: '', notify: true, exceptClassIds: [] } satisfies Values
  const form = useForm<Values, unknown, ClosureForm>({ resolver: zodResolver(ClosureForm), defaultValues: empty })
  // An opened dialog closes once, however often its answer is lost.
  const [key] = useState(newKey)
  const send = (body: ClosureForm) => bookingApi.closeDays.call({ body, key })
  const close = useAdminMutation({
    mutationFn: send,
    lookAgain: send,
    says: {
      success: ({ classes, peopleTold }) =>
        `The studio is closed. ${many(classes, 'class', 'classes')} cancelled. We will email ${many(peopleTold, 'person', 'people')} in a minute.`,
      failure: 'Failed to close the days',
    },
    stale: [...CHANGED, timetableApi.listClosures],
    onSuccess: onClose,
    onRefused: (error) => showRefusedFields(error, form.setError, keysOf(empty)),
  })
  const { from, to, exceptClassIds } = form.watch()
  const preview = useQuery({
    ...bookingApi.previewClosure.queryOptions({ query: { from, to } }),
    enabled: from <= to,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const kept = new Set(exceptClassIds)
  const keep = (id: number, takesPlace: boolean) => {
    if (takesPlace) kept.add(id)
    else kept.delete(id)
    form.setValue('exceptClassIds', [...kept])
  }
  const { errors } = form.formState
  return (
    <Dialog open onClose={onClose} title="Close Days">
      <DialogForm form={form} mutation={close} submit="Close these days" danger onClose={onClose}>
        <div className="grid gap-5">
          <Controller
            control={form.control}
            name="from"
            render={({ field }) => (
              <DateField
                label="First day"
                value={field.value}
                onChange={(date) => {
                  field.onChange(date)
                  if (date > to) form.setValue('to', date)
                }}
                today={now}
                after={dayBefore(now)}
                error={errors.from?.message}
              />
            )}
          />
          <Controller
            control={form.control}
            name="to"
            render={({ field }) => (
              <DateField
                label="Last day"
                value={field.value}
                onChange={field.onChange}
                today={now}
                after={dayBefore(from)}
                error={errors.to?.message}
              />
            )}
          />
        </div>
        <TextField
          label="Reason"
          help="Members read it in their email, visitors on the website."
          error={errors.reason?.message}
          {...form.register('reason')}
        />
        <QueryView query={preview} failed="The classes of these days could not be loaded.">
          {(shown) => (
            <>
              <ClosedAlready closures={shown.closures} />
              <WhatItDoes preview={shown} kept={kept} onKeep={keep} notify={form.register('notify')} />
            </>
          )}
        </QueryView>
      </DialogForm>
    </Dialog>
  )
}

/** Days may be closed twice, for two reasons: both are opened again before they are open. */
function ClosedAlready({ closures }: Pick<Preview, 'closures'>) {
  if (closures.length === 0) return null
  return (
    <p className="rounded-row bg-linen p-4 text-[0.9375rem]/[1.45] wrap-anywhere">
      Already closed: {closures.map((closure) => `${daysOf(closure)} (${closure.reason})`).join('; ')}
    </p>
  )
}

function WhatItDoes({
  preview: { classes },
  kept,
  onKeep,
  notify,
}: {
  preview: Preview
  kept: ReadonlySet<number>
  onKeep: (id: number, takesPlace: boolean) => void
  notify: ReturnType<ReturnType<typeof useForm<Values>>['register']>
}) {
  if (classes.length === 0) return <p className="text-ink-soft">No classes are still to come on these days.</p>
  const off = classes.filter(({ id }) => !kept.has(id))
  const booked = off.flatMap((one) => one.booked)
  const late = off.flatMap((one) => one.cancelledLate)
  const waiting = off.flatMap((one) => one.waiting)
  const people = new Set([...booked, ...late, ...waiting].map(({ id }) => id)).size
  return (
    <div>
      <fieldset>
        <legend className="mb-1 text-[0.9375rem]/[1.4] font-medium">Classes that are cancelled</legend>
        {classes.map((one) => (
          <Tick
            key={one.id}
            label={`${formatDay(one.date)}, ${one.startTime}: ${one.title}`}
            help={whoComes(one)}
            checked={!kept.has(one.id)}
            onChange={({ target }) => onKeep(one.id, !target.checked)}
          />
        ))}
      </fieldset>
      <p role="status" className="mt-3 rounded-row bg-warn-tint p-4 text-[0.9375rem]/[1.45] text-warn">
        {booked.length + late.length > 0
          ? `${many(booked.length, 'booking is', 'bookings are')} cancelled and ${many(booked.length + late.length, 'credit')} returned${late.length > 0 ? `, ${late.length} of them for a late cancellation` : ''}. ${many(people, 'person is', 'people are')} emailed${people > 1 ? ', once each' : ''}.`
          : 'Nobody has booked.'}
      </p>
      {waiting.length > 0 && <Tick label="Also tell those on the waiting list" {...notify} />}
    </div>
  )
}

function whoComes({ booked, waiting }: Preview['classes'][number]): string {
  const names = booked.map(({ firstName, lastName }) => `${firstName} ${lastName}`).join(', ')
  const line = waiting.length > 0 ? `${names ? '; ' : ''}${waiting.length} on the waiting list` : ''
  return names || line ? `${names}${line}` : 'Nobody has booked'
}
