import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { ClassForAdmin } from '../../../booking/contract-classes.ts'
import type { extendSeries } from '../../../booking/contract-several.ts'
import { classForAdmin } from '../../../booking/web/admin-bookings.ts'
import { call } from '../../../foundation/call.ts'
import { formatDate, weekdayOf } from '../../../foundation/dates.ts'
import { many } from '../../../foundation/many.ts'
import { classesKey } from '../../../timetable/web/classes.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { DialogForm } from '../dialog-form.tsx'

/** Lets a repeating class go on until a later day. */
export function ExtendSeriesDialog({ id, onClose }: { id: number; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Extend series"
      description="New classes like this one, in the same rhythm. Closed days are left out."
    >
      <QueryView query={useQuery(classForAdmin(id))} failed="The class could not be loaded.">
        {(found) => <Form found={found} onClose={onClose} />}
      </QueryView>
    </Dialog>
  )
}

function Form({ found: { class: named }, onClose }: { found: ClassForAdmin; onClose: () => void }) {
  const ends = named.repeatUntilDate ?? named.date
  const form = useForm<{ until: string }>({ defaultValues: { until: '' } })
  const send = (body: { until: string }) =>
    call<typeof extendSeries>(
      { method: 'POST', path: '/api/admin/classes/:id/extend' },
      { params: { id: named.id }, body },
    )
  const extend = useAdminMutation({
    mutationFn: send,
    // Done twice it does nothing more.
    lookAgain: send,
    says: {
      success: ({ classes, until }) => `${many(classes, 'class', 'classes')} added, until ${formatDate(until)}`,
      failure: 'Failed to extend the series',
    },
    stale: [classesKey, ['admin']],
    onSuccess: onClose,
  })
  return (
    <DialogForm form={form} mutation={extend} submit="Extend" onClose={onClose}>
      <p className="text-[0.9375rem] text-ink-soft">
        {named.title}, {weekdayOf(named.date)} {named.startTime}, ends on {formatDate(ends)}.
      </p>
      <TextField
        label="Repeat until"
        type="date"
        min={ends}
        error={form.formState.errors.until?.message}
        {...form.register('until', {
          required: 'Please enter a date',
          validate: (typed) => typed > ends || `Please choose a day after ${formatDate(ends)}`,
        })}
      />
    </DialogForm>
  )
}
