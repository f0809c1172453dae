/** What a passkey may be asked to sign for. An answer to one question is none to another. */
export const CHALLENGE_PURPOSES = ['sign_in', 'second_step', 'confirm', 'add'] as const
export type ChallengePurpose = (typeof CHALLENGE_PURPOSES)[number]

/** How somebody proved who they are. */
export type Proof = 'password' | 'passkey' | 'totp' | 'recovery_code'

/** Whether a session that began (or was made stronger) in this way has what an admin's rights ask for. */
export const isStrong = (method: string) => method === 'passkey' || method === 'second_factor'

const APP_CODE = /^\d{6}$/
/** Without the letters that are read as others: I, L, O, U. */
const RECOVERY_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** Those that were made before November 2026 have sixteen letters. */
const RECOVERY_CODE = new RegExp(`^[${RECOVERY_ALPHABET}]{16}(?:[${RECOVERY_ALPHABET}]{8})?$`)
const RECOVERY_LETTERS = 24
/** How many random bytes a recovery code is made of: five bits a letter. */
export const RECOVERY_BYTES = (RECOVERY_LETTERS * 5) / 8
/** How many recovery codes there are at a time. */
export const RECOVERY_CODES = 10

/** A code as somebody typed it: of an app or a recovery code, blanks and hyphens left out; undefined: neither. */
export function readCode(typed: string): { kind: 'app' | 'recovery'; code: string } | undefined {
  const code = typed.replace(/[\s-]/g, '').toLowerCase().replace(/o/g, '0').replace(/[il]/g, '1')
  if (APP_CODE.test(code)) return { kind: 'app', code }
  return RECOVERY_CODE.test(code) ? { kind: 'recovery', code } : undefined
}

/** A recovery code out of fifteen random bytes: 120 bits, in six groups. */
export function recoveryCodeOf(random: Uint8Array): string {
  let bits = 0n
  for (const byte of random) bits = (bits << 8n) | BigInt(byte)
  const letters = Array.from({ length: RECOVERY_LETTERS }, (_, at) => {
    return RECOVERY_ALPHABET[Number((bits >> BigInt(5 * (RECOVERY_LETTERS - 1 - at))) & 31n)]
  })
  return (letters.join('').match(/.{4}/g) ?? []).join('-')
}

/**
 * The site as passkeys know it. They are bound to its name, so they work only where browsers allow it: over HTTPS or at
 * `localhost`, never at a bare IP address.
 */
export function relyingParty(appUrl: string): { id: string; origin: string } | undefined {
  const { protocol, hostname, origin } = new URL(appUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith('[')
  return (protocol === 'https:' || isLocal) && !isAddress ? { id: hostname, origin } : undefined
}
