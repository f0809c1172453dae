/** `7 Aldergate Mews, Harrogate HG1 2ZZ`. */
export const addressLine = ({ street, town, postcode }: { street: string; town: string; postcode: string }) =>
  `${street}, ${town} ${postcode}`

/** Where a tap on a phone number leads. */
export const phoneLink = (phone: string) => `tel:${phone.replaceAll(' ', '')}`

/** The VAT in a price, in pence: what a rate in percent makes of it; nothing while the studio is not registered. */
export const vatIn = (pence: number, vat: { rate: number } | null) =>
  vat ? Math.round((pence * vat.rate) / (100 + vat.rate)) : 0

type Kept = { ownerEmail: string; notice: { text: string; until: string | null } | null }

/** What everybody is told on a day of the studio's: without the owner's own address, and without a notice that is over. */
export function publicFacts<F extends Kept>({ ownerEmail: _, ...facts }: F, today: string): Omit<F, 'ownerEmail'> {
  const isOver = facts.notice?.until != null && facts.notice.until < today
  return isOver ? { ...facts, notice: null } : facts
}
