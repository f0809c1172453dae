import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { copyWeek } from '../../../booking/contract-several.ts'
import { call } from '../../../foundation/call.ts'
import { formatDate, mondayOf } from '../../../foundation/dates.ts'
import { today } from '../../../foundation/instants.ts'
import { newKey } from '../../../foundation/lost-answers.ts'
import { many } from '../../../foundation/many.ts'
import { classesKey } from '../../../timetable/web/classes.ts'
import { SelectField } from '../../../ui/choices.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { present } from '../../../ui/use-now.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { DialogForm } from '../dialog-form.tsx'

/** So many weeks ahead are offered. */
const WEEKS_OFFERED = 26

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
  const form = useForm<{ to: string }>({
    defaultValues: { to: weeks.some((week) => week.toString() === next) ? next : '' },
  })
  const [key] = useState(newKey)
  const send = ({ to }: { to: string }) =>
    call<typeof copyWeek>({ method: 'POST', path: '/api/admin/classes/copy-week' }, { body: { from: monday, to }, key })
  const copy = useAdminMutation({
    mutationFn: send,
    lookAgain: send,
    says: { success: saidOf, failure: 'Failed to copy the week' },
    stale: [classesKey, ['admin']],
    onSuccess: onClose,
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Copy this week"
      description={`The active classes of ${weekOf(from)}, without bookings. Closed days and classes already there are left out.`}
    >
      <DialogForm form={form} mutation={copy} submit="Copy" onClose={onClose}>
        <SelectField
          label="To"
          choose="Choose a week"
          options={weeks.map((week) => [week.toString(), weekOf(week)])}
          error={form.formState.errors.to?.message}
          {...form.register('to', { required: 'Please choose a week' })}
        />
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
