import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { bookingApi } from '#booking/web/api.ts'
import { formatLongDate } from '#foundation/dates.ts'
import { insightsApi } from '#insights/web/api.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { Dialog } from '#ui/dialog.tsx'
import { SelectField } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { DialogForm } from '../dialog-form.tsx'
import { CHANGED } from './booking-changes.ts'
import { hasBegun, NO_CLASSES, useClassesAhead, wordsOf } from './class-choice.ts'

export type Movable = {
  id: number
  userId: string
  name: string
  classId: number
  class: { title: string; date: string; startTime: string }
}

/** Moves a member's place to another class for them, whatever the hour and the health form say; they are told by email. */
export function MoveBookingDialog({ booking, onClose }: { booking: Movable; onClose: () => void }) {
  const { name, class: from } = booking
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Move ${name}`}
      description={`From ${from.title}, ${formatLongDate(from.date)} at ${from.startTime}. The credit moves along, and ${name} is told by email.`}
    >
      <QueryView query={useClassesAhead()} failed="The classes could not be loaded.">
        {(classes) => (
          <Form
            booking={booking}
            classes={classes.filter((c) => !hasBegun(c) && c.id !== booking.classId)}
            onClose={onClose}
          />
        )}
      </QueryView>
    </Dialog>
  )
}

function Form({ booking, classes, onClose }: { booking: Movable; classes: StudioClass[]; onClose: () => void }) {
  const form = useForm({ defaultValues: { classId: '' } })
  const queries = useQueryClient()
  const move = useAdminMutation({
    mutationFn: ({ classId }: { classId: string }) =>
      bookingApi.moveForMember.call({ params: { id: booking.id }, body: { classId: Number(classId) } }),
    lookAgain: async ({ classId }) =>
      (
        await queries.fetchQuery({
          ...insightsApi.getMemberPage.queryOptions({ params: { id: booking.userId } }),
          staleTime: 0,
        })
      ).bookings.find((one) => one.classId === Number(classId) && one.status === 'confirmed'),
    says: { success: `${booking.name} has been moved`, failure: 'Failed to move the booking' },
    stale: CHANGED,
    onSuccess: onClose,
  })
  return (
    <DialogForm form={form} mutation={move} submit="Move" onClose={onClose}>
      <SelectField
        name="classId"
        rules={{ required: 'Please choose a class' }}
        label="To"
        choose={classes.length > 0 ? 'Choose a class' : NO_CLASSES}
        options={classes.map((c) => [c.id, wordsOf(c)])}
      />
    </DialogForm>
  )
}
