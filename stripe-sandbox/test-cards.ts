/**
 * The test cards Stripe publishes at https://docs.stripe.com/testing, as numbers and as payment methods
 * (`pm_card_…`, and `tok_…` as `payment_method_data[card][token]`), and what each does when it is charged.
 */

export type DeclineName =
  | 'generic'
  | 'insufficient_funds'
  | 'lost_card'
  | 'stolen_card'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'processing_error'
  | 'velocity_exceeded'
  | 'fraudulent'
  | 'authentication_required'

/**
 * When the bank asks the card holder: `on_session` only while they are there to answer, `always` also when they
 * are not (the charge is then declined), `broken` means that asking itself fails.
 */
export type Authentication = 'never' | 'on_session' | 'always' | 'broken'

/**
 * What follows a payment: the card's holder disputes it, its network warns, its bank refuses refunds; or a bank debit, which
 * takes its time, arrives or fails.
 */
export type Aftermath =
  | 'dispute_fraudulent'
  | 'dispute_product_not_received'
  | 'inquiry'
  | 'early_fraud_warning'
  | 'refund_pending'
  | 'refund_fails'
  | 'debit_arrives'
  | 'debit_fails'

export interface TestCard {
  number: string
  /** Names after `pm_card_` and `tok_`. */
  names: string[]
  brand: string
  funding: 'credit' | 'debit' | 'prepaid'
  country: string
  authentication: Authentication
  decline: DeclineName | null
  aftermath: Aftermath | null
}

export interface Decline {
  code: string
  decline_code: string
  message: string
}

const declined = 'Your card was declined.'

