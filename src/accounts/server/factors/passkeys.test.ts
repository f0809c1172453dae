import { expect, test } from 'vitest'
import { deleteOwnAccount, exportOwnData } from '#privacy/contract.ts'
import { Authenticator } from '#testing/authenticator.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { getCurrentUser } from '../../contract.ts'
import * as contract from '../../contract-factors.ts'
import * as proofs from '../../contract-proofs.ts'
import {
  adminWithApp,
  advanceClock,
  logIn,
  ORIGIN,
  registerPasskey,
  SECOND_FACTOR_ENV,
  startStepUp,
  submitSecondStep,
  submitStepUp,
} from './factors-under-test.ts'

const { factorRefusals } = contract
const question = async (person: Person) => (await person.call(proofs.beginPasskeySignIn)).body
const signIn = (person: Person, passkey: object) => person.call(proofs.signInWithPasskey, { body: { passkey } })

test('a member adds a passkey, signs in with it alone, renames and removes it', async () => {
  const { studio, ana } = await openStudio({ env: { APP_URL: ORIGIN } })
  const { device, added } = await registerPasskey(ana)
  expect(added.status).toBe(201)
  expect(added.body).toMatchObject({ recoveryCodes: null, passkey: { label: 'Passkey', lastUsedAt: null } })
  const { id } = added.body.passkey

  const phone = studio.visitor('Phone')
  const asked = await question(phone)
  expect(asked).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
  expect((await signIn(phone, device.answer(asked))).body).toMatchObject({ id: ana.id, isAdmin: false })
  expect((await phone.call(getCurrentUser)).body.id).toBe(ana.id)
  expect((await phone.call(contract.getFactors)).body.passkeys[0].lastUsedAt).not.toBeNull()

  const renamed = await ana.call(contract.renamePasskey, { params: { id }, body: { label: ' My phone ' } })
  expect(renamed.body.label).toBe('My phone')
  expect((await ana.call(exportOwnData)).body.secondSteps.passkeys).toMatchObject([{ label: 'My phone' }])
  expect((await ana.call(contract.removePasskey, { params: { id } })).status).toBe(200)
  const later = await question(phone)
  expect(await signIn(phone, device.answer(later))).toBeRefused(factorRefusals.passkey_rejected)
})

test('another user cannot rename, remove or use a passkey', async () => {
  const { studio, ana, boris, dora } = await openStudio({ env: SECOND_FACTOR_ENV })
  const { device, added } = await registerPasskey(ana)
  const params = { id: added.body.passkey.id }
  expect(await boris.call(contract.renamePasskey, { params, body: { label: 'Mine' } })).toBeRefused(
    factorRefusals.passkey_not_found,
  )
  expect(await boris.call(contract.removePasskey, { params })).toBeRefused(factorRefusals.passkey_not_found)

  // Boris answers his own challenge with Ana's passkey.
  await registerPasskey(boris)
  const { passkey } = await startStepUp(boris)
  expect(await submitStepUp(boris, { passkey: device.answer(passkey) })).toBeRefused(factorRefusals.passkey_rejected)
  // It cannot complete another user's sign-in either.
  await adminWithApp(studio, dora)
  await registerPasskey(dora)
  const phone = Object.assign(studio.visitor('Phone'), { email: dora.email, password: dora.password })
  await logIn(phone)
  const { body: ways } = await phone.call(proofs.beginSecondStep)
  expect(await submitSecondStep(phone, { passkey: device.answer(ways.passkey) })).toBeRefused(
    factorRefusals.passkey_rejected,
  )
  expect((await phone.call(getCurrentUser)).status).toBe(401)
})

test('accepts a response once, within five minutes, for its purpose, at this site and with user verification', async () => {
  const { studio, ana } = await openStudio({ env: { APP_URL: ORIGIN } })
  const { device } = await registerPasskey(ana)
  const phone = studio.visitor('Phone')

  const first = device.answer(await question(phone))
  expect((await signIn(phone, first)).status).toBe(200)
  expect(await signIn(phone, first)).toBeRefused(factorRefusals.passkey_challenge_expired)

  const late = device.answer(await question(phone))
  advanceClock(studio, 300)
  expect(await signIn(phone, late)).toBeRefused(factorRefusals.passkey_challenge_expired)

  const elsewhere = device.answer(await question(phone), { origin: 'https://studio.example.evil' })
  expect(await signIn(phone, elsewhere)).toBeRefused(factorRefusals.passkey_rejected)
  // A wrong answer is no second try.
  expect(await signIn(phone, elsewhere)).toBeRefused(factorRefusals.passkey_challenge_expired)

  const toConfirm = device.answer((await startStepUp(ana)).passkey)
  expect(await signIn(phone, toConfirm)).toBeRefused(factorRefusals.passkey_challenge_expired)
  const invented = device.answer({ challenge: Buffer.alloc(32, 7).toString('base64url') })
  expect(await signIn(phone, invented)).toBeRefused(factorRefusals.passkey_challenge_expired)

  device.verifiesUser = false
  expect(await signIn(phone, device.answer(await question(phone)))).toBeRefused(factorRefusals.passkey_rejected)
})

