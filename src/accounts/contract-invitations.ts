import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { emailAddress, Message, phoneNumber, UserPathId } from '#foundation/fields.ts'
import { personName } from '#foundation/person-names.ts'
import { accountRefusals, User } from './contract.ts'

const EMAIL_NEEDED = 'Please enter an email address'

/** What the form for somebody new checks. */
export const AddMemberForm = z.object({
  firstName: personName('First name is required'),
  lastName: personName('Last name is required'),
  email: z.string(EMAIL_NEEDED).trim().min(1, EMAIL_NEEDED).pipe(emailAddress('Invalid email address')),
  phone: phoneNumber,
})
export type AddMemberForm = z.output<typeof AddMemberForm>

export const addMember = endpoint('POST /api/admin/users', {
  who: 'admin',
  summary: 'Add a member, who is mailed an invitation to set a password; nobody is signed in or out',
  body: AddMemberForm.extend({ phone: phoneNumber.nullish() }),
  reply: User,
  status: 201,
  takesKey: true,
  refusals: [accountRefusals.email_taken, accountRefusals.username_taken],
})

export const countUninvited = endpoint('GET /api/admin/invitations', {
  who: 'admin',
  summary: 'How many members were never invited to set a password',
  reply: z.object({ waiting: z.int() }),
})

export const sendInvitations = endpoint('POST /api/admin/invitations', {
  who: 'admin',
  summary: 'Mail an invitation to every member who has never had one, at most 5,000 at once',
  reply: z.object({ sent: z.int(), waiting: z.int() }),
  takesKey: true,
})

export const sendInvitation = endpoint('POST /api/admin/users/:id/invitation', {
  who: 'admin',
  summary: 'Mail a member who has no password yet an invitation to set one, for the first time or again',
  params: UserPathId,
  reply: Message,
  takesKey: true,
  refusals: [accountRefusals.user_not_found, accountRefusals.password_already_set],
})
