/** A response is only valid for the purpose of its challenge. */
export const CHALLENGE_PURPOSES = ['sign_in', 'second_step', 'confirm', 'add'] as const
export type ChallengePurpose = (typeof CHALLENGE_PURPOSES)[number]

export type Proof = 'password' | 'passkey' | 'totp' | 'recovery_code'

/** Whether a sign-in method is enough for admin rights. */
export const isStrong = (method: string) => method === 'passkey' || method === 'second_factor'

const APP_CODE = /^\d{6}$/
/** Without letters that are easily misread: I, L, O, U. */
const RECOVERY_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const RECOVERY_LETTERS = 24
const RECOVERY_CODE = new RegExp(`^[${RECOVERY_ALPHABET}]{${RECOVERY_LETTERS}}$`)
/** Five bits per letter. */
export const RECOVERY_BYTES = (RECOVERY_LETTERS * 5) / 8
export const RECOVERY_CODES = 10

/** Parses a typed app or recovery code, ignoring spaces and hyphens. */
export function readCode(typed: string): { kind: 'app' | 'recovery'; code: string } | undefined {
  const code = typed.replace(/[\s-]/g, '').toLowerCase().replace(/o/g, '0').replace(/[il]/g, '1')
  if (APP_CODE.test(code)) return { kind: 'app', code }
  return RECOVERY_CODE.test(code) ? { kind: 'recovery', code } : undefined
}

/** Formats fifteen random bytes as a recovery code of six groups. */
export function recoveryCodeOf(random: Uint8Array): string {
  let bits = 0n
  for (const byte of random) bits = (bits << 8n) | BigInt(byte)
  const letters = Array.from({ length: RECOVERY_LETTERS }, (_, at) => {
    return RECOVERY_ALPHABET[Number((bits >> BigInt(5 * (RECOVERY_LETTERS - 1 - at))) & 31n)]
  })
  return (letters.join('').match(/.{4}/g) ?? []).join('-')
}

/** Passkeys are bound to the host name: they need HTTPS or `localhost`, and do not work at a bare IP address. */
export function relyingParty(appUrl: string): { id: string; origin: string } | undefined {
  const { protocol, hostname, origin } = new URL(appUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith('[')
  return (protocol === 'https:' || isLocal) && !isAddress ? { id: hostname, origin } : undefined
}
