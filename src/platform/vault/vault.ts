import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import type { z } from 'zod'

/**
 * Encrypts secrets with AES-256-GCM. The keys are not in the database. The newest key encrypts, every key decrypts.
 *
 * A sealed value is format (1 byte) | key id (8) | nonce (12) | tag (16) | ciphertext. Format, key id, owner, purpose,
 * row and version are authenticated, so a value that was moved to another member, column or row, or an older value that
 * was put back, cannot be decrypted.
 */
export type Vault = {
  /** The newest key's id: the first bytes of its SHA-256. */
  readonly newestKeyId: Buffer
  isUnderNewest(sealed: Buffer): boolean
  /** HMACs of a text under every key, the newest first, to find what is sealed. */
  fingerprints(purpose: Purpose, text: string): Buffer[]
  /** @param value anything JSON can carry */
  seal(place: Place, purpose: Purpose, value: unknown): Buffer
  /** @throws {VaultError} if the key is missing, or the value was changed or moved */
  open(place: Place, purpose: Purpose, sealed: Buffer): unknown
  /** Like `open`, but reports the error (without content) and returns undefined, so that one bad row fails no list. */
  openIfReadable<Value>(place: Place, kind: Sealed<Value>, sealed: Buffer): Value | undefined
}

/** The owner of a sealed value, its row's key and the row's version. */
export type Place = { owner: string; row: string | number; version: number }

export type Sealed<Value> = { purpose: Purpose; shape: z.ZodType<Value> }

/** The last three are for secrets that are not health data. */
export type Purpose =
  | 'questionnaire'
  | 'emergency-contact'
  | 'changes'
  | 'session-note'
  | 'authenticator-app'
  | 'calendar-address'
  | 'voucher-code'

export type OnUnreadable = (record: { owner: string; purpose: Purpose; reason: string }) => void

/** The message never contains any of the content. */
export class VaultError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'VaultError'
  }
}

const FORMAT = 1
const KEY_BYTES = 32
const KEY_ID_BYTES = 8
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = 1 + KEY_ID_BYTES
/** The position of the key id, counted from 1 for SQL's `substring`. */
export const KEY_ID_PLACE = { from: 2, length: KEY_ID_BYTES } as const

/** @param keys newest first, each 32 bytes, at least one */
export function createVault(keys: readonly Buffer[], onUnreadable: OnUnreadable = () => {}): Vault {
  const [newest] = keys
  if (!newest) throw new VaultError('Health data needs a key (HEALTH_DATA_KEY).')
  if (keys.some((key) => key.length !== KEY_BYTES)) throw new VaultError('Every health data key must be 32 bytes.')
  const keyById = new Map(keys.map((key) => [keyIdOf(key).toString('hex'), key]))
  const header = Buffer.concat([Buffer.from([FORMAT]), keyIdOf(newest)])

  const vault: Vault = {
    newestKeyId: keyIdOf(newest),
    isUnderNewest: (sealed) => sealed.subarray(1, HEADER_BYTES).equals(keyIdOf(newest)),
    fingerprints: (purpose, text) =>
      keys.map((key) => {
        // A separate key, so that no key has two uses.
        const derived = createHmac('sha256', key).update(`fingerprint of ${purpose}`).digest()
        return createHmac('sha256', derived).update(text).digest()
      }),
    seal(place, purpose, value) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', newest, nonce)
      cipher.setAAD(boundTo(header, place, purpose))
      const ciphertext = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
      return Buffer.concat([header, nonce, cipher.getAuthTag(), ciphertext])
    },
    open(place, purpose, sealed) {
      if (sealed.length < HEADER_BYTES + NONCE_BYTES + TAG_BYTES || sealed[0] !== FORMAT) {
        throw new VaultError('This is not health data sealed by this application.')
      }
      const keyId = sealed.subarray(1, HEADER_BYTES).toString('hex')
      const key = keyById.get(keyId)
      if (!key) {
        throw new VaultError(
          `Health data was sealed under key ${keyId}, which HEALTH_DATA_KEY does not hold. Add that key to the end of the list.`,
        )
      }
      const nonce = sealed.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES)
      const tag = sealed.subarray(HEADER_BYTES + NONCE_BYTES, HEADER_BYTES + NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(boundTo(sealed.subarray(0, HEADER_BYTES), place, purpose))
      decipher.setAuthTag(tag)
      return JSON.parse(authentic(decipher, sealed.subarray(HEADER_BYTES + NONCE_BYTES + TAG_BYTES)))
    },
    openIfReadable(place, { purpose, shape }, sealed) {
      try {
        const opened = shape.safeParse(vault.open(place, purpose, sealed))
        if (!opened.success) throw new VaultError('This health data does not match its purpose.')
        return opened.data
      } catch (error) {
        if (!(error instanceof VaultError)) throw error
        onUnreadable({ owner: place.owner, purpose, reason: error.message })
        return undefined
      }
    },
  }
  return vault
}

function authentic(decipher: ReturnType<typeof createDecipheriv>, ciphertext: Buffer): string {
  try {
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8')
  } catch {
    throw new VaultError('Sealed health data was changed, or belongs to another member, record, save or purpose.')
  }
}

function keyIdOf(key: Buffer): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES)
}

/** JSON keeps the parts separate. */
function boundTo(header: Buffer, { owner, row, version }: Place, purpose: Purpose): Buffer {
  return Buffer.concat([header, Buffer.from(JSON.stringify([owner, purpose, String(row), version]))])
}
