import { invalidRequest } from './errors.ts'

const currencies = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()))
/** The least that Stripe charges, in the smallest unit. Source: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const smallest: Record<string, number> = { gbp: 30, eur: 50, usd: 50 }
const largest = 99_999_999

/** Three letters, in any case; answers them in lower case as Stripe does. */
export function checkedCurrency(written: string): string {
  const currency = written.toLowerCase()
  if (currencies.has(currency)) return currency
  throw invalidRequest(`Invalid currency: ${written.slice(0, 20)}. Stripe supports the currencies of ISO 4217.`, {
    param: 'currency',
  })
}

/** Refuses an amount (in the smallest unit) that Stripe would not charge. */
export function checkChargeable(amount: number, currency: string): void {
  if (amount < 1) {
    throw invalidRequest('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    })
  }
  const least = smallest[currency] ?? 50
  if (amount < least) {
    throw invalidRequest(`Amount must be at least ${inWords(least, currency)} ${currency}`, {
      code: 'amount_too_small',
      param: 'amount',
    })
  }
  if (amount > largest) {
    throw invalidRequest(`Amount must be no more than ${inWords(largest, currency)}`, {
      code: 'amount_too_large',
      param: 'amount',
    })
  }
}

/** 30, 'gbp' → '£0.30'. */
export function inWords(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}
