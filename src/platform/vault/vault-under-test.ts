import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import type { Purpose } from './vault.ts'

/** Encrypts in format 1, as earlier releases did. */
export function sealedAsBefore(key: Buffer, owner: string, purpose: Purpose, value: unknown): Buffer {
  const header = Buffer.concat([Buffer.from([1]), createHash('sha256').update(key).digest().subarray(0, 8)])
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.concat([header, Buffer.from(JSON.stringify([owner, purpose]))]))
  const ciphertext = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
  return Buffer.concat([header, nonce, cipher.getAuthTag(), ciphertext])
}