/** What the holder of a declined card is told, and the codes that go with it. */
export const declines: Record<DeclineName, Decline> = {
  generic: { code: 'card_declined', decline_code: 'generic_decline', message: declined },
  insufficient_funds: {
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
  lost_card: { code: 'card_declined', decline_code: 'lost_card', message: declined },
  stolen_card: { code: 'card_declined', decline_code: 'stolen_card', message: declined },
  expired_card: { code: 'expired_card', decline_code: 'expired_card', message: 'Your card has expired.' },
  incorrect_cvc: {
    code: 'incorrect_cvc',
    decline_code: 'incorrect_cvc',
    message: "Your card's security code is incorrect.",
  },
  processing_error: {
    code: 'processing_error',
    decline_code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
  velocity_exceeded: {
    code: 'card_declined',
    decline_code: 'card_velocity_exceeded',
    message: 'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  },
  fraudulent: { code: 'card_declined', decline_code: 'fraudulent', message: declined },
  authentication_required: {
    code: 'authentication_required',
    decline_code: 'authentication_required',
    message: 'Your card was declined. This transaction requires authentication.',
  },
}

function card(number: string, names: string, more: Partial<TestCard> = {}): TestCard {
  return {
    number,
    names: names.split(' '),
    brand: 'visa',
    funding: 'credit',
    country: 'US',
    authentication: 'never',
    decline: null,
    aftermath: null,
    ...more,
  }
}

/** A declining card answers to its name with and without `visa_`, both of which have been published. */
function declining(number: string, name: string, decline: DeclineName): TestCard {
  return card(number, `chargeDeclined${name} visa_chargeDeclined${name}`, { decline })
}

export const testCards: readonly TestCard[] = [
  card('4242424242424242', 'visa us'),
  card('4000056655665556', 'visa_debit', { funding: 'debit' }),
  card('5555555555554444', 'mastercard', { brand: 'mastercard' }),
  card('2223003122003222', 'mastercard_2series', { brand: 'mastercard' }),
  card('5200828282828210', 'mastercard_debit', { brand: 'mastercard', funding: 'debit' }),
  card('5105105105105100', 'mastercard_prepaid', { brand: 'mastercard', funding: 'prepaid' }),
  card('378282246310005', 'amex', { brand: 'amex' }),
  card('371449635398431', 'amex_two', { brand: 'amex' }),
  card('6011111111111117', 'discover', { brand: 'discover' }),
  card('6011000990139424', 'discover_two', { brand: 'discover' }),
  card('3056930009020004', 'diners', { brand: 'diners' }),
  card('36227206271667', 'diners_14digits', { brand: 'diners' }),
  card('3566002020360505', 'jcb', { brand: 'jcb', country: 'JP' }),
  card('6200000000000005', 'unionpay', { brand: 'unionpay', country: 'CN' }),
  card('4000008260000000', 'gb', { country: 'GB' }),
  card('4000058260000005', 'gb_debit', { country: 'GB', funding: 'debit' }),
  card('5555558265554449', 'gb_mastercard', { brand: 'mastercard', country: 'GB' }),
  card('4000003720000005', 'ie', { country: 'IE' }),
  card('4000002500000003', 'fr', { country: 'FR' }),
  card('4000002760000016', 'de', { country: 'DE' }),
  card('4000007240000007', 'es', { country: 'ES' }),
  card('4000000000000077', 'bypassPending'),
  card('4000000000000101', 'cvcCheckFail'),
  card('4000000000000010', 'avsFail'),

  declining('4000000000000002', '', 'generic'),
  declining('4000000000009995', 'InsufficientFunds', 'insufficient_funds'),
  declining('4000000000009987', 'LostCard', 'lost_card'),
  declining('4000000000009979', 'StolenCard', 'stolen_card'),
  declining('4000000000000069', 'ExpiredCard', 'expired_card'),
  declining('4000000000000127', 'IncorrectCvc', 'incorrect_cvc'),
  declining('4000000000000119', 'ProcessingError', 'processing_error'),
  declining('4000000000006975', 'VelocityLimitExceeded', 'velocity_exceeded'),
  card('4100000000000019', 'radarBlock chargeDeclinedFraudulent visa_chargeDeclinedFraudulent', {
    decline: 'fraudulent',
  }),
  card('4000000000000341', 'chargeCustomerFail', { decline: 'generic' }),

  card('4000000000000259', 'createDispute', { aftermath: 'dispute_fraudulent' }),
  card('4000000000002685', 'createDisputeProductNotReceived', { aftermath: 'dispute_product_not_received' }),
  card('4000000000001976', 'createDisputeInquiry', { aftermath: 'inquiry' }),
  card('4000000000005423', 'createIssuerFraudRecord', { aftermath: 'early_fraud_warning' }),
  card('4000000000007726', 'pendingRefund', { aftermath: 'refund_pending' }),
  card('4000000000005126', 'refundFail', { aftermath: 'refund_fails' }),

  card('4000000000003220', 'threeDSecure2Required', { authentication: 'on_session' }),
  card('4000000000003063', 'threeDSecureRequired', { authentication: 'on_session' }),
  card('4000008400001629', 'threeDSecureRequiredChargeDeclined', {
    authentication: 'on_session',
    decline: 'generic',
  }),
  card('4000008400001280', 'threeDSecureRequiredProcessingError', { authentication: 'broken' }),
  card('4000000000003055', 'threeDSecureOptional'),
  card('4000000000003097', 'threeDSecureOptionalProcessingError'),
  card('4000002760003184', 'authenticationRequired', { authentication: 'always', country: 'DE' }),
  card('4000002500003155', 'authenticationRequiredOnSetup', { authentication: 'always', country: 'FR' }),
  card('4000003800000446', 'authenticationRequiredSetupForOffSession', { authentication: 'on_session' }),
  card('4000008260003178', 'authenticationRequiredChargeDeclinedInsufficientFunds', {
    authentication: 'always',
    decline: 'insufficient_funds',
    country: 'GB',
  }),
]

export function testCardByNumber(number: string): TestCard | undefined {
  return testCards.find((each) => each.number === number)
}

/** `pm_card_visa` or `tok_visa`; anything else is not the name of a test card. */
export function testCardByName(name: string): TestCard | undefined {
  const short = /^(?:pm_card|tok)_(\w+)$/.exec(name)?.[1]
  return short === undefined ? undefined : testCards.find((each) => each.names.includes(short))
}