test('detects a copied passkey by its counter', async () => {
  const { studio, ana } = await openStudio({ env: { APP_URL: ORIGIN } })
  const { device } = await registerPasskey(ana)
  const phone = studio.visitor('Phone')
  const signInAtCount = async (counter: number) => signIn(phone, device.answer(await question(phone), { counter }))
  expect((await signInAtCount(5)).status).toBe(200)
  expect(await signInAtCount(5)).toBeRefused(factorRefusals.passkey_rejected)
  expect(await signInAtCount(4)).toBeRefused(factorRefusals.passkey_rejected)
  expect((await signInAtCount(6)).status).toBe(200)
})

test('refuses a new passkey for another site, another challenge or a second time', async () => {
  const { studio, ana, boris } = await openStudio({ env: { APP_URL: ORIGIN } })
  const device = new Authenticator(ORIGIN)
  const requestChallenge = async (person: Person) => (await person.call(contract.beginPasskey)).body
  const sendPasskey = (person: Person, passkey: object) => person.call(contract.addPasskey, { body: { passkey } })
  const asked = await requestChallenge(ana)
  expect(asked).toMatchObject({ authenticatorSelection: { residentKey: 'required', userVerification: 'required' } })
  expect(await sendPasskey(boris, device.make(asked))).toBeRefused(factorRefusals.passkey_challenge_expired)
  expect(await sendPasskey(ana, device.make(asked, { origin: 'http://evil.example' }))).toBeRefused(
    factorRefusals.passkey_rejected,
  )
  expect(await sendPasskey(ana, device.make(asked))).toBeRefused(factorRefusals.passkey_challenge_expired)
  expect(await studio.count('select count(*) from passkeys')).toBe(0)
  for (let i = 0; i < 10; i++)
    expect((await sendPasskey(ana, device.make(await requestChallenge(ana)))).status).toBe(201)
  expect(await ana.call(contract.beginPasskey)).toBeRefused(factorRefusals.too_many_passkeys)
})

test('erasing a user deletes their factors', async () => {
  const { studio, ana } = await openStudio({ env: { APP_URL: ORIGIN } })
  const { device } = await registerPasskey(ana)
  expect((await ana.call(deleteOwnAccount)).status).toBe(200)
  for (const table of ['passkeys', 'recovery_codes', 'authenticator_apps', 'passkey_challenges', 'pending_sign_ins'])
    expect(await studio.count(`select count(*) from ${table} where user_id = $1`, [ana.id])).toBe(0)
  const phone = studio.visitor('Phone')
  expect(await signIn(phone, device.answer(await question(phone)))).toBeRefused(factorRefusals.passkey_rejected)
})

test('refuses to remove an admin’s last required factor', async () => {
  const { studio, dora } = await openStudio({ env: SECOND_FACTOR_ENV })
  await adminWithApp(studio, dora)
  expect(await dora.call(contract.removeApp)).toBeRefused(factorRefusals.last_second_factor)
  const { added } = await registerPasskey(dora)
  // Recovery codes are there since the first: no new ones were made in secret.
  expect(added.body.recoveryCodes).toBeNull()
  expect((await dora.call(contract.removeApp)).status).toBe(200)
  const params = { id: added.body.passkey.id }
  expect(await dora.call(contract.removePasskey, { params })).toBeRefused(factorRefusals.last_second_factor)
  expect(await dora.call(contract.removeApp)).toBeRefused(factorRefusals.authenticator_not_found)
})

test('passkeys are unavailable without HTTPS or at a bare IP address', async () => {
  const { ana } = await openStudio({ env: { APP_URL: 'http://127.0.0.1:4000' } })
  expect(await ana.call(contract.beginPasskey)).toBeRefused(factorRefusals.passkeys_unavailable)
  expect(await ana.call(proofs.beginPasskeySignIn)).toBeRefused(factorRefusals.passkeys_unavailable)
  expect((await ana.call(contract.getFactors)).body.passkeysAt).toBeNull()
})
