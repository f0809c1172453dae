import { z } from 'zod'
import { cleanLogin } from '#foundation/clean-text.ts'
import { endpoint } from '#foundation/endpoint.ts'
import {
  emailAddress,
  Flag,
  IfUpdatedAt,
  InstantText,
  Message,
  PathId,
  phoneNumber,
  requiredText,
  UserPathId,
} from '#foundation/fields.ts'
import { optionalPersonName, personName } from '#foundation/person-names.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { accountRefusals } from './refusals.ts'
import { isLongEnough, ROLES } from './rules.ts'

const PASSWORD_MAXIMUM = 1000
const PASSWORD_SHORT = 'Password must be at least 6 characters'
export const passwordText = z
  .string(PASSWORD_SHORT)
  .refine(isLongEnough, PASSWORD_SHORT)
  .max(PASSWORD_MAXIMUM, 'Please use a shorter password')

export { accountRefusals }

export const User = z
  .object({
    id: z.string(),
    /** Both null for members who have only a phone number. */
    username: z.string().nullable(),
    email: z.string().nullable(),
    firstName: z.string(),
    lastName: z.string(),
    phone: z.string().nullable(),
    /** The account's role, even while a second step is missing (`isAdmin` is false then). */
    role: z.enum(ROLES),
    isAdmin: z.boolean(),
    createdAt: InstantText,
  })
  .meta({ id: 'User' })
export type User = z.output<typeof User>

/** A user who can sign in, so they have an email address. */
export const Account = User.extend({ username: z.string(), email: z.string() }).meta({ id: 'Account' })
export type Account = z.output<typeof Account>

export const CurrentUser = Account.extend({
  /** For an admin or a teacher without the required second step in this session: a member until they take it. */
  secondStep: z.enum(['set_up', 'take']).optional(),
}).meta({ id: 'CurrentUser' })
export type CurrentUser = z.output<typeof CurrentUser>

export const getCurrentUser = endpoint('GET /api/auth/user', {
  who: 'member',
  summary: 'The signed-in user',
  response: CurrentUser,
})

/** A username or an email address, as typed. */
const loginName = z
  .string('Username is required')
  .overwrite(cleanLogin)
  .min(1, 'Username is required')
  .max(255, 'Please use at most 255 characters')
export const LoginForm = z.object({
  username: loginName,
  password: passwordText,
})
export const login = endpoint('POST /api/login', {
  who: 'anyone',
  summary: 'Log in with a username or an email address (case does not matter)',
  body: LoginForm,
  /** `secondFactorRequired`: the password is correct, but there is no session before the second step. */
  response: z.union([CurrentUser, z.object({ secondFactorRequired: z.literal(true) })]),
  refusals: [accountRefusals.invalid_credentials, accountRefusals.email_not_verified, commonRefusals.too_many_requests],
})

const USERNAME_SHORT = 'Username must be at least 3 characters'
const username = z
  .string(USERNAME_SHORT)
  .overwrite(cleanLogin)
  .min(3, USERNAME_SHORT)
  .max(255, 'Please use at most 255 characters')
const registration = {
  email: emailAddress('Invalid email address'),
  firstName: personName('First name is required'),
  lastName: personName('Last name is required'),
  password: passwordText,
}
const phone = phoneNumber
export const confirmPassword = z
  .string('Please confirm your password')
  .refine(isLongEnough, 'Please confirm your password')
export const PASSWORDS_DIFFER = { path: ['confirmPassword'], message: "Passwords don't match" }
/** `confirmPassword` is not sent. */
export const RegisterForm = z
  .object({ ...registration, phone: phone.default(''), confirmPassword })
  .refine((form) => form.password === form.confirmPassword, PASSWORDS_DIFFER)
export const register = endpoint('POST /api/register', {
  who: 'anyone',
  summary: 'Sign up; logs in immediately if email verification is off',
  body: z.object({
    ...registration,
    /** Defaults to the email address. */
    username: z
      .string(USERNAME_SHORT)
      .refine((typed) => typed === '' || cleanLogin(typed).length >= 3, USERNAME_SHORT)
      .overwrite(cleanLogin)
      .max(255, 'Please use at most 255 characters')
      .nullish(),
    phone: phone.nullish(),
  }),
  response: z.object({ user: Account.optional(), emailVerificationRequired: z.boolean() }),
  status: 201,
  refusals: [
    accountRefusals.email_taken,
    accountRefusals.username_taken,
    accountRefusals.already_invited,
    accountRefusals.common_password,
    commonRefusals.too_many_requests,
  ],
})

