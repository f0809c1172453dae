import { z } from 'zod'
import { bookingRefusals, undoRefusals } from '#booking/refusals.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { InstantText, Message, PathId, requiredName } from '#foundation/fields.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { ApplyToRecurring, ClassEdit, StudioClass, timetableRefusals } from '#timetable/contract.ts'

export const EditClassForm = z.object({
  title: ClassEdit.shape.title.unwrap(),
  description: z.string().max(5000, 'Please use at most 5000 characters'),
  date: ClassEdit.shape.date.unwrap(),
  startTime: ClassEdit.shape.startTime.unwrap(),
  endTime: ClassEdit.shape.endTime.unwrap(),
  maxParticipants: ClassEdit.shape.maxParticipants.unwrap(),
  instructorName: requiredName('Instructor is required'),
  isActive: z.boolean(),
})
export type EditClassForm = z.output<typeof EditClassForm>

export const editClass = endpoint('PUT /api/classes/:id', {
  who: 'admin',
  summary:
    'Edit a class; with `applyToRecurring` also every class not yet started at the same weekday and times (`later`: only those after it)',
  params: PathId,
  body: ClassEdit,
  response: StudioClass,
  refusals: [
    timetableRefusals.class_not_found,
    timetableRefusals.capacity_below_bookings,
    bookingRefusals.place_offered,
    bookingRefusals.new_time_in_past,
    bookingRefusals.attendance_marked,
    timetableRefusals.studio_closed,
    timetableRefusals.classes_overlap,
    commonRefusals.edit_conflict,
  ],
})

/** What the studio has just cancelled and can still undo. */
export const Undoable = z
  .object({
    id: z.int(),
    what: z.enum(['deleted', 'closed']),
    classes: z.int(),
    bookings: z.int(),
    /** From then on it is final, and we email everyone affected. */
    until: InstantText,
    /** For browsers whose clock is wrong. */
    secondsLeft: z.int(),
  })
  .meta({ id: 'Undoable' })
export type Undoable = z.output<typeof Undoable>

export const deleteClass = endpoint('DELETE /api/classes/:id', {
  who: 'admin',
  summary:
    'Delete a class (or all similar ones, or this and the later ones): bookings are cancelled and credits returned at once, members emailed after a minute in which it can be undone',
  params: PathId,
  body: z.object({ applyToRecurring: ApplyToRecurring }),
  response: Message.extend({ undo: Undoable }),
  refusals: [timetableRefusals.class_not_found],
})

export const listUndoable = endpoint('GET /api/admin/cancellations', {
  summary: 'Classes deleted and days closed within the last minute, which can still be undone, latest first',
  response: z.array(Undoable),
})

export const undoCancellation = endpoint('POST /api/admin/cancellations/:id/undo', {
  summary:
    'Bring back deleted classes or closed days with their bookings, credits and waiting lists, before anyone is emailed',
  params: PathId,
  response: Message.extend({
    classes: z.int(),
    bookings: z.int(),
    /** Bookings that stay cancelled, as the credit is spent or the class was changed: we email their members. */
    notBroughtBack: z.int(),
  }),
  refusals: [undoRefusals.undo_expired, undoRefusals.already_undone],
})
