import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { InstantText, Message } from '#foundation/fields.ts'
import { commonRefusals, refusals } from '#foundation/refusal.ts'
import { accountRefusals, confirmPassword, mailedToken, PASSWORDS_DIFFER, passwordText } from './contract.ts'
import { ASKED_AGAIN_AFTER_MINUTES } from './rules.ts'
import { SESSION_METHODS } from './session-rules.ts'

export const sessionRefusals = refusals({
  session_not_found: [404, 'This session has ended already.'],
  undo_expired: [400, 'This link is no longer valid. Please contact the studio.'],
  current_password_incorrect: [400, 'This is not your current password.'],
})

/** A browser that somebody is signed in with. */
export const UserSession = z
  .object({
    id: z.uuid(),
    /** In words, as the browser says; null: unknown. */
    browser: z.string().nullable(),
    system: z.string().nullable(),
    method: z.enum(SESSION_METHODS),
    beganAt: InstantText,
    /** To within five minutes. */
    lastUsedAt: InstantText,
    /** When it ends if it is not used meanwhile. */
    endsAt: InstantText,
    /** The one that asks. */
    isCurrent: z.boolean(),
  })
  .meta({ id: 'UserSession' })
export type UserSession = z.output<typeof UserSession>

/** What is kept of a session, and of an address that was changed, as whoever they are of can download it. */
export const KeptSession = UserSession.omit({ endsAt: true, isCurrent: true })
export const KeptAddress = z.object({ email: z.string(), changedAt: InstantText, keptUntil: InstantText })

export const listSessions = endpoint('GET /api/user/sessions', {
  who: 'member',
  summary: 'Where somebody is signed in: this browser first, then the one used last',
  reply: z.array(UserSession),
})

export const endOneSession = endpoint('DELETE /api/user/sessions/:id', {
  who: 'member',
  summary: 'Sign out one of the own browsers; the one that asks too',
  asksAgainAfterMinutes: ASKED_AGAIN_AFTER_MINUTES,
  params: z.object({ id: z.uuid() }),
  reply: Message,
  refusals: [sessionRefusals.session_not_found],
})

export const endSessions = endpoint('DELETE /api/user/sessions', {
  who: 'member',
  summary: 'Sign out everywhere else; with `all` here too',
  asksAgainAfterMinutes: ASKED_AGAIN_AFTER_MINUTES,
  query: z.object({ all: z.enum(['true', 'false'], 'Please send true or false').optional() }),
  reply: z.object({ message: z.string(), ended: z.int() }),
})

const currentPassword = z
  .string('Please enter your current password')
  .min(1, 'Please enter your current password')
  .max(1000, 'This is not your current password.')

/** What the form checks; `confirmPassword` stays in the browser. */
export const ChangePasswordForm = z
  .object({
    currentPassword,
    password: passwordText,
    confirmPassword,
  })
  .refine((form) => form.password === form.confirmPassword, PASSWORDS_DIFFER)

export const changePassword = endpoint('PUT /api/user/password', {
  who: 'member',
  summary: 'Change the own password, which ends every other session; this one goes on under a new token',
  body: z.object({ currentPassword, password: passwordText }),
  reply: Message,
  refusals: [
    sessionRefusals.current_password_incorrect,
    accountRefusals.common_password,
    commonRefusals.too_many_requests,
  ],
})

export const undoEmailChange = endpoint('POST /api/email-change/undo', {
  who: 'anyone',
  summary:
    'Bring an email address back with the link that was mailed to it; the password, what was added to the ways in since and every session end, and a link to set a password is mailed',
  body: z.object({ token: mailedToken }),
  reply: Message,
  refusals: [sessionRefusals.undo_expired, accountRefusals.email_taken, accountRefusals.username_taken],
})
