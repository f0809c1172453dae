import { randomInt } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Unguessable text of letters and digits. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) text += alphabet[randomInt(alphabet.length)]
  return text
}

/** An id that looks like Stripe's: `pi_3…`, `ch_3…`. */
export function newId(prefix: 'pi' | 'ch' | 're' | 'pm' | 'evt' | 'src' | 'dp' | 'issfr'): string {
  return `${prefix}_3${randomText(23)}`
}

/** The secret a browser needs to touch one payment intent: `pi_…_secret_…`. */
export function newClientSecret(intentId: string): string {
  return `${intentId}_secret_${randomText(25)}`
}
