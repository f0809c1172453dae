import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { NewPasskeyResponse, PasskeyResponse } from '#accounts/contract-factors.ts'

type Key = { privateKey: KeyObject; userHandle: string; counter: number }
type Question = { challenge: string; [more: string]: unknown }

const UP = 1
const UV = 4
const HAS_KEY = 64
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

/** A device with passkeys (ES256, no attestation) as a server sees it; every detail can be made wrong on purpose. */
export class Authenticator {
  readonly #origin: string
  readonly #keys = new Map<string, Key>()
  /** Whether it verifies its user. */
  verifiesUser = true

  constructor(origin: string) {
    this.#origin = origin
  }

  get ids(): string[] {
    return [...this.#keys.keys()]
  }

  /** Creates a passkey like `navigator.credentials.create`; `id` reuses another's id. */
  make(
    question: Question,
    { origin = this.#origin, id = randomBytes(16) }: { origin?: string; id?: Buffer } = {},
  ): NewPasskeyResponse {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const { id: userHandle } = question.user as { id: string }
    this.#keys.set(base64url(id), { privateKey, userHandle, counter: 0 })
    const coordinate = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'))
    const cose = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ])
    const key = Buffer.from(isoCBOR.encode(cose as never))
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const authData = Buffer.concat([this.#data(HAS_KEY, 0), Buffer.alloc(16), length, id, key])
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', Uint8Array.from(authData)],
    ])
    const response = {
      clientDataJSON: this.#client('webauthn.create', question, origin),
      attestationObject: base64url(isoCBOR.encode(attestation as never)),
      transports: ['internal'],
    }
    return { id: base64url(id), rawId: base64url(id), type: 'public-key', response }
  }

  /** Signs in like `navigator.credentials.get`; `counter` is the signature counter, `rpId` the site. */
  answer(
    question: Question,
    {
      id = this.ids[0] ?? '',
      origin = this.#origin,
      rpId = new URL(this.#origin).hostname,
      counter = 0,
      type = 'webauthn.get',
    } = {},
  ): PasskeyResponse {
    const key = this.#keys.get(id)
    if (!key) throw new Error('the authenticator has no such passkey')
    const clientDataJSON = this.#client(type, question, origin)
    const authenticatorData = this.#data(0, counter, rpId)
    const signed = Buffer.concat([authenticatorData, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    const response = {
      clientDataJSON,
      authenticatorData: base64url(authenticatorData),
      signature: base64url(sign('sha256', signed, key.privateKey)),
      userHandle: key.userHandle,
    }
    return { id, rawId: id, type: 'public-key', response }
  }

  #data(flags: number, counter: number, rpId = new URL(this.#origin).hostname): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const all = flags | UP | (this.verifiesUser ? UV : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([all]), count])
  }

  #client(type: string, { challenge }: Question, origin: string): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url')
  }
}
