import { z } from 'zod'
import { cleanLine } from '#foundation/clean-text.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { InstantText, PathId, requiredName } from '#foundation/fields.ts'
import { commonRefusals, refusals } from '#foundation/refusal.ts'
import { CurrentUser } from './contract.ts'
import { FACTOR_STEP_UP_AFTER_MINUTES } from './rules.ts'

export const factorRefusals = refusals({
  sign_in_expired: [400, 'This took too long. Please log in again.'],
  invalid_code: [400, 'This code is wrong or has already been used.'],
  password_incorrect: [400, 'This password is wrong.'],
  password_not_sufficient: [400, 'Use your passkey or a code. Your password alone is not enough here.'],
  passkey_challenge_expired: [400, 'This took too long. Please try again.'],
  passkey_rejected: [400, 'This passkey does not open this account, or was removed from it.'],
  passkey_already_registered: [400, 'This passkey has already been added.'],
  passkeys_unavailable: [400, 'Passkeys only work at the site’s own address, over HTTPS.'],
  too_many_passkeys: [400, 'You can have up to ten passkeys. Remove one first.'],
  setup_expired: [400, 'This took too long. Please start again.'],
  passkey_not_found: [404, 'This passkey no longer exists.'],
  authenticator_not_found: [404, 'You do not have an authenticator app to remove.'],
  last_second_factor: [400, 'This is your only second step. Add another one first.'],
})

/** The JSON serialisation of W3C Web Authentication. */
const encoded = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[\w-]*$/)
const credential = {
  id: encoded(2000).min(1),
  rawId: encoded(2000),
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(40).nullish(),
}
export const PasskeyResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded(10_000),
    authenticatorData: encoded(10_000),
    signature: encoded(10_000),
    userHandle: encoded(200).nullish(),
  }),
})
export type PasskeyResponse = z.output<typeof PasskeyResponse>
export const NewPasskeyResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded(10_000),
    attestationObject: encoded(50_000),
    transports: z.array(z.string().max(40)).max(20).nullish(),
  }),
})
export type NewPasskeyResponse = z.output<typeof NewPasskeyResponse>

/** Passed to `navigator.credentials` unchanged. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() })

export const code = z.string().overwrite(cleanLine).trim().min(1, 'Enter a code.').max(100, 'This code is wrong.')
const label = requiredName('Enter a name for the passkey.', 60)

export const Passkey = z
  .object({
    id: z.int(),
    label: z.string(),
    /** Synchronised between the owner's devices. */
    isSynced: z.boolean(),
    createdAt: InstantText,
    lastUsedAt: InstantText.nullable(),
  })
  .meta({ id: 'Passkey' })
export type Passkey = z.output<typeof Passkey>

export const Factors = z
  .object({
    passkeys: z.array(Passkey),
    app: z.object({ createdAt: InstantText, lastUsedAt: InstantText.nullable() }).nullable(),
    /** How many are left. */
    recoveryCodes: z.int(),
    /** Whether this admin must have a second step. */
    isRequired: z.boolean(),
    /** Only admins may use codes. */
    mayUseCodes: z.boolean(),
    /** The origin at which passkeys work; null if they do not work on this site. */
    passkeysAt: z.string().nullable(),
  })
  .meta({ id: 'Factors' })
export type Factors = z.output<typeof Factors>

export const getFactors = endpoint('GET /api/user/factors', {
  who: 'member',
  summary: 'The passkeys, authenticator app and number of recovery codes of the signed-in user',
  response: Factors,
})

/** New recovery codes, which are shown only once; null if none were made. */
const NewCodes = z.object({ recoveryCodes: z.array(z.string()).nullable() })
const stepUpAfterMinutes = FACTOR_STEP_UP_AFTER_MINUTES

export const beginPasskey = endpoint('POST /api/user/passkeys/options', {
  isPrivate: true,
  who: 'member',
  summary: 'The options to create a passkey',
  stepUpAfterMinutes,
  response: PasskeyOptions,
  refusals: [factorRefusals.passkeys_unavailable, factorRefusals.too_many_passkeys],
})

export const addPasskey = endpoint('POST /api/user/passkeys', {
  who: 'member',
  summary: 'Add a passkey; an admin’s first second step returns recovery codes',
  stepUpAfterMinutes,
  body: z.object({ passkey: NewPasskeyResponse, label: label.nullish() }),
  response: NewCodes.extend({ passkey: Passkey, user: CurrentUser }),
  status: 201,
  refusals: [
    factorRefusals.passkey_challenge_expired,
    factorRefusals.passkey_rejected,
    factorRefusals.passkey_already_registered,
    factorRefusals.too_many_passkeys,
    factorRefusals.passkeys_unavailable,
  ],
})

export const RenameForm = z.object({ label })
export const renamePasskey = endpoint('PUT /api/user/passkeys/:id', {
  who: 'member',
  summary: 'Rename a passkey',
  params: PathId,
  body: RenameForm,
  response: Passkey,
  refusals: [factorRefusals.passkey_not_found],
})

export const removePasskey = endpoint('DELETE /api/user/passkeys/:id', {
  who: 'member',
  summary: 'Remove a passkey',
  stepUpAfterMinutes,
  params: PathId,
  says: 'Passkey removed',
  refusals: [factorRefusals.passkey_not_found, factorRefusals.last_second_factor],
})

export const beginApp = endpoint('POST /api/user/authenticator/options', {
  who: 'member',
  summary: 'A new secret for an authenticator app; nothing changes until a code is sent',
  stepUpAfterMinutes,
  response: z.object({
    /** Base32, to type in. */
    secret: z.string(),
    /** `otpauth://…`, to scan or tap. */
    uri: z.string(),
    /** Send this back with the first code. */
    setUp: z.string(),
  }),
})

export const addApp = endpoint('PUT /api/user/authenticator', {
  who: 'member',
  summary: 'Add or replace the authenticator app after a correct code',
  stepUpAfterMinutes,
  body: z.object({ setUp: z.string().min(1).max(1000), code }),
  response: NewCodes.extend({ user: CurrentUser }),
  refusals: [factorRefusals.setup_expired, factorRefusals.invalid_code, commonRefusals.too_many_requests],
})

export const removeApp = endpoint('DELETE /api/user/authenticator', {
  who: 'member',
  summary: 'Remove the authenticator app',
  stepUpAfterMinutes,
  says: 'Authenticator app removed',
  refusals: [factorRefusals.authenticator_not_found, factorRefusals.last_second_factor],
})

export const renewRecoveryCodes = endpoint('POST /api/user/recovery-codes', {
  isPrivate: true,
  who: 'member',
  summary: 'Replace the recovery codes',
  stepUpAfterMinutes,
  response: z.object({ recoveryCodes: z.array(z.string()) }),
})
