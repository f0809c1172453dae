import { z } from 'zod'
import { accountRefusals } from '#accounts/contract.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { DateText, InstantText, PathId, requiredText, UserPathId } from '#foundation/fields.ts'
import { refusals } from '#foundation/refusal.ts'

/** So many of one member can be open at once; ours. */
export const MOST_OPEN = 3

export const complaintRefusals = refusals({
  complaint_not_found: [404, 'This complaint no longer exists.'],
  complaint_already_answered: [400, 'This complaint has been answered already.'],
  too_many_complaints: [
    400,
    'We are still looking into what you wrote before. Please wait for our answer, or call us if there is more.',
  ],
})

/** What a member complains of about their data, and what came of it. */
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
  summary: 'Complain about how the studio handles the own data; acknowledged by email at once',
  body: DataComplaintForm,
  takesKey: true,
  reply: DataComplaint,
  status: 201,
  refusals: [complaintRefusals.too_many_complaints],
})

export const listOwnDataComplaints = endpoint('GET /api/user/data-complaints', {
  who: 'member',
  summary: "The member's complaints about their data and what was answered, newest first",
  reply: z.array(DataComplaint),
})

export const listDataComplaints = endpoint('GET /api/admin/users/:id/data-complaints', {
  who: 'admin',
  summary: 'What a member complained of about their data, newest first',
  params: UserPathId,
  reply: z.array(DataComplaint),
  refusals: [accountRefusals.user_not_found],
})

export const ComplaintAnswerForm = z.object({ answer: requiredText('Please write what you found and did', 5000) })
export type ComplaintAnswerForm = z.output<typeof ComplaintAnswerForm>

export const answerDataComplaint = endpoint('POST /api/admin/data-complaints/:id/answer', {
  who: 'admin',
  summary: 'Answer a complaint about data: the member is mailed the answer, and the complaint is closed',
  params: PathId,
  body: ComplaintAnswerForm,
  reply: DataComplaint,
  refusals: [complaintRefusals.complaint_not_found, complaintRefusals.complaint_already_answered],
})
