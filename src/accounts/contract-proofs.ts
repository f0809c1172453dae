import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { accountRefusals, CurrentUser } from './contract.ts'
import { code, factorRefusals, PasskeyOptions, PasskeyResponse } from './contract-factors.ts'

const password = z.string().min(1, 'Enter your password.').max(1000, 'This password is wrong.')

/** How the user can prove who they are; `passkey` is null if they have none. */
export const ProofOptions = z
  .object({ password: z.boolean(), codes: z.boolean(), passkey: PasskeyOptions.nullable() })
  .meta({ id: 'ProofOptions' })
export type ProofOptions = z.output<typeof ProofOptions>

export const beginSecondStep = endpoint('POST /api/login/second-step/options', {
  isPrivate: true,
  who: 'anyone',
  summary: 'The options for the second step after a correct password; valid for five minutes, identified by a cookie',
  response: ProofOptions,
  refusals: [factorRefusals.sign_in_expired],
})

export const completeSecondStep = endpoint('POST /api/login/second-step', {
  who: 'anyone',
  summary: 'Complete a sign-in with a passkey, a code of the authenticator app or a recovery code',
  body: z.object({ code: code.nullish(), passkey: PasskeyResponse.nullish() }),
  response: CurrentUser,
  refusals: [
    factorRefusals.sign_in_expired,
    factorRefusals.invalid_code,
    factorRefusals.passkey_challenge_expired,
    factorRefusals.passkey_rejected,
    commonRefusals.too_many_requests,
  ],
})

export const beginPasskeySignIn = endpoint('POST /api/login/passkey/options', {
  isPrivate: true,
  who: 'anyone',
  summary: 'The options to sign in with any passkey',
  response: PasskeyOptions,
  refusals: [factorRefusals.passkeys_unavailable, commonRefusals.too_many_requests],
})

export const signInWithPasskey = endpoint('POST /api/login/passkey', {
  who: 'anyone',
  summary: 'Log in with a passkey alone',
  body: z.object({ passkey: PasskeyResponse }),
  response: CurrentUser,
  refusals: [
    factorRefusals.passkey_challenge_expired,
    factorRefusals.passkey_rejected,
    accountRefusals.email_not_verified,
  ],
})

export const beginStepUp = endpoint('POST /api/user/confirm/options', {
  isPrivate: true,
  who: 'member',
  summary: 'The options for a step-up of the signed-in user',
  response: ProofOptions,
})

export const completeStepUp = endpoint('POST /api/user/confirm', {
  who: 'member',
  summary:
    'Complete a step-up with a passkey or a code, or with the password for members and for admins who have neither',
  body: z.object({ password: password.nullish(), code: code.nullish(), passkey: PasskeyResponse.nullish() }),
  response: CurrentUser,
  refusals: [
    factorRefusals.invalid_code,
    factorRefusals.password_incorrect,
    factorRefusals.password_not_sufficient,
    factorRefusals.passkey_challenge_expired,
    factorRefusals.passkey_rejected,
    commonRefusals.too_many_requests,
  ],
})
