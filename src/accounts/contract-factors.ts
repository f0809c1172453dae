import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { InstantText, Message, PathId, requiredName } from '#foundation/fields.ts'
import { commonRefusals, refusals } from '#foundation/refusal.ts'
import { CurrentUser } from './contract.ts'
import { WAYS_IN_ASKED_AGAIN_AFTER_MINUTES } from './rules.ts'

export const factorRefusals = refusals({
  sign_in_expired: [400, 'This took too long. Please log in again.'],
  invalid_code: [400, 'This code is not right, or it has been used already.'],
  password_incorrect: [400, 'This password is not right.'],
  password_not_sufficient: [400, 'Please use your passkey or a code: the password alone is not enough here.'],
  passkey_challenge_expired: [400, 'This took too long. Please try again.'],
  passkey_rejected: [400, 'This passkey does not open this account, or was removed from it.'],
  passkey_already_registered: [400, 'This passkey is there already.'],
  passkeys_unavailable: [400, 'Passkeys need the site’s own address, over HTTPS.'],
  too_many_passkeys: [400, 'Ten passkeys are as many as there can be. Please remove one first.'],
  setup_expired: [400, 'This took too long. Please begin again.'],
  passkey_not_found: [404, 'This passkey is no longer there.'],
  authenticator_not_found: [404, 'There is no authenticator app to remove.'],
  last_second_factor: [400, 'This is your only second step. Add another one first.'],
})

/** What the authenticator's side of WebAuthn sends, in its own names (W3C Web Authentication, JSON serialisation). */
const encoded = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[\w-]*$/)
const credential = {
  id: encoded(2000).min(1),
  rawId: encoded(2000),
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(40).nullish(),
}
export const PasskeyAnswer = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded(10_000),
    authenticatorData: encoded(10_000),
    signature: encoded(10_000),
    userHandle: encoded(200).nullish(),
  }),
})
export type PasskeyAnswer = z.output<typeof PasskeyAnswer>
export const NewPasskeyAnswer = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded(10_000),
    attestationObject: encoded(50_000),
    transports: z.array(z.string().max(40)).max(20).nullish(),
  }),
})
export type NewPasskeyAnswer = z.output<typeof NewPasskeyAnswer>

/** What a browser is asked with: handed to `navigator.credentials` as it is. */
export const PasskeyQuestion = z.looseObject({ challenge: z.string() })

export const code = z.string().trim().min(1, 'Please enter a code').max(100, 'This code is not right')
const label = requiredName('Please give it a name', 60)

export const Passkey = z
  .object({
    id: z.int(),
    label: z.string(),
    /** Shared by the devices of its owner. */
    isSynced: z.boolean(),
    createdAt: InstantText,
    lastUsedAt: InstantText.nullable(),
  })
  .meta({ id: 'Passkey' })
export type Passkey = z.output<typeof Passkey>

/** How somebody signs in, besides the password. */
export const Factors = z
  .object({
    passkeys: z.array(Passkey),
    /** The authenticator app; null: none. */
    app: z.object({ createdAt: InstantText, lastUsedAt: InstantText.nullable() }).nullable(),
    /** How many recovery codes are left. */
    recoveryCodes: z.int(),
    /** Whether they need a second step: admins do, where the site asks for it. */
    isRequired: z.boolean(),
    /** Codes are a second step, and that is an admin's. */
    mayUseCodes: z.boolean(),
    /** The address at which passkeys work; null: nowhere on this site. */
    passkeysAt: z.string().nullable(),
  })
  .meta({ id: 'Factors' })
export type Factors = z.output<typeof Factors>

export const getFactors = endpoint('GET /api/user/factors', {
  who: 'member',
  summary: 'Passkeys, authenticator app and how many recovery codes are left of the signed-in user',
  reply: Factors,
})

/** Recovery codes that were just made, for the only time that they are shown; null: none were. */
const NewCodes = z.object({ recoveryCodes: z.array(z.string()).nullable() })
const asksAgainAfterMinutes = WAYS_IN_ASKED_AGAIN_AFTER_MINUTES

export const beginPasskey = endpoint('POST /api/user/passkeys/options', {
  who: 'member',
  summary: 'What a device is asked to make a passkey with',
  asksAgainAfterMinutes,
  reply: PasskeyQuestion,
  refusals: [factorRefusals.passkeys_unavailable, factorRefusals.too_many_passkeys],
})

export const addPasskey = endpoint('POST /api/user/passkeys', {
  who: 'member',
  summary: 'Keep a passkey that a device has made; an admin’s first second step brings recovery codes',
  asksAgainAfterMinutes,
  body: z.object({ passkey: NewPasskeyAnswer, label: label.nullish() }),
  reply: NewCodes.extend({ passkey: Passkey, user: CurrentUser }),
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
  summary: 'Give a passkey another name',
  params: PathId,
  body: RenameForm,
  reply: Passkey,
  refusals: [factorRefusals.passkey_not_found],
})

export const removePasskey = endpoint('DELETE /api/user/passkeys/:id', {
  who: 'member',
  summary: 'Remove a passkey: it signs nobody in from now on',
  asksAgainAfterMinutes,
  params: PathId,
  reply: Message,
  refusals: [factorRefusals.passkey_not_found, factorRefusals.last_second_factor],
})

export const beginApp = endpoint('POST /api/user/authenticator/options', {
  who: 'member',
  summary: 'A new secret for an authenticator app; nothing changes before a code of it is sent',
  asksAgainAfterMinutes,
  reply: z.object({
    /** In base32, to be typed. */
    secret: z.string(),
    /** `otpauth://…`, to be scanned or tapped. */
    uri: z.string(),
    /** To be sent back with the first code. */
    setUp: z.string(),
  }),
})

export const addApp = endpoint('PUT /api/user/authenticator', {
  who: 'member',
  summary: 'Take an authenticator app, in place of the one before, once it has shown a right code',
  asksAgainAfterMinutes,
  body: z.object({ setUp: z.string().min(1).max(1000), code }),
  reply: NewCodes.extend({ user: CurrentUser }),
  refusals: [factorRefusals.setup_expired, factorRefusals.invalid_code, commonRefusals.too_many_requests],
})

export const removeApp = endpoint('DELETE /api/user/authenticator', {
  who: 'member',
  summary: 'Remove the authenticator app: its codes complete no sign-in from now on',
  asksAgainAfterMinutes,
  reply: Message,
  refusals: [factorRefusals.authenticator_not_found, factorRefusals.last_second_factor],
})

export const renewRecoveryCodes = endpoint('POST /api/user/recovery-codes', {
  who: 'member',
  summary: 'Make new recovery codes; the ones before end',
  asksAgainAfterMinutes,
  reply: z.object({ recoveryCodes: z.array(z.string()) }),
})
