import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import {
  emailAddress,
  IfUpdatedAt,
  InstantText,
  Message,
  PathId,
  phoneNumber,
  requiredName,
  requiredText,
  UserPathId,
} from '#foundation/fields.ts'
import { personName } from '#foundation/person-names.ts'
import { commonRefusals, refusals } from '#foundation/refusal.ts'
import { PASSWORD_MINIMUM } from './rules.ts'

const PASSWORD_MAXIMUM = 1000
export const passwordText = z
  .string('Password must be at least 6 characters')
  .min(PASSWORD_MINIMUM, 'Password must be at least 6 characters')
  .max(PASSWORD_MAXIMUM, 'Please use a shorter password')

export const accountRefusals = refusals({
  invalid_credentials: [401, 'Invalid username or password'],
  email_not_verified: [401, 'Please check your email to verify your account before logging in.'],
  email_taken: [400, 'An account with this email address already exists.'],
  username_taken: [400, 'This username is already taken.'],
  already_invited: [
    400,
    'The studio has an account for this address already. We have sent you an email with a link to set your password.',
  ],
  password_already_set: [400, 'They have a password already, so there is nothing to invite them to.'],
  common_password: [
    400,
    'This is one of the passwords that everybody tries first. Please choose another, such as three words that only you put together.',
  ],
  link_expired: [400, 'This link is no longer valid. Please ask for a new one.'],
  verification_expired: [
    400,
    'This link has been used already, or is out of date. Please log in: if your address is still waiting to be confirmed, you can ask for a new link there.',
  ],
  user_not_found: [404, 'User not found.'],
  account_blocked: [
    403,
    'Your account is on hold: nothing can be booked or bought with it. Please contact the studio.',
  ],
  cannot_block_admin: [400, 'An admin cannot be blocked. Take the admin rights away first.'],
  cannot_promote_blocked_member: [400, 'A blocked member cannot become an admin. Unblock them first.'],
  cannot_demote_self: [400, 'You cannot remove your own admin rights.'],
  cannot_delete_self: [400, 'You cannot delete your own account here.'],
  note_not_found: [404, 'This note no longer exists.'],
  last_admin: [400, 'The studio needs at least one admin.'],
})

export const User = z
  .object({
    id: z.string(),
    username: z.string(),
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    /** As it was given; null: none is known. */
    phone: z.string().nullable(),
    isAdmin: z.boolean(),
    createdAt: InstantText,
  })
  .meta({ id: 'User' })
export type User = z.output<typeof User>

/** Who is signed in, as far as this session goes. */
export const CurrentUser = User.extend({
  /**
   * An admin whose session has not shown a second step, on a site that asks for one: until then they are a member. They have
   * none yet (`set_up`), or have to `take` it.
   */
  secondStep: z.enum(['set_up', 'take']).optional(),
}).meta({ id: 'CurrentUser' })
export type CurrentUser = z.output<typeof CurrentUser>

export const getCurrentUser = endpoint('GET /api/auth/user', {
  who: 'member',
  summary: 'The signed-in user',
  reply: CurrentUser,
})

export const LoginForm = z.object({
  username: requiredName('Username is required'),
  password: passwordText,
})
export const login = endpoint('POST /api/login', {
  who: 'anyone',
  summary: 'Log in with a username or an email address (case does not matter)',
  body: LoginForm,
  /** The password was right, and an admin's second step comes next: there is no session yet. */
  reply: z.union([CurrentUser, z.object({ secondFactorRequired: z.literal(true) })]),
  refusals: [accountRefusals.invalid_credentials, accountRefusals.email_not_verified, commonRefusals.too_many_requests],
})

const USERNAME_SHORT = 'Username must be at least 3 characters'
const username = z.string(USERNAME_SHORT).trim().min(3, USERNAME_SHORT).max(255, 'Please use at most 255 characters')
const registration = {
  email: emailAddress('Invalid email address'),
  firstName: personName('First name is required'),
  lastName: personName('Last name is required'),
  password: passwordText,
}
/** Empty: none. */
const phone = phoneNumber
export const confirmPassword = z
  .string('Please confirm your password')
  .min(PASSWORD_MINIMUM, 'Please confirm your password')
export const PASSWORDS_DIFFER = { path: ['confirmPassword'], message: "Passwords don't match" }
/** What the sign-up form checks; `confirmPassword` stays in the browser. */
export const RegisterForm = z
  .object({ ...registration, phone: phone.default(''), confirmPassword })
  .refine((form) => form.password === form.confirmPassword, PASSWORDS_DIFFER)
