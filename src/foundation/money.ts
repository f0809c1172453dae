import { studio } from '#studio.ts'

/** Money is whole pence everywhere except on the wire and on the screen. */
export type Pence = number

/** `4550` → `"45.50"`. */
export function toDecimal(pence: Pence): string {
  return (pence / 100).toFixed(2)
}

const { locale, currency } = studio
const twoDecimals = new Intl.NumberFormat(locale, { style: 'currency', currency })
const noDecimals = new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 0 })

/** `£45.50`, `£1,250.00`. */
export function formatMoney(amount: string | number): string {
  return twoDecimals.format(Number(amount))
}

/** `£45.50`, or `€45.50` in another currency. */
export function formatAmount(amount: string, currency: string): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(Number(amount))
}

/** `£1,250` for whole amounts, otherwise `£45.50`: for package prices, as specified. */
export function formatPrice(amount: string | number): string {
  const value = Number(amount)
  return (Number.isInteger(value) ? noDecimals : twoDecimals).format(value)
}
