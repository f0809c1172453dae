import { z } from 'zod'
import { accountRefusals } from '#accounts/contract.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { DateText, InstantText, PathId, requiredText, UserPathId } from '#foundation/fields.ts'
import { refusals } from '#foundation/refusal.ts'

/** Open complaints per member. Our choice. */
export const MAX_OPEN_COMPLAINTS = 3

export const complaintRefusals = refusals({
  complaint_not_found: [404, 'This complaint no longer exists.'],
  complaint_already_answered: [400, 'This complaint has already been answered.'],
  too_many_complaints: [
    400,
    'We are still looking into your earlier complaints. Please wait for our answer, or call us to add to them.',
  ],
})

/** A member's complaint about their personal data, with the answer. */
export const DataComplaint = z
  .object({
    id: z.int(),
    complaint: z.string(),
    madeAt: InstantText,
    /** The last day for the answer. */
    answerBy: DateText(),
    answer: z.string().nullable(),
    answeredAt: InstantText.nullable(),
  })
  .meta({ id: 'DataComplaint' })
export type DataComplaint = z.output<typeof DataComplaint>

export const DataComplaintForm = z.object({ complaint: requiredText('Please say what it is about', 5000) })
export type DataComplaintForm = z.output<typeof DataComplaintForm>

export const makeDataComplaint = endpoint('POST /api/user/data-complaints', {
  who: 'member',
  summary: 'Complain about how the studio handles your data; acknowledged by email at once',
  body: DataComplaintForm,
  acceptsIdempotencyKey: true,
  reply: DataComplaint,
  status: 201,
  refusals: [complaintRefusals.too_many_complaints],
})

export const listOwnDataComplaints = endpoint('GET /api/user/data-complaints', {
  who: 'member',
  summary: "The member's complaints about their data, with the answers, newest first",
  reply: z.array(DataComplaint),
})

export const listDataComplaints = endpoint('GET /api/admin/users/:id/data-complaints', {
  who: 'admin',
  summary: "A member's complaints about their data, newest first",
  params: UserPathId,
  reply: z.array(DataComplaint),
  refusals: [accountRefusals.user_not_found],
})

export const ComplaintAnswerForm = z.object({ answer: requiredText('Please write what you found and did', 5000) })
export type ComplaintAnswerForm = z.output<typeof ComplaintAnswerForm>

export const answerDataComplaint = endpoint('POST /api/admin/data-complaints/:id/answer', {
  who: 'admin',
  summary: 'Answer a complaint about data: emails the member the answer and closes the complaint',
  params: PathId,
  body: ComplaintAnswerForm,
  reply: DataComplaint,
  refusals: [complaintRefusals.complaint_not_found, complaintRefusals.complaint_already_answered],
})
