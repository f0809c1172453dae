/**
 * Payment methods: test cards from https://docs.stripe.com/testing and test accounts from
 * https://docs.stripe.com/payments/bacs-debit. Only brand, last four digits and expiry of a card leave this file.
 */
import { z } from 'zod'
import { cardError, invalidRequest } from './errors.ts'
import { Text, Whole } from './forms.ts'
import { newId } from './objects.ts'
import type { Behaviour, Decline, DeclineCode, Method } from './shapes.ts'

const DECLINED = 'Your card was declined.'
const DECLINES: Record<DeclineCode, [code: string, message: string]> = {
  generic_decline: ['card_declined', DECLINED],
  insufficient_funds: ['card_declined', 'Your card has insufficient funds.'],
  lost_card: ['card_declined', DECLINED],
  stolen_card: ['card_declined', DECLINED],
  expired_card: ['expired_card', 'Your card has expired.'],
  incorrect_cvc: ['incorrect_cvc', "Your card's security code is incorrect."],
  processing_error: ['processing_error', 'An error occurred while processing your card. Try again in a little bit.'],
}

/** Found by the name after `pm_card_` (for declines also `pm_card_visa_`) or by number. */
const CARDS: (Behaviour & { name: string; number: string; brand?: string })[] = [
  { name: 'visa', number: '4242424242424242' },
  { name: 'mastercard', number: '5555555555554444', brand: 'mastercard' },
  { name: 'chargeDeclined', number: '4000000000000002', declines: 'generic_decline' },
  { name: 'chargeDeclinedInsufficientFunds', number: '4000000000009995', declines: 'insufficient_funds' },
  { name: 'chargeDeclinedLostCard', number: '4000000000009987', declines: 'lost_card' },
  { name: 'chargeDeclinedStolenCard', number: '4000000000009979', declines: 'stolen_card' },
  { name: 'chargeDeclinedExpiredCard', number: '4000000000000069', declines: 'expired_card' },
  { name: 'chargeDeclinedIncorrectCvc', number: '4000000000000127', declines: 'incorrect_cvc' },
  { name: 'chargeDeclinedProcessingError', number: '4000000000000119', declines: 'processing_error' },
  { name: 'authenticationRequired', number: '4000002760003184', has3dSecure: true },
  { name: 'createDispute', number: '4000000000000259', aftermath: 'dispute' },
  { name: 'createDisputeInquiry', number: '4000000000001976', aftermath: 'inquiry' },
  { name: 'createIssuerFraudRecord', number: '4000000000005423', aftermath: 'early_fraud_warning' },
  { name: 'refundFail', number: '4000000000005126', aftermath: 'refund_fails' },
]
const SORT_CODE = '108800'
const ACCOUNTS: { [account: string]: Behaviour } = { '00012345': {}, '33333335': { aftermath: 'debit_fails' } }

const Payer = z.object({ name: Text.optional(), email: Text.optional() }).optional()
const MethodData = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('card'),
    card: z.object({ number: Text, exp_month: Whole, exp_year: Whole, cvc: Text.optional() }),
    billing_details: Payer,
  }),
  z.object({
    type: z.literal('bacs_debit'),
    bacs_debit: z.object({ sort_code: Text, account_number: Text }),
    billing_details: Payer,
  }),
])
/** Parameters that name or describe a payment method. */
export const MethodFields = { payment_method: Text.optional(), payment_method_data: MethodData.optional() }
type Wanted = { payment_method?: string; payment_method_data?: z.output<typeof MethodData> }

/** The payment method a request names or describes. */
export function methodIn({ payment_method: name, payment_method_data: data }: Wanted, now: Date): Method | null {
  if (name !== undefined) return namedCard(name, now)
  if (!data) return null
  const { name: holder = null, email = null } = data.billing_details ?? {}
  const method = data.type === 'card' ? typedCard(data.card, now) : bankAccount(data.bacs_debit)
  return { ...method, payer: { name: holder, email } }
}

/** Why the bank declines; null if it pays. */
export function declineOf({ declines }: Method): Decline | null {
  if (!declines) return null
  const [code, message] = DECLINES[declines]
  return { code, decline_code: declines, message }
}

function namedCard(name: string, now: Date): Method {
  const short = /^pm_card_(?:visa_(?=charge))?(\w+)$/.exec(name)?.[1]
  const card = CARDS.find((each) => each.name === short)
  if (!card) {
    throw invalidRequest(`No such PaymentMethod: '${name}'`, { code: 'resource_missing', param: 'payment_method' })
  }
  return cardMethod(card, { exp_month: 12, exp_year: now.getUTCFullYear() + 1 })
}

/** Refuses (402) a card that is invalid, has expired or is not a test card. */
function typedCard(
  written: { number: string; exp_month: number; exp_year: number; cvc?: string | undefined },
  now: Date,
): Method {
  const { exp_month, cvc } = written
  const exp_year = written.exp_year < 100 ? 2000 + written.exp_year : written.exp_year
  const digits = written.number.replaceAll(/[\s-]/g, '')
  if (!/^\d{12,19}$/.test(digits)) throw cardError('incorrect_number', 'Your card number is incorrect.')
  if (exp_year < now.getUTCFullYear()) throw cardError('invalid_expiry_year', "Your card's expiration year is invalid.")
  const isPast = exp_year === now.getUTCFullYear() && exp_month < now.getUTCMonth() + 1
  if (exp_month < 1 || exp_month > 12 || isPast) {
    throw cardError('invalid_expiry_month', "Your card's expiration month is invalid.")
  }
  if (cvc !== undefined && !/^\d{3}$/.test(cvc)) throw cardError('invalid_cvc', "Your card's security code is invalid.")
  const card = CARDS.find(({ number }) => number === digits)
  if (!card) {
    throw cardError(
      'card_declined',
      'Your card was declined. Your request was in test mode, but used a card that is not one of the test cards.',
    )
  }
  return cardMethod(card, { exp_month, exp_year })
}

function cardMethod(
  { name: _, number, brand = 'visa', ...behaviour }: (typeof CARDS)[number],
  expiry: { exp_month: number; exp_year: number },
): Method {
  const card = { brand, ...expiry, funding: 'credit' as const, last4: number.slice(-4) }
  return { ...behaviour, id: newId('pm'), payer: { name: null, email: null }, details: { type: 'card', card } }
}

/** Bacs Direct Debit; test accounts only. */
function bankAccount({ sort_code, account_number: account }: { sort_code: string; account_number: string }): Method {
  const behaviour = ACCOUNTS[account]
  if (!behaviour || sort_code.replaceAll('-', '') !== SORT_CODE) {
    throw invalidRequest('This is not one of the test bank accounts.', { code: 'account_number_invalid' })
  }
  const debit = { last4: account.slice(-4), sort_code: SORT_CODE }
  return {
    ...behaviour,
    id: newId('pm'),
    payer: { name: null, email: null },
    details: { type: 'bacs_debit', bacs_debit: debit },
  }
}
