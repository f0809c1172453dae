import { randomBytes } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createVault, type Sealed, VaultError } from './vault.ts'

const today = randomBytes(32)
const lastYear = randomBytes(32)
/** The row of Ana's questionnaire, saved for the third time. */
const ana = { owner: 'ana', row: 'ana', version: 3 }
const responses = { allergies: 'latex, Zoë’s 🐈', hasDiabetes: true, fitnessLevel: null }
const sealedAnswers: Sealed<unknown> = {
  purpose: 'questionnaire',
  shape: z.object({ allergies: z.string(), hasDiabetes: z.boolean(), fitnessLevel: z.null() }).partial(),
}
const sealedChanges: Sealed<unknown> = {
  purpose: 'changes',
  shape: z.record(z.string(), z.object({ new: z.unknown() })),
}
const NOT_OURS = new VaultError('This is not health data sealed by this application.')
const CHANGED = new VaultError('Sealed health data was changed, or belongs to another member, record, save or purpose.')

describe('the vault', () => {
  test('decrypts what it encrypted, with any characters', () => {
    const vault = createVault([today])
    expect(vault.open(ana, 'questionnaire', vault.seal(ana, 'questionnaire', responses))).toEqual(responses)
  })

  test('hides the content and never produces the same value twice', () => {
    const vault = createVault([today])
    const [once, again] = [vault.seal(ana, 'questionnaire', responses), vault.seal(ana, 'questionnaire', responses)]
    expect(once.toString('latin1')).not.toContain('latex')
    expect(once.equals(again)).toBe(false)
  })

  test.each([
    ['another member', { owner: 'boris' }, 'questionnaire'],
    ['another purpose', {}, 'changes'],
    ['another record', { row: 8 }, 'questionnaire'],
    ['a later save', { version: 4 }, 'questionnaire'],
    ['an earlier save', { version: 2 }, 'questionnaire'],
  ] as const)('does not decrypt for %s', (_, elsewhere, purpose) => {
    const vault = createVault([today])
    const sealed = vault.seal(ana, 'questionnaire', responses)
    expect(() => vault.open({ ...ana, ...elsewhere }, purpose, sealed)).toThrow(VaultError)
  })

  test('keeps owner and purpose apart', () => {
    const vault = createVault([today])
    const sealed = vault.seal({ ...ana, owner: 'ana","changes' }, 'questionnaire', responses)
    expect(() => vault.open(ana, 'changes', sealed)).toThrow(VaultError)
    // @ts-expect-error: a purpose that there may be one day, which ends like another
    const other = vault.seal(ana, 'key-changes', responses)
    expect(() => vault.open({ ...ana, owner: 'anakey-' }, 'changes', other)).toThrow(VaultError)
    const numbered = vault.seal({ owner: 'ana', row: 1, version: 12 }, 'changes', responses)
    expect(() => vault.open({ owner: 'ana', row: 11, version: 2 }, 'changes', numbered)).toThrow(VaultError)
  })

  test('detects a change of any byte', () => {
    const vault = createVault([today])
    const sealed = vault.seal(ana, 'questionnaire', responses)
    for (let place = 0; place < sealed.length; place++) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(place) ^ 1, place)
      expect(() => vault.open(ana, 'questionnaire', changed), `byte ${place}`).toThrow(VaultError)
    }
  })

  test.each([0, 1, 20, 36])('refuses a value cut off after %i bytes', (length) => {
    const vault = createVault([today])
    const sealed = vault.seal(ana, 'questionnaire', responses).subarray(0, length)
    expect(() => vault.open(ana, 'questionnaire', sealed)).toThrow(NOT_OURS)
  })

  test('distinguishes foreign values from changed ones', () => {
    const vault = createVault([today])
    const sealed = vault.seal(ana, 'questionnaire', responses)
    const ofAnotherFormat = Buffer.from(sealed)
    ofAnotherFormat.writeUInt8(3)
    expect(() => vault.open(ana, 'questionnaire', ofAnotherFormat)).toThrow(NOT_OURS)
    expect(() => vault.open(ana, 'questionnaire', sealed.subarray(0, 37))).toThrow(CHANGED)
    expect(() => vault.open({ ...ana, owner: 'boris' }, 'questionnaire', sealed)).toThrow(CHANGED)
    expect(CHANGED.name).toBe('VaultError')
  })

  test('reports unreadable values and returns undefined, but throws program errors', () => {
    const report = vi.fn()
    const vault = createVault([today], report)
    const sealed = vault.seal(ana, 'questionnaire', responses)
    expect(vault.openIfReadable(ana, sealedAnswers, sealed)).toEqual(responses)
    expect(report).not.toHaveBeenCalled()
    expect(vault.openIfReadable(ana, sealedChanges, sealed)).toBeUndefined()
    expect(report.mock.calls).toEqual([[{ owner: 'ana', purpose: 'changes', reason: CHANGED.message }]])
    // @ts-expect-error: no sealed value at all
    expect(() => vault.openIfReadable(ana, sealedAnswers, undefined)).toThrow(TypeError)
    expect(createVault([today]).openIfReadable(ana, sealedChanges, sealed)).toBeUndefined()
  })

  test('returns undefined for decrypted content of the wrong shape', () => {
    const report = vi.fn()
    const vault = createVault([today], report)
    const sealed = vault.seal(ana, 'questionnaire', { hasDiabetes: 'perhaps' })
    expect(vault.openIfReadable(ana, sealedAnswers, sealed)).toBeUndefined()
    expect(report.mock.calls).toEqual([
      [{ owner: 'ana', purpose: 'questionnaire', reason: 'This health data does not match its purpose.' }],
    ])
  })

  test('decrypts with older keys and encrypts with the newest', () => {
    const sealed = createVault([lastYear]).seal(ana, 'questionnaire', responses)
    const rotated = createVault([today, lastYear])
    expect(rotated.open(ana, 'questionnaire', sealed)).toEqual(responses)
    const resealed = rotated.seal(ana, 'questionnaire', responses)
    expect(createVault([today]).open(ana, 'questionnaire', resealed)).toEqual(responses)
  })

  test('names the missing key without disclosing answers', () => {
    const sealed = createVault([lastYear]).seal(ana, 'questionnaire', responses)
    const keyId = createVault([lastYear]).newestKeyId.toString('hex')
    expect(() => createVault([today]).open(ana, 'questionnaire', sealed)).toThrow(
      `Health data was sealed under key ${keyId}, which HEALTH_DATA_KEY does not hold.`,
    )
  })

  test('requires at least one key, each of 32 bytes', () => {
    expect(() => createVault([])).toThrow('Health data needs a key (HEALTH_DATA_KEY).')
    expect(() => createVault([today, randomBytes(16)])).toThrow('Every health data key must be 32 bytes.')
  })
})