const Role = z.enum(ROLES, 'Please choose member, teacher or admin')
/** Empty fields are not sent, except the phone number and whom a teacher teaches as. */
export const EditUserForm = z.object({
  username,
  email: emailAddress('Invalid email address'),
  firstName: personName('First name is required'),
  lastName: personName('Last name is required'),
  phone,
  role: Role,
  /** Of a teacher: their name in the studio settings; empty for all classes. */
  teachesAs: optionalPersonName,
})
export type EditUserForm = z.output<typeof EditUserForm>

const EditOneNameForm = EditUserForm.extend({ lastName: optionalPersonName })

/**
 * The form for a user: an imported member may have no last name, and a member by phone has no email address; giving one
 * sends them an invitation.
 */
export function editUserFormFor(user: { email: string | null; lastName: string }) {
  const form = user.lastName === '' ? EditOneNameForm : EditUserForm
  if (user.email !== null) return form
  return form
    .extend({ username: z.literal('').or(username), email: z.literal('').or(emailAddress('Invalid email address')) })
    .refine(({ email, phone: number }) => email !== '' || number !== '', {
      path: ['phone'],
      message: 'A member without an email address needs a phone number.',
    })
}

/** What an admin can change, and what the audit log records of it. An empty text removes what may be absent. */
export const EDITABLE = {
  username: username.nullish(),
  email: emailAddress('Invalid email address').nullish(),
  firstName: personName('First name is required').nullish(),
  lastName: personName('Last name is required').nullish(),
  phone: phone.nullish(),
}

export const editUser = endpoint('PUT /api/admin/users/:id', {
  summary: 'Edit a user; only fields that are sent change',
  params: UserPathId,
  body: z.object({
    ...EDITABLE,
    /** Takes precedence over `isAdmin`. */
    role: Role.nullish(),
    isAdmin: Flag.nullish(),
    /** Of a teacher: the name in the studio settings whose classes are theirs; empty for all classes. */
    teachesAs: optionalPersonName.nullish(),
    ifUpdatedAt: IfUpdatedAt,
  }),
  response: User,
  refusals: [
    accountRefusals.user_not_found,
    accountRefusals.email_needed,
    accountRefusals.phone_needed,
    accountRefusals.email_taken,
    accountRefusals.username_taken,
    accountRefusals.cannot_demote_self,
    accountRefusals.cannot_promote_blocked_member,
    accountRefusals.last_admin,
    commonRefusals.edit_conflict,
  ],
})

export const MemberNote = z
  .object({ id: z.int(), text: z.string(), author: z.string().nullable(), writtenAt: InstantText })
  .meta({ id: 'MemberNote' })
export type MemberNote = z.output<typeof MemberNote>

/** Plain text: never for health information, which must be encrypted. */
export const NoteForm = z.object({ text: requiredText('Please write a note', 2000) })
export const addNote = endpoint('POST /api/admin/users/:id/notes', {
  summary: 'Add a note on a member; it is erased with them',
  params: UserPathId,
  body: NoteForm,
  response: MemberNote,
  status: 201,
  refusals: [accountRefusals.user_not_found],
})
export const deleteNote = endpoint('DELETE /api/admin/user-notes/:id', {
  summary: 'Delete a note on a member',
  params: PathId,
  says: 'Note deleted',
  refusals: [accountRefusals.note_not_found],
})

export const mailedToken = z.string().min(1).max(200)
export const verifyEmail = endpoint('POST /api/verify-email', {
  who: 'anyone',
  summary: 'Confirm an address with the token of an emailed link',
  body: z.object({ token: mailedToken }),
  says: 'Your email address is confirmed.',
  refusals: [accountRefusals.verification_expired],
})

export const resendVerification = endpoint('POST /api/verify-email/resend', {
  who: 'anyone',
  summary: 'Email a new link to confirm an address; the response is the same for unknown and confirmed accounts',
  body: z.object({ username: loginName }),
  response: Message,
  refusals: [commonRefusals.too_many_requests],
})

export const PasswordResetForm = z.object({ email: emailAddress('Invalid email address') })
export const requestPasswordReset = endpoint('POST /api/password-reset', {
  who: 'anyone',
  summary: 'Email a link to set a new password; the response is the same for unknown addresses',
  body: PasswordResetForm,
  response: Message,
  refusals: [commonRefusals.too_many_requests],
})

/** `confirmPassword` is not sent. */
export const NewPasswordForm = z
  .object({ password: passwordText, confirmPassword })
  .refine((form) => form.password === form.confirmPassword, PASSWORDS_DIFFER)
export const setPassword = endpoint('POST /api/password-reset/confirm', {
  who: 'anyone',
  summary:
    'Set a new password with an emailed link: ends every session, starts a new one, and removes a member’s passkeys',
  body: z.object({ token: mailedToken, password: passwordText }),
  response: Account.extend({
    passkeys: z.object({ removed: z.int(), kept: z.int() }),
  }),
  refusals: [accountRefusals.link_expired, accountRefusals.common_password],
})
