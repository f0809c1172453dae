import { expect, test } from 'vitest'
import { rotateAppSecrets } from '#accounts/server/accounts.ts'
import {
  adminWithApp,
  advanceClock,
  codeOf,
  SECOND_FACTOR_ENV,
  submitStepUp,
} from '#accounts/server/factors/factors-under-test.ts'
import { healthVault } from '#health/server/health.ts'
import { openEmptyStudio } from '#testing/studio-under-test.ts'
import { secretBox } from './secret-box.ts'

const NEW_KEY = Buffer.alloc(32, 9)

test('re-encrypts an app’s secret with a new key, and opens it only for its owner and with that key', async () => {
  const studio = await openEmptyStudio({ env: SECOND_FACTOR_ENV })
  const dora = await studio.admin('Dora')
  const { secret } = await adminWithApp(studio, dora)
  const { transaction, pool } = studio.server.database
  const sealed = async () => (await pool.query('select sealed_secret from authenticator_apps')).rows[0].sealed_secret
  const old = studio.settings.healthDataKeys
  const before = await sealed()
  expect(secretBox(healthVault(old)).open(dora.id, before)).toBe(secret)
  expect(secretBox(healthVault(old)).open('somebody-else', before)).toBeUndefined()
  expect(secretBox(healthVault([NEW_KEY])).open(dora.id, before)).toBeUndefined()

  const both = secretBox(healthVault([NEW_KEY, ...old]))
  expect(await transaction((tx) => rotateAppSecrets(tx, both))).toBe(1)
  expect(await transaction((tx) => rotateAppSecrets(tx, both))).toBe(0)
  expect(secretBox(healthVault([NEW_KEY])).open(dora.id, await sealed())).toBe(secret)
  // This site has the old key only: codes are wrong for it, not an error.
  advanceClock(studio, 60)
  expect((await submitStepUp(dora, { code: codeOf(studio, secret) })).status).toBe(400)
})
