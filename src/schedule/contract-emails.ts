import { z } from 'zod'
import { bookingRefusals } from '#booking/refusals.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { Id } from '#foundation/fields.ts'
import { ApplyToRecurring, ClassEdit, timetableRefusals } from '#timetable/contract.ts'
import { ClassIds, GiveForm, ShiftForm } from './contract-bulk.ts'
import { ClosureForm } from './contract-closures.ts'

/** A change of classes that may email people, as its own endpoint takes it. */
export const ClassesChange = z.discriminatedUnion('change', [
  z.object({ change: z.literal('edit'), classId: Id, edit: ClassEdit }),
  z.object({ change: z.literal('delete'), classId: Id, applyToRecurring: ApplyToRecurring }),
  z.object({ change: z.literal('takeOff'), classIds: ClassIds }),
  z.object({ change: z.literal('shift'), shift: ShiftForm }),
  z.object({ change: z.literal('give'), give: GiveForm }),
  z.object({ change: z.literal('close'), closure: ClosureForm }),
])
export type ClassesChange = z.output<typeof ClassesChange>

export const previewEmails = endpoint('POST /api/admin/classes/emails', {
  summary: 'Whom a change of classes would email, and one email of each kind as it would be sent; nothing is changed',
  body: ClassesChange,
  response: z
    .object({
      /** Counted once each. */
      people: z.int(),
      /** Members without an email address, whom the owner calls. */
      toCall: z.int(),
      emails: z.array(
        z.object({
          /** How many emails of this kind. */
          count: z.int(),
          /** The first name of the member whose email is shown. */
          to: z.string(),
          subject: z.string(),
          text: z.string(),
        }),
      ),
    })
    .meta({ id: 'EmailPreview' }),
  refusals: [
    timetableRefusals.class_not_found,
    timetableRefusals.capacity_below_bookings,
    bookingRefusals.place_offered,
    timetableRefusals.crosses_midnight,
    timetableRefusals.studio_closed,
    timetableRefusals.classes_overlap,
    bookingRefusals.new_time_in_past,
    bookingRefusals.attendance_marked,
  ],
})
