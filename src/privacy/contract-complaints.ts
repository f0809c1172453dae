import { z } from 'zod'
import { accountRefusals } from '#accounts/contract.ts'
import { cleanLine } from '#foundation/clean-text.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { DateText, emailAddress, InstantText, Message, PathId, requiredText, UserPathId } from '#foundation/fields.ts'
import { personName } from '#foundation/person-names.ts'
import { commonRefusals, refusals } from '#foundation/refusal.ts'
import { COMPLAINT_CHANNELS } from './rules.ts'

/** Open complaints per member. Our choice. */
export const MAX_OPEN_COMPLAINTS = 3

export const complaintRefusals = refusals({
  complaint_not_found: [404, 'This complaint no longer exists.'],
  complaint_not_received_yet: [400, 'A complaint cannot have arrived in the future.'],
  complaint_already_answered: [400, 'This complaint has already been answered.'],
  too_many_complaints: [
    400,
    'We are still looking into your earlier complaints. Please wait for our answer, or call us to add to them.',
  ],
})

/** A complaint about personal data, with the answer. */
export const DataComplaint = z
  .object({
    id: z.int(),
    channel: z.enum(COMPLAINT_CHANNELS),
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
  response: DataComplaint,
  status: 201,
  refusals: [complaintRefusals.too_many_complaints],
})

export const listOwnDataComplaints = endpoint('GET /api/user/data-complaints', {
  who: 'member',
  summary: "The member's complaints about their data, with the answers, newest first",
  response: z.array(DataComplaint),
})

export const listDataComplaints = endpoint('GET /api/admin/users/:id/data-complaints', {
  summary: "A member's complaints about their data, newest first",
  params: UserPathId,
  response: z.array(DataComplaint),
  refusals: [accountRefusals.user_not_found],
})

/** A complaint by a person without an account; at least one of `email` and `otherContact` is known. */
export const OutsideComplaint = DataComplaint.extend({
  name: z.string(),
  email: z.string().nullable(),
  /** A phone number, a postal address or a name on a social network. */
  otherContact: z.string().nullable(),
}).meta({ id: 'OutsideComplaint' })
export type OutsideComplaint = z.output<typeof OutsideComplaint>

export const OutsideComplaintForm = z.object({
  name: personName('Please enter your name'),
  email: emailAddress('Please enter a valid email address'),
  complaint: requiredText('Please say what it is about', 5000),
})
export type OutsideComplaintForm = z.output<typeof OutsideComplaintForm>

export const makeOutsideComplaint = endpoint('POST /api/data-complaints', {
  who: 'anyone',
  summary: 'Complain about how the studio handles your data, without an account; acknowledged by email at once',
  body: OutsideComplaintForm,
  response: Message,
  status: 201,
  refusals: [commonRefusals.too_many_requests],
})

export const listOutsideComplaints = endpoint('GET /api/admin/data-complaints', {
  summary: 'Complaints about data by people without an account: open ones first, then the newest',
  response: z.array(OutsideComplaint),
})

/** A complaint that reached the studio outside this site. */
const Received = {
  channel: z.enum(COMPLAINT_CHANNELS, 'Please choose how it reached you').exclude(['account', 'website']),
  receivedOn: DateText('Please choose the day it reached you'),
  complaint: requiredText('Please enter what it is about', 5000),
}

export const MemberComplaintForm = z.object(Received)
export type MemberComplaintForm = z.output<typeof MemberComplaintForm>

export const recordMemberComplaint = endpoint('POST /api/admin/users/:id/data-complaints', {
  summary: 'Record a complaint about data that a member made by phone, letter or in another way; acknowledged by email',
  params: UserPathId,
  body: MemberComplaintForm,
  response: DataComplaint,
  status: 201,
  refusals: [accountRefusals.user_not_found, complaintRefusals.complaint_not_received_yet],
})

export const RecordedComplaintForm = z
  .object({
    name: personName('Please enter their name'),
    email: z.union([z.literal(''), emailAddress('Please enter a valid email address')]),
    otherContact: z.string('Enter text.').overwrite(cleanLine).trim().max(500, 'Please use at most 500 characters'),
    ...Received,
  })
  .refine(({ email, otherContact }) => email !== '' || otherContact !== '', {
    error: 'Please enter an email address or another way to answer them',
    path: ['otherContact'],
  })
export type RecordedComplaintForm = z.output<typeof RecordedComplaintForm>

export const recordOutsideComplaint = endpoint('POST /api/admin/data-complaints', {
  summary: 'Record a complaint about data by a person without an account; acknowledged if an email address is known',
  body: RecordedComplaintForm,
  response: OutsideComplaint,
  status: 201,
  refusals: [complaintRefusals.complaint_not_received_yet],
})

export const ComplaintAnswerForm = z.object({ answer: requiredText('Please write what you found and did', 5000) })
export type ComplaintAnswerForm = z.output<typeof ComplaintAnswerForm>

export const answerDataComplaint = endpoint('POST /api/admin/data-complaints/:id/answer', {
  summary: 'Answer a complaint about data: emails the answer, if an address is known, and closes the complaint',
  params: PathId,
  body: ComplaintAnswerForm,
  response: DataComplaint,
  refusals: [complaintRefusals.complaint_not_found, complaintRefusals.complaint_already_answered],
})
