import { studio } from '#studio.ts'
import type { Pence } from './money.ts'

const { locale, currency } = studio
const SYMBOL =
  new Intl.NumberFormat(locale, { style: 'currency', currency })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency

type PriceFault = 'missing' | 'not_an_amount' | 'too_much'

/** `45`, `45.5`, `45.50`, `1,200`. A comma only separates thousands: `45,50` is ambiguous. */
const AMOUNT = /^(\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d{1,2}))?$/
const MAX_AMOUNT = 999_999

/** Parses `"45"`, `"£45.50"`, `"1,200"` or `45.5` to pence. */
export function parseAmount(written: unknown): { pence: Pence } | { fault: PriceFault } {
  if (written === undefined || written === null) return { fault: 'missing' }
  if (typeof written !== 'number' && typeof written !== 'string') return { fault: 'not_an_amount' }
  const text = String(written).trim()
  if (text === '') return { fault: 'missing' }
  const match = AMOUNT.exec(withoutSymbol(text))
  if (!match) return { fault: 'not_an_amount' }
  const whole = Number(match[1]?.replaceAll(',', ''))
  if (whole > MAX_AMOUNT) return { fault: 'too_much' }
  return { pence: whole * 100 + Number((match[2] ?? '').padEnd(2, '0')) }
}

const withoutSymbol = (text: string) => (text.startsWith(SYMBOL) ? text.slice(SYMBOL.length).trimStart() : text)

/** Like {@link parseAmount}, but throws if the amount is invalid. */
export function toPence(amount: string | number): Pence {
  const read = parseAmount(amount)
  if ('fault' in read) throw new RangeError('not an amount of money')
  return read.pence
}
