/** What a payment was made with, in words. */

/** As much of a charge as is needed to say so. */
export type ChargedWith = {
  payment_method_details?: {
    type: string
    card?: { brand?: string | null; last4?: string | null; wallet?: { type?: string } | null } | null
  } | null
}

const BRANDS: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}
const WALLETS: Record<string, string> = {
  apple_pay: 'Apple Pay',
  google_pay: 'Google Pay',
  samsung_pay: 'Samsung Pay',
  link: 'Link',
}
const OTHERS: Record<string, string> = {
  link: 'Link',
  paypal: 'PayPal',
  klarna: 'Klarna',
  revolut_pay: 'Revolut Pay',
  amazon_pay: 'Amazon Pay',
  afterpay_clearpay: 'Clearpay',
  pay_by_bank: 'Pay by Bank',
  bacs_debit: 'Bank debit',
  sepa_debit: 'Bank debit',
  us_bank_account: 'Bank debit',
  customer_balance: 'Bank transfer',
}

/**
 * `Visa ending 4242`, `Apple Pay (Visa ending 4242)`, `Bank debit ending 2345`, `Link`; null when the provider does not
 * say. A method we do not know is called by the provider's name for it, as words.
 */
export function methodOf(charge: ChargedWith | null | undefined): string | null {
  const details = charge?.payment_method_details
  if (!details) return null
  const { type, card } = details
  if (type === 'card') {
    const brand = BRANDS[card?.brand ?? ''] ?? 'Card'
    const named = card?.last4 ? `${brand} ending ${card.last4}` : brand
    const wallet = WALLETS[card?.wallet?.type ?? '']
    return wallet ? `${wallet} (${named})` : named
  }
  // Stripe writes what it knows of a method under the method's name.
  const known = Object.entries(details).find(([name]) => name === type)?.[1]
  const last4 = typeof known === 'object' ? known?.last4 : undefined
  const name = OTHERS[type] ?? inWords(type)
  return last4 ? `${name} ending ${last4}` : name
}

/** `some_bank_thing` as `Some bank thing`. */
function inWords(type: string): string {
  const words = type.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
