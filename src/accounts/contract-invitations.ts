import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { emailAddress, phoneNumber, UserPathId } from '#foundation/fields.ts'
import { personName } from '#foundation/person-names.ts'
import { accountRefusals, User } from './contract.ts'

const EMAIL_NEEDED = 'Please enter an email address'

export const AddMemberForm = z.object({
  firstName: personName('First name is required'),
  lastName: personName('Last name is required'),
  email: z.string(EMAIL_NEEDED).trim().min(1, EMAIL_NEEDED).pipe(emailAddress('Invalid email address')),
  phone: phoneNumber,
})
export type AddMemberForm = z.output<typeof AddMemberForm>

/** For a member whom the studio calls instead; no address is sent. */
export const AddMemberByPhoneForm = AddMemberForm.extend({
  email: z.string(),
  phone: phoneNumber.refine((number) => number !== '', 'Please enter a phone number'),
})

export const addMember = endpoint('POST /api/admin/users', {
  summary:
    'Add a member and email them an invitation to set a password; without an email address a phone number is required',
  body: AddMemberForm.extend({
    email: z.literal('').or(AddMemberForm.shape.email).nullish(),
    phone: phoneNumber.nullish(),
  }).refine(({ email, phone }) => email || phone, { path: ['email'], message: EMAIL_NEEDED }),
  response: User,
  status: 201,
  refusals: [accountRefusals.email_taken, accountRefusals.username_taken],
})

export const countUninvited = endpoint('GET /api/admin/invitations', {
  summary: 'How many members have never been invited to set a password',
  response: z.object({ waiting: z.int() }),
})

export const sendInvitations = endpoint('POST /api/admin/invitations', {
  summary: 'Email an invitation to members who have never had one, at most 5,000 at once',
  response: z.object({ sent: z.int(), waiting: z.int() }),
})

export const sendInvitation = endpoint('POST /api/admin/users/:id/invitation', {
  summary: 'Email an invitation to a member who has no password yet; may be repeated',
  params: UserPathId,
  says: 'Invitation sent',
  refusals: [accountRefusals.user_not_found, accountRefusals.password_already_set, accountRefusals.email_needed],
})
