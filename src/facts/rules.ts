import { studio } from '../studio.ts'

/** In the order of a week. */
export const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
export type Day = (typeof DAYS)[number]
/** Wall times of the studio; null: closed all day. */
export type Opening = { opens: string; closes: string } | null

/** `7 Aldergate Mews, Harrogate HG1 2ZZ`. */
export const addressLine = ({ street, town, postcode }: { street: string; town: string; postcode: string }) =>
  `${street}, ${town} ${postcode}`

/** Where a tap on a phone number leads. */
export const phoneLink = (phone: string) => `tel:${phone.replaceAll(' ', '')}`

/** Opening hours as people say them, neighbouring days with the same hours together: `Monday to Friday`. */
export function hoursInWords(hours: Readonly<Record<Day, Opening>>): { days: string; times: string | null }[] {
  const runs: { days: Day[]; times: string | null }[] = []
  for (const day of DAYS) {
    const open = hours[day]
    const times = open && `${open.opens} - ${open.closes}`
    const last = runs.at(-1)
    if (last?.times === times) last.days.push(day)
    else runs.push({ days: [day], times })
  }
  return runs.map(({ days, times }) => ({
    days: days.length > 1 ? `${days[0]} to ${days.at(-1)}` : `${days[0]}`,
    times,
  }))
}

/** What may stand in braces in the policies' words, and the number that is said in its place. */
const NUMBERS: Readonly<Record<string, number>> = {
  minutes: studio.policies.lateCancellationMinutes,
  hours: studio.policies.noticeHours,
  days: studio.policies.refundDays,
  percent: studio.policies.refundFeePercent,
}
const IN_BRACES = /\{([^{}]*)\}/g

/** The names that may stand in braces, as an owner is told them. */
export const BRACES = Object.keys(NUMBERS).map((name) => `{${name}}`)

/** What stands in braces in a text and names no number of the policies. */
export function unknownInBraces(text: string): string[] {
  return [...text.matchAll(IN_BRACES)].flatMap(([written, name = '']) => (name in NUMBERS ? [] : [written]))
}

/** A policy's words with their numbers. */
export function withNumbers(text: string): string {
  return text.replace(IN_BRACES, (written, name) => String(NUMBERS[name] ?? written))
}

/** The VAT in a price, in pence: what a rate in percent makes of it; nothing while the studio is not registered. */
export const vatIn = (pence: number, vat: { rate: number } | null) =>
  vat ? Math.round((pence * vat.rate) / (100 + vat.rate)) : 0

type Kept = { ownerEmail: string; notice: { text: string; until: string | null } | null }

/** What everybody is told on a day of the studio's: without the owner's own address, and without a notice that is over. */
export function publicFacts<F extends Kept>({ ownerEmail: _, ...facts }: F, today: string): Omit<F, 'ownerEmail'> {
  const isOver = facts.notice?.until != null && facts.notice.until < today
  return isOver ? { ...facts, notice: null } : facts
}
