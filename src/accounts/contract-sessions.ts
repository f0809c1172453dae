import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { FlagText, InstantText, Message } from '#foundation/fields.ts'
import { commonRefusals, refusals } from '#foundation/refusal.ts'
import { accountRefusals, confirmPassword, mailedToken, PASSWORDS_DIFFER, passwordText } from './contract.ts'
import { STEP_UP_AFTER_MINUTES } from './rules.ts'
import { SESSION_METHODS } from './session-rules.ts'

export const sessionRefusals = refusals({
  session_not_found: [404, 'This session has already ended.'],
  undo_expired: [400, 'This link is no longer valid. Please contact the studio.'],
  current_password_incorrect: [400, 'This is not your current password.'],
})

/** A browser in which the user is signed in. */
export const UserSession = z
  .object({
    id: z.uuid(),
    browser: z.string().nullable(),
    system: z.string().nullable(),
    method: z.enum(SESSION_METHODS),
    beganAt: InstantText,
    /** Accurate to five minutes. */
    lastUsedAt: InstantText,
    /** When it ends without further use. */
    endsAt: InstantText,
    isCurrent: z.boolean(),
    /** Whether it shows notifications. */
    isNotified: z.boolean(),
  })
  .meta({ id: 'UserSession' })
export type UserSession = z.output<typeof UserSession>

/** For the user's data export. */
export const KeptSession = UserSession.omit({ endsAt: true, isCurrent: true, isNotified: true })
export const KeptAddress = z.object({ email: z.string(), changedAt: InstantText, keptUntil: InstantText })

export const listSessions = endpoint('GET /api/user/sessions', {
  who: 'member',
  summary: 'The browsers in which the user is signed in: this one first, then by last use',
  response: z.array(UserSession),
})

export const endOneSession = endpoint('DELETE /api/user/sessions/:id', {
  who: 'member',
  summary: 'Sign out one of your browsers, which may be this one',
  stepUpAfterMinutes: STEP_UP_AFTER_MINUTES,
  params: z.object({ id: z.uuid() }),
  says: 'Signed out there.',
  refusals: [sessionRefusals.session_not_found],
})

export const endSessions = endpoint('DELETE /api/user/sessions', {
  who: 'member',
  summary: 'Sign out everywhere else; with `all` also here',
  stepUpAfterMinutes: STEP_UP_AFTER_MINUTES,
  query: z.object({ all: FlagText('Enter true or false for all').optional() }),
  response: z.object({ message: z.string(), ended: z.int() }),
})

const currentPassword = z
  .string('Please enter your current password')
  .min(1, 'Please enter your current password')
  .max(1000, 'This is not your current password.')

/** `confirmPassword` is not sent. */
export const ChangePasswordForm = z
  .object({
    currentPassword,
    password: passwordText,
    confirmPassword,
  })
  .refine((form) => form.password === form.confirmPassword, PASSWORDS_DIFFER)

export const changePassword = endpoint('PUT /api/user/password', {
  who: 'member',
  summary: 'Change your password and end every other session; this one gets a new token',
  body: z.object({ currentPassword, password: passwordText }),
  response: Message,
  refusals: [
    sessionRefusals.current_password_incorrect,
    accountRefusals.common_password,
    commonRefusals.too_many_requests,
  ],
})

export const undoEmailChange = endpoint('POST /api/email-change/undo', {
  who: 'anyone',
  summary:
    'Restore an email address with the emailed link: removes the password, factors added since and every session, and emails a link to set a password',
  body: z.object({ token: mailedToken }),
  response: Message,
  refusals: [sessionRefusals.undo_expired, accountRefusals.email_taken, accountRefusals.username_taken],
})
