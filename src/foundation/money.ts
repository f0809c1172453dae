import { studio } from '#studio.ts'

/** Money is whole pence, an integer, everywhere but on the wire and on the screen. */
export type Pence = number

/** Pence as the wire writes them: `4550` → `"45.50"`. */
export function toDecimal(pence: Pence): string {
  return (pence / 100).toFixed(2)
}

const { locale, currency } = studio
const twoDecimals = new Intl.NumberFormat(locale, { style: 'currency', currency })
const noDecimals = new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 0 })

/** `£45.50`, `£1,250.00`: two decimals, everywhere but where {@link formatPrice} is asked for. */
export function formatMoney(amount: string | number): string {
  return twoDecimals.format(Number(amount))
}

/** `£45.50`, or `€45.50` of another currency; two decimals, as the provider counts most of them. */
export function formatAmount(amount: string, currency: string): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(Number(amount))
}

/** `£1,250` for whole amounts and `£45.50` otherwise: package prices, "no decimals" in the specification. */
export function formatPrice(amount: string | number): string {
  const value = Number(amount)
  return (Number.isInteger(value) ? noDecimals : twoDecimals).format(value)
}
