import { z } from 'zod'
import { accountRefusals } from '#accounts/contract.ts'
import { endpoint } from '#foundation/endpoint.ts'
import {
  AmountText,
  DateText,
  Flag,
  FlagText,
  Id,
  InstantText,
  isInOrder,
  Message,
  PathId,
} from '#foundation/fields.ts'
import { packageRefusals } from '#packages/contract.ts'
import { Gift, voucherRefusals } from '#vouchers/contract.ts'
import { CODE_REFUSALS, CodeTyped, codeRefusals } from './code-refusals.ts'
import { GIFT_REFUSALS, OrderLines, paymentRefusals } from './contract.ts'

export const getQuote = endpoint('GET /api/checkout/quote', {
  who: 'member',
  summary: 'The lines of an order and its total, with a promotion code if given; `gift=true` for a gift voucher',
  query: z.object({
    packageId: z.coerce.number().int().min(1).max(2_147_483_647),
    code: CodeTyped.optional(),
    gift: FlagText().optional(),
  }),
  response: z.object({ lines: OrderLines, total: AmountText }),
  refusals: [
    packageRefusals.package_not_found,
    paymentRefusals.package_not_on_sale,
    voucherRefusals.voucher_once_only,
    ...CODE_REFUSALS,
  ],
})

export const buyForFree = endpoint('POST /api/checkout/free', {
  who: 'member',
  summary: 'Buy a package that a code makes free: pass or gift voucher, and receipt, at once; once per member and code',
  body: z.object({ packageId: Id, code: CodeTyped, gift: Gift.nullish() }),
  response: Message,
  status: 201,
  refusals: [
    packageRefusals.package_not_found,
    accountRefusals.account_blocked,
    paymentRefusals.package_not_on_sale,
    paymentRefusals.package_already_held,
    paymentRefusals.payments_disabled,
    codeRefusals.payment_needed,
    ...CODE_REFUSALS,
    ...GIFT_REFUSALS,
  ],
})

export const PromotionCode = z
  .object({
    id: z.int(),
    code: z.string(),
    kind: z.enum(['percent', 'amount']),
    /** Percent, or pounds. */
    value: z.number(),
    packageIds: z.array(z.int()).nullable(),
    from: DateText().nullable(),
    until: DateText().nullable(),
    maxUses: z.int().nullable(),
    oncePerMember: z.boolean(),
    firstPurchaseOnly: z.boolean(),
    /** Paid orders, and payments that have it reserved. */
    uses: z.int(),
    reserved: z.int(),
    endedAt: InstantText.nullable(),
    createdAt: InstantText,
  })
  .meta({ id: 'PromotionCode' })
export type PromotionCode = z.output<typeof PromotionCode>

const NOT_A_CODE = 'Please use 3 to 24 letters, digits and hyphens'
const NOT_A_VALUE = 'Please enter a number above 0'
const wholeNumber = (message: string) => z.int(message).min(1, message).max(1_000_000, message)

const CodeFields = z.object({
  code: CodeTyped.refine((text) => /^[A-Z0-9-]{3,24}$/.test(text), NOT_A_CODE),
  kind: z.enum(['percent', 'amount'], 'Please choose percent or an amount'),
  value: z.number(NOT_A_VALUE).positive(NOT_A_VALUE).max(999_999, 'Please enter a smaller number'),
  packageIds: z.array(Id).min(1, 'Please choose at least one package').max(100).nullish(),
  from: DateText().nullish(),
  until: DateText().nullish(),
  maxUses: wholeNumber('Please enter how many times it can be used').nullish(),
  oncePerMember: Flag,
  firstPurchaseOnly: Flag,
})

/** What both forms check about several fields together. */
const checked = <Form extends typeof CodeFields>(form: Form) =>
  form
    .refine(({ kind, value }) => kind !== 'percent' || (Number.isInteger(value) && value <= 100), {
      path: ['value'],
      message: 'Please enter a whole percentage from 1 to 100',
    })
    .refine(({ kind, value }) => kind !== 'amount' || Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, {
      path: ['value'],
      message: 'Please enter pounds and pence, such as 5 or 7.50',
    })
    .refine(({ from, until }) => !from || !until || isInOrder({ from, to: until }), {
      path: ['until'],
      message: 'Please choose an end that is not before the start',
    })
export const PromotionCodeForm = checked(CodeFields)
export type PromotionCodeForm = z.output<typeof PromotionCodeForm>

/** The dialog's fields are texts and ticks; no tick means every package. */
export const CodeDialogForm = z
  .object({
    code: z.string(),
    kind: z.enum(['percent', 'amount']),
    value: z.string(),
    only: z.record(z.string(), z.boolean()),
    from: z.string(),
    until: z.string(),
    maxUses: z.string(),
    oncePerMember: Flag,
    firstPurchaseOnly: Flag,
  })
  .transform(({ value, only, from, until, maxUses, ...typed }): z.input<typeof PromotionCodeForm> => {
    const ticked = Object.keys(only).filter((key) => only[key])
    return {
      ...typed,
      value: Number(value.trim() || Number.NaN),
      packageIds: ticked.length > 0 ? ticked.map((key) => Number(key.slice(1))) : null,
      from: from || null,
      until: until || null,
      maxUses: maxUses.trim() ? Number(maxUses) : null,
    }
  })
  .pipe(PromotionCodeForm)
export type CodeTypedForm = z.input<typeof CodeDialogForm>

export const listPromotionCodes = endpoint('GET /api/admin/promotion-codes', {
  summary: 'Promotion codes, newest first, ended ones last',
  response: z.array(PromotionCode),
})

export const createPromotionCode = endpoint('POST /api/admin/promotion-codes', {
  summary: 'Create a promotion code; it works from its first day, or at once',
  body: PromotionCodeForm,
  response: PromotionCode,
  status: 201,
  refusals: [codeRefusals.code_exists, packageRefusals.package_not_found],
})

export const editPromotionCode = endpoint('PUT /api/admin/promotion-codes/:id', {
  summary: 'Change a promotion code; payments that have it reserved keep their price',
  params: PathId,
  body: PromotionCodeForm,
  response: PromotionCode,
  refusals: [codeRefusals.code_not_found, codeRefusals.code_exists, packageRefusals.package_not_found],
})

export const endPromotionCode = endpoint('DELETE /api/admin/promotion-codes/:id', {
  summary: 'End a promotion code; payments that have it reserved keep their price',
  params: PathId,
  says: 'Code ended',
  refusals: [codeRefusals.code_not_found],
})
