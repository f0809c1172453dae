import { expect, test } from 'vitest'
import { secretBox } from '#platform/vault/secret-box.ts'
import { createVault } from '#platform/vault/vault.ts'
import { openEmptyStudio } from '#testing/studio-under-test.ts'
import { rotateAppSecrets } from './codes.ts'
import { adminWithApp, advanceClock, codeOf, SECOND_FACTOR_ENV, submitStepUp } from './factors-under-test.ts'

const NEW_KEY = Buffer.alloc(32, 9)
const appSecrets = (keys: Buffer[]) => secretBox(createVault(keys), 'authenticator-app')

test('re-encrypts an app’s secret with a new key, and opens it only for its owner and with that key', async () => {
  const studio = await openEmptyStudio({ env: SECOND_FACTOR_ENV })
  const dora = await studio.admin('Dora')
  const { secret } = await adminWithApp(studio, dora)
  const { transaction, pool } = studio.server.database
  const sealed = async () => (await pool.query('select sealed_secret from authenticator_apps')).rows[0].sealed_secret
  const old = studio.settings.healthDataKeys
  const before = await sealed()
  expect(appSecrets(old).open(dora.id, before)).toBe(secret)
  expect(appSecrets(old).open('somebody-else', before)).toBeUndefined()
  expect(appSecrets([NEW_KEY]).open(dora.id, before)).toBeUndefined()

  const both = appSecrets([NEW_KEY, ...old])
  expect(await transaction((tx) => rotateAppSecrets(tx, both))).toBe(1)
  expect(await transaction((tx) => rotateAppSecrets(tx, both))).toBe(0)
  expect(appSecrets([NEW_KEY]).open(dora.id, await sealed())).toBe(secret)
  // This site has the old key only: codes are wrong for it, not an error.
  advanceClock(studio, 60)
  expect((await submitStepUp(dora, { code: codeOf(studio, secret) })).status).toBe(400)
})