export const register = endpoint('POST /api/register', {
  who: 'anyone',
  summary: 'Sign up; without email verification the new member is logged in at once',
  body: z.object({
    ...registration,
    /** Without one (absent, null or empty) the email address is the username. */
    username: z
      .string(USERNAME_SHORT)
      .max(255, 'Please use at most 255 characters')
      .refine((name) => name === '' || name.trim().length >= 3, USERNAME_SHORT)
      .trim()
      .nullish(),
    phone: phone.nullish(),
  }),
  reply: z.object({ user: User.optional(), emailVerificationRequired: z.boolean() }),
  status: 201,
  refusals: [
    accountRefusals.email_taken,
    accountRefusals.username_taken,
    accountRefusals.already_invited,
    accountRefusals.common_password,
    commonRefusals.too_many_requests,
  ],
})

/** What the edit form checks; what is empty is left out of what it sends, but for the phone number. */
export const EditUserForm = z.object({
  username,
  email: emailAddress('Invalid email address'),
  firstName: personName('First name is required'),
  lastName: personName('Last name is required'),
  phone,
  isAdmin: z.boolean(),
})
export type EditUserForm = z.output<typeof EditUserForm>

export const editUser = endpoint('PUT /api/admin/users/:id', {
  who: 'admin',
  summary: 'Edit a user; only what is sent changes',
  params: UserPathId,
  body: z.object({
    username: username.nullish(),
    email: emailAddress('Invalid email address').nullish(),
    firstName: personName('First name is required').nullish(),
    lastName: personName('Last name is required').nullish(),
    /** Empty: none from now on. */
    phone: phone.nullish(),
    isAdmin: z.boolean('Please send true or false').nullish(),
    ifUpdatedAt: IfUpdatedAt,
  }),
  reply: User,
  refusals: [
    accountRefusals.user_not_found,
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

/** Plain text, so not for health: that belongs into the sealed questionnaire. */
export const NoteForm = z.object({ text: requiredText('Please write a note', 2000) })
export const addNote = endpoint('POST /api/admin/users/:id/notes', {
  who: 'admin',
  summary: "Add the studio's note on a member; it is erased with them",
  params: UserPathId,
  body: NoteForm,
  reply: MemberNote,
  status: 201,
  refusals: [accountRefusals.user_not_found],
})
export const deleteNote = endpoint('DELETE /api/admin/user-notes/:id', {
  who: 'admin',
  summary: 'Delete a note on a member',
  params: PathId,
  reply: Message,
  refusals: [accountRefusals.note_not_found],
})

export const mailedToken = z.string().min(1).max(200)
export const verifyEmail = endpoint('POST /api/verify-email', {
  who: 'anyone',
  summary: 'Confirm an address with the token of a mailed link',
  body: z.object({ token: mailedToken }),
  reply: Message,
  refusals: [accountRefusals.verification_expired],
})

export const resendVerification = endpoint('POST /api/verify-email/resend', {
  who: 'anyone',
  summary: 'Mail the link that confirms an address once more; answers the same for unknown and confirmed accounts',
  body: z.object({ username: requiredName('Username is required') }),
  reply: Message,
  refusals: [commonRefusals.too_many_requests],
})

export const PasswordResetForm = z.object({ email: emailAddress('Invalid email address') })
export const requestPasswordReset = endpoint('POST /api/password-reset', {
  who: 'anyone',
  summary: 'Mail a link to set a new password; answers the same for unknown addresses',
  body: PasswordResetForm,
  reply: Message,
  refusals: [commonRefusals.too_many_requests],
})

/** What the form behind a mailed link checks; `confirmPassword` stays in the browser. */
export const NewPasswordForm = z
  .object({ password: passwordText, confirmPassword })
  .refine((form) => form.password === form.confirmPassword, PASSWORDS_DIFFER)
export const setPassword = endpoint('POST /api/password-reset/confirm', {
  who: 'anyone',
  summary:
    'Set a new password with a mailed link, of an invitation or a reset; every session of the user ends and a new one begins, and a member’s passkeys are removed',
  body: z.object({ token: mailedToken, password: passwordText }),
  reply: User.extend({
    /** How many passkeys were removed (a member's), and how many still sign in (an admin's). */
    passkeys: z.object({ removed: z.int(), kept: z.int() }),
  }),
  refusals: [accountRefusals.link_expired, accountRefusals.common_password],
})
