import type { PublicFacts, StudioFacts, Vat, VatPeriod } from './contract.ts'

/** `7 Aldergate Mews, Harrogate HG1 2ZZ`. */
export const addressLine = ({ street, town, postcode }: { street: string; town: string; postcode: string }) =>
  `${street}, ${town} ${postcode}`

/** Where a tap on a phone number leads. */
export const phoneLink = (phone: string) => `tel:${phone.replaceAll(' ', '')}`

/** The VAT in an amount, in pence, at a rate in percent; a refund holds as much as the sale. Nothing without a registration. */
export const vatIn = (pence: number, vat: { rate: number } | null) =>
  vat ? Math.sign(pence) * Math.round((Math.abs(pence) * vat.rate) / (100 + vat.rate)) : 0

/** The registration on a day, `YYYY-MM-DD`; null where there is none. */
export const vatOn = (periods: readonly VatPeriod[], day: string): Vat | null =>
  periods.findLast(({ from }) => from <= day)?.vat ?? null

/** What everybody is told on a day of the studio's: without the owner's own address, and without a notice that is over. */
export function publicFacts({ ownerEmail: _, vatPeriods, ...facts }: StudioFacts, today: string): PublicFacts {
  const isOver = facts.notice?.until != null && facts.notice.until < today
  return { ...facts, vat: vatOn(vatPeriods, today), ...(isOver && { notice: null }) }
}
