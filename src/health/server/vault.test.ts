import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { healthVault, VaultError } from './vault.ts'

const today = randomBytes(32)
const lastYear = randomBytes(32)
const answers = { allergies: 'latex, Zoë’s 🐈', hasDiabetes: true, fitnessLevel: null }

describe('the health vault', () => {
  test('gives back what was put in, whatever its characters', () => {
    const vault = healthVault([today])
    expect(vault.open('ana', 'questionnaire', vault.seal('ana', 'questionnaire', answers))).toEqual(answers)
  })

  test('shows nothing of what is inside, and never the same twice', () => {
    const vault = healthVault([today])
    const [once, again] = [vault.seal('ana', 'questionnaire', answers), vault.seal('ana', 'questionnaire', answers)]
    expect(once.toString('latin1')).not.toContain('latex')
    expect(once.equals(again)).toBe(false)
  })

  test.each([
    ['another member', 'boris', 'questionnaire'],
    ['another purpose', 'ana', 'changes'],
  ] as const)('does not open for %s', (_, owner, purpose) => {
    const vault = healthVault([today])
    const sealed = vault.seal('ana', 'questionnaire', answers)
    expect(() => vault.open(owner, purpose, sealed)).toThrow(VaultError)
  })

  test('keeps owner and purpose apart', () => {
    const vault = healthVault([today])
    const sealed = vault.seal('ana","changes', 'questionnaire', answers)
    expect(() => vault.open('ana', 'changes', sealed)).toThrow(VaultError)
  })

  test('notices a change to any one byte', () => {
    const vault = healthVault([today])
    const sealed = vault.seal('ana', 'questionnaire', answers)
    for (let place = 0; place < sealed.length; place++) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(place) ^ 1, place)
      expect(() => vault.open('ana', 'questionnaire', changed), `byte ${place}`).toThrow(VaultError)
    }
  })

  test.each([0, 1, 20, 36])('refuses what was cut off after %i bytes', (length) => {
    const vault = healthVault([today])
    const sealed = vault.seal('ana', 'questionnaire', answers).subarray(0, length)
    expect(() => vault.open('ana', 'questionnaire', sealed)).toThrow(VaultError)
  })

  test('opens what an older key of the list sealed and seals under the newest', () => {
    const sealed = healthVault([lastYear]).seal('ana', 'questionnaire', answers)
    const rotated = healthVault([today, lastYear])
    expect(rotated.open('ana', 'questionnaire', sealed)).toEqual(answers)
    const anew = rotated.seal('ana', 'questionnaire', answers)
    expect(healthVault([today]).open('ana', 'questionnaire', anew)).toEqual(answers)
  })

  test('says which key is missing, and nothing of the answers', () => {
    const sealed = healthVault([lastYear]).seal('ana', 'questionnaire', answers)
    const keyId = healthVault([lastYear]).newestKeyId.toString('hex')
    expect(() => healthVault([today]).open('ana', 'questionnaire', sealed)).toThrow(
      `Health data was sealed under key ${keyId}, which HEALTH_DATA_KEY does not hold.`,
    )
  })

  test('needs a key, and every key whole', () => {
    expect(() => healthVault([])).toThrow('Health data needs a key (HEALTH_DATA_KEY).')
    expect(() => healthVault([today, randomBytes(16)])).toThrow('Every health data key must be 32 bytes.')
  })
})
