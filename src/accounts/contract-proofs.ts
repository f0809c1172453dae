import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { accountRefusals, CurrentUser } from './contract.ts'
import { code, factorRefusals, PasskeyAnswer, PasskeyQuestion } from './contract-factors.ts'

const password = z.string().min(1, 'Please enter your password').max(1000, 'This password is not right.')

/** How somebody can prove who they are, and what their passkeys are asked; null: they have none. */
export const WaysToProve = z
  .object({ password: z.boolean(), codes: z.boolean(), passkey: PasskeyQuestion.nullable() })
  .meta({ id: 'WaysToProve' })
export type WaysToProve = z.output<typeof WaysToProve>

export const beginSecondStep = endpoint('POST /api/login/second-step/options', {
  who: 'anyone',
  summary: 'What completes a sign-in whose password was right; known by a cookie, for five minutes',
  reply: WaysToProve,
  refusals: [factorRefusals.sign_in_expired],
})

export const completeSecondStep = endpoint('POST /api/login/second-step', {
  who: 'anyone',
  summary: 'Complete a sign-in with a passkey, a code of the authenticator app or a recovery code',
  body: z.object({ code: code.nullish(), passkey: PasskeyAnswer.nullish() }),
  reply: CurrentUser,
  refusals: [
    factorRefusals.sign_in_expired,
    factorRefusals.invalid_code,
    factorRefusals.passkey_challenge_expired,
    factorRefusals.passkey_rejected,
    commonRefusals.too_many_requests,
  ],
})

export const beginPasskeySignIn = endpoint('POST /api/login/passkey/options', {
  who: 'anyone',
  summary: 'What a passkey is asked to sign in with, whoever it belongs to',
  reply: PasskeyQuestion,
  refusals: [factorRefusals.passkeys_unavailable, commonRefusals.too_many_requests],
})

export const signInWithPasskey = endpoint('POST /api/login/passkey', {
  who: 'anyone',
  summary: 'Log in with a passkey alone',
  body: z.object({ passkey: PasskeyAnswer }),
  reply: CurrentUser,
  refusals: [
    factorRefusals.passkey_challenge_expired,
    factorRefusals.passkey_rejected,
    accountRefusals.email_not_verified,
  ],
})

export const beginConfirming = endpoint('POST /api/user/confirm/options', {
  who: 'member',
  summary: 'How the signed-in user can prove once more who they are',
  reply: WaysToProve,
})

export const confirmItIsMe = endpoint('POST /api/user/confirm', {
  who: 'member',
  summary:
    'Prove once more who is signed in (`stepUp`): a passkey or a code, the password for who has neither or is no admin',
  body: z.object({ password: password.nullish(), code: code.nullish(), passkey: PasskeyAnswer.nullish() }),
  reply: CurrentUser,
  refusals: [
    factorRefusals.invalid_code,
    factorRefusals.password_incorrect,
    factorRefusals.password_not_sufficient,
    factorRefusals.passkey_challenge_expired,
    factorRefusals.passkey_rejected,
    commonRefusals.too_many_requests,
  ],
})
