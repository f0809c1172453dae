import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { bookClass } from '../../../booking/contract.ts'
import { bookingsKey } from '../../../booking/web/stale.ts'
import { call } from '../../../foundation/call.ts'
import { formatDate, weekdayOf } from '../../../foundation/dates.ts'
import { today } from '../../../foundation/instants.ts'
import { memberPageOf, usersKey } from '../../../insights/web/users.ts'
import { passesKey } from '../../../passes/web/passes.ts'
import type { StudioClass } from '../../../timetable/contract.ts'
import { hasStarted } from '../../../timetable/rules.ts'
import { classesKey, useClasses } from '../../../timetable/web/classes.ts'
import { SelectField } from '../../../ui/choices.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { present } from '../../../ui/use-now.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { DialogForm } from '../dialog-form.tsx'
import type { NamedUser } from './named-user.ts'

/** How far ahead classes are offered. */
const WEEKS = 4

/** Books a class for a member, with their pass and under their rules; why not is said in the dialog. */
export function BookForDialog({ user, onClose }: { user: NamedUser; onClose: () => void }) {
  const from = today(present())
  const to = Temporal.PlainDate.from(from).add({ weeks: WEEKS }).toString()
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Book for ${user.firstName}`}
      description="One credit of their pass pays. They are told by email."
    >
      <QueryView query={useClasses(from, to)} failed="The classes could not be loaded.">
        {(classes) => (
          <Form
            user={user}
            classes={classes.filter((c) => !hasStarted(Temporal.Instant.from(c.startsAt), present()))}
            onClose={onClose}
          />
        )}
      </QueryView>
    </Dialog>
  )
}

function Form({ user, classes, onClose }: { user: NamedUser; classes: StudioClass[]; onClose: () => void }) {
  const form = useForm({ defaultValues: { classId: '' } })
  const queries = useQueryClient()
  const book = useAdminMutation({
    mutationFn: ({ classId }: { classId: string }) =>
      call<typeof bookClass>(
        { method: 'POST', path: '/api/bookings' },
        { body: { classId: Number(classId), userId: user.id, participantCount: 1, usePass: true } },
      ),
    lookAgain: async ({ classId }) =>
      (await queries.fetchQuery({ ...memberPageOf(user.id), staleTime: 0 })).bookings.find(
        (booking) => booking.classId === Number(classId) && booking.status === 'confirmed',
      ),
    says: { success: `Booked for ${user.firstName} ${user.lastName}`, failure: 'Failed to book' },
    stale: [usersKey, bookingsKey, classesKey, passesKey],
    onSuccess: onClose,
  })
  return (
    <DialogForm form={form} mutation={book} submit="Book class" onClose={onClose}>
      <SelectField
        label="Class"
        choose={classes.length > 0 ? 'Choose a class' : `No classes in the next ${WEEKS} weeks`}
        options={classes.map((c) => [c.id, wordsOf(c)])}
        error={form.formState.errors.classId?.message}
        {...form.register('classId', { required: 'Please choose a class' })}
      />
    </DialogForm>
  )
}

function wordsOf(c: StudioClass): string {
  const free = c.availableSpots > 0 ? `${c.availableSpots} free` : 'full'
  return `${weekdayOf(c.date).slice(0, 3)} ${formatDate(c.date)} ${c.startTime}, ${c.title} (${free})`
}
