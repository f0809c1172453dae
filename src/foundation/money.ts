/** Money is whole pence, an integer, everywhere but on the wire and on the screen. */
export type Pence = number

/** Pence as the wire writes them: `4550` → `"45.50"`. */
export function toPounds(pence: Pence): string {
  return (pence / 100).toFixed(2)
}

/**
 * Pence out of pounds as the wire or an owner writes them: `"45"`, `"45.5"`, `45.5` → integer pence.
 * The caller has checked the form (at most two decimals); anything else throws.
 */
export function toPence(pounds: string | number): Pence {
  const match = /^(\d+)(?:\.(\d{1,2}))?$/.exec(String(pounds).trim())
  if (!match) throw new RangeError('not an amount in pounds')
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}

/** `£45.50`: two decimals, everywhere but where {@link formatShortPounds} is asked for. */
export function formatPounds(pounds: string | number): string {
  return `£${Number(pounds).toFixed(2)}`
}

/** `£120` for whole pounds and `£45.50` otherwise: package prices, "no decimals" in the specification. */
export function formatShortPounds(pounds: string | number): string {
  const value = Number(pounds)
  return Number.isInteger(value) ? `£${value}` : formatPounds(value)
}
