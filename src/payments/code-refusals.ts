import { z } from 'zod'
import { cleanLine } from '#foundation/clean-text.ts'
import { refusals } from '#foundation/refusal.ts'
import { MIN_PRICE_PENCE } from '#packages/rules.ts'

export const codeRefusals = refusals({
  code_unknown: [400, 'We do not know this code. Please check it.'],
  code_ended: [400, 'This code has ended.'],
  code_not_started: [400, 'This code cannot be used yet.'],
  code_not_for_package: [400, 'This code is not for this package.'],
  code_already_used: [400, 'You have used this code already. It can be used once per member.'],
  code_for_first_purchase: [400, 'This code is for a first purchase.'],
  code_used_up: [400, 'This code has been used up.'],
  total_too_low: [
    400,
    `With this code the order costs less than ${MIN_PRICE_PENCE} pence, which cannot be paid by card. Please contact the studio.`,
  ],
  nothing_to_pay: [400, 'With this code there is nothing to pay.'],
  payment_needed: [400, 'This order is not free. Please pay it at the checkout.'],
  code_exists: [400, 'There is a code with these letters already. End it first, or choose another.'],
  code_not_found: [404, 'Code not found.'],
})

/** As typed: neither capitals nor spaces around it matter. */
export const CodeTyped = z
  .string('Please enter a code')
  .overwrite(cleanLine)
  .trim()
  .min(1, 'Please enter a code')
  .max(64)
  .toUpperCase()

/** Why a code is refused, besides what refuses the package. */
export const CODE_REFUSALS = [
  codeRefusals.code_unknown,
  codeRefusals.code_ended,
  codeRefusals.code_not_started,
  codeRefusals.code_not_for_package,
  codeRefusals.code_already_used,
  codeRefusals.code_for_first_purchase,
  codeRefusals.code_used_up,
  codeRefusals.total_too_low,
] as const
