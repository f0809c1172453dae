import { z } from 'zod'
import { endpoint } from '../foundation/endpoint.ts'
import { emailAddress, Message, phoneNumber, requiredName, UserPathId } from '../foundation/fields.ts'
import { accountRefusals, User } from './contract.ts'

/** What the form for somebody new checks. */
export const AddMemberForm = z.object({
  firstName: requiredName('First name is required'),
  lastName: requiredName('Last name is required'),
  email: emailAddress('Invalid email address'),
  phone: phoneNumber,
})
export type AddMemberForm = z.output<typeof AddMemberForm>

export const addMember = endpoint({
  who: 'admin',
  method: 'POST',
  path: '/api/admin/users',
  summary: 'Add a member, who is mailed an invitation to set a password; nobody is signed in or out',
  body: AddMemberForm.extend({ phone: phoneNumber.nullish() }),
  reply: User,
  status: 201,
  takesKey: true,
  refusals: [accountRefusals.email_taken, accountRefusals.username_taken],
})

export const sendInvitation = endpoint({
  who: 'admin',
  method: 'POST',
  path: '/api/admin/users/:id/invitation',
  summary: 'Mail a member who has no password yet an invitation to set one, for the first time or again',
  params: UserPathId,
  reply: Message,
  takesKey: true,
  refusals: [accountRefusals.user_not_found, accountRefusals.password_set],
})
