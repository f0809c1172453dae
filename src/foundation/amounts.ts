import { studio } from '#studio.ts'
import type { Pence } from './money.ts'

const { locale, currency } = studio
const SYMBOL =
  new Intl.NumberFormat(locale, { style: 'currency', currency })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency

/** Why a text is no price: nothing is written, it is no amount of money, or it is a million and more. */
export type PriceFault = 'missing' | 'not_an_amount' | 'too_much'

/** `45`, `45.5`, `45.50`, `1,200`, each with or without the symbol before it. A comma only parts thousands: `45,50` is nobody's guess. */
const AMOUNT = /^(\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d{1,2}))?$/
const MAX_AMOUNT = 999_999

/**
 * An amount as people and programs write it: `"45"`, `"£45.50"`, `"1,200"`, `45.5` → pence, or why not.
 * The one reader of prices: screens and server both ask it.
 */
export function parseAmount(written: unknown): { pence: Pence } | { fault: PriceFault } {
  const text = typeof written === 'number' ? String(written) : typeof written === 'string' ? written.trim() : written
  if (text === undefined || text === null || text === '') return { fault: 'missing' }
  const match = typeof text === 'string' ? AMOUNT.exec(withoutSymbol(text)) : null
  if (!match) return { fault: 'not_an_amount' }
  const whole = Number(match[1]?.replaceAll(',', ''))
  if (whole > MAX_AMOUNT) return { fault: 'too_much' }
  return { pence: whole * 100 + Number((match[2] ?? '').padEnd(2, '0')) }
}

const withoutSymbol = (text: string) => (text.startsWith(SYMBOL) ? text.slice(SYMBOL.length).trimStart() : text)

/** What {@link parseAmount} reads; where the caller has checked the form already. Anything else throws. */
export function toPence(amount: string | number): Pence {
  const read = parseAmount(amount)
  if ('fault' in read) throw new RangeError('not an amount of money')
  return read.pence
}
