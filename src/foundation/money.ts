/** Money is whole pence, an integer, everywhere but on the wire and on the screen. */
export type Pence = number

/** Pence as the wire writes them: `4550` → `"45.50"`. */
export function toPounds(pence: Pence): string {
  return (pence / 100).toFixed(2)
}

/** Why a text is no price: nothing is written, it is no amount of money, or it is a million pounds and more. */
export type PriceFault = 'missing' | 'not_an_amount' | 'too_much'

/** `45`, `45.5`, `45.50`, `1,200`, each with or without a `£`. A comma only parts thousands: `45,50` is nobody's guess. */
const AMOUNT = /^(?:£\s*)?(\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d{1,2}))?$/
const MOST_POUNDS = 999_999

/**
 * Pounds as people and programs write them: `"45"`, `"£45.50"`, `"1,200"`, `45.5` → pence, or why not.
 * The one reader of prices: screens and server both ask it.
 */
export function readPounds(written: unknown): { pence: Pence } | { fault: PriceFault } {
  const text = typeof written === 'number' ? String(written) : typeof written === 'string' ? written.trim() : written
  if (text === undefined || text === null || text === '') return { fault: 'missing' }
  const match = typeof text === 'string' ? AMOUNT.exec(text) : null
  if (!match) return { fault: 'not_an_amount' }
  const pounds = Number(match[1]?.replaceAll(',', ''))
  if (pounds > MOST_POUNDS) return { fault: 'too_much' }
  return { pence: pounds * 100 + Number((match[2] ?? '').padEnd(2, '0')) }
}

/** What {@link readPounds} reads; where the caller has checked the form already. Anything else throws. */
export function toPence(pounds: string | number): Pence {
  const read = readPounds(pounds)
  if ('fault' in read) throw new RangeError('not an amount in pounds')
  return read.pence
}

const twoDecimals = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' })
const noDecimals = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP', maximumFractionDigits: 0 })

/** `£45.50`, `£1,250.00`: two decimals, everywhere but where {@link formatShortPounds} is asked for. */
export function formatPounds(pounds: string | number): string {
  return twoDecimals.format(Number(pounds))
}

/** `£45.50`, or `€45.50` of another currency; two decimals, as the provider counts most of them. */
export function formatAmount(amount: string, currency: string): string {
  return currency === 'gbp'
    ? formatPounds(amount)
    : new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(Number(amount))
}

/** `£1,250` for whole pounds and `£45.50` otherwise: package prices, "no decimals" in the specification. */
export function formatShortPounds(pounds: string | number): string {
  const value = Number(pounds)
  return (Number.isInteger(value) ? noDecimals : twoDecimals).format(value)
}
