import type { PublicFacts, StudioFacts, Vat, VatPeriod } from './contract.ts'
import { timetableOn } from './rules-timetable.ts'

/** `7 Aldergate Mews, Harrogate HG1 2ZZ`. */
export const addressLine = ({ street, town, postcode }: { street: string; town: string; postcode: string }) =>
  `${street}, ${town} ${postcode}`

export const phoneLink = (phone: string) => `tel:${phone.replaceAll(' ', '')}`

/** The VAT included in an amount, in pence, at a rate in percent; negative for a refund, 0 without a registration. */
export const vatIn = (pence: number, vat: { rate: number } | null) =>
  vat ? Math.sign(pence) * Math.round((Math.abs(pence) * vat.rate) / (100 + vat.rate)) : 0

/** The VAT registration on a day, `YYYY-MM-DD`, or null. */
export const vatOn = (periods: readonly VatPeriod[], day: string): Vat | null =>
  periods.findLast(({ from }) => from <= day)?.vat ?? null

/**
 * The facts that everyone can read on a day, `YYYY-MM-DD`: without the owner's email address and expired notices.
 *
 * @param isConfirmed whether the owner has confirmed name, address and contact
 */
export function publicFacts(
  { ownerEmail: _, reviewUrl: __, texts: ___, vatPeriods, timetables, ...facts }: StudioFacts,
  today: string,
  isConfirmed = true,
): PublicFacts {
  const hasExpired = facts.notice?.until != null && facts.notice.until < today
  return {
    ...facts,
    vat: vatOn(vatPeriods, today),
    timetable: timetableOn(timetables, today),
    nextTimetable: timetables.find(({ from }) => from > today) ?? null,
    ...(hasExpired && { notice: null }),
    isConfirmed,
  }
}

/** The set-up list of a live site, in order; `finished`: the owner has closed the list. */
export const SET_UP_ITEMS = [
  'name',
  'address',
  'contact',
  'legal',
  'hours',
  'timetable',
  'packages',
  'term',
  'card_payments',
  'test_email',
  'backup',
] as const
export type SetUpItemName = (typeof SET_UP_ITEMS)[number] | 'finished'

/** Confirmed before a live site sells, is found by search engines and gives its address in emails. */
export const BEFORE_OPENING = ['name', 'address', 'contact'] as const

/** What emails and calendars say about the studio; an unconfirmed site hides the example's address, phone and email. */
export type MailFacts = Omit<StudioFacts, 'address' | 'phone' | 'email'> & {
  [F in 'address' | 'phone' | 'email']: StudioFacts[F] | null
}

/** Where emails to the owner go. */
export const ownerOf = ({ ownerEmail, instructor }: StudioFacts) => ({
  email: ownerEmail,
  firstName: instructor.name.split(/\s+/)[0] ?? '',
})

/** Everyone who teaches by name, the lead instructor first. */
export const teacherNames = ({ instructor, teachers }: Pick<StudioFacts, 'instructor' | 'teachers'>): string[] => [
  instructor.name,
  ...teachers.map(({ name }) => name),
]

/** A class's teacher if it need be said: with several teachers, or another one than the lead instructor. */
export const teacherToSay = (
  { instructor, teachers }: Pick<StudioFacts, 'instructor' | 'teachers'>,
  teacher: string,
): string | undefined => (teachers.length > 0 || teacher !== instructor.name ? teacher : undefined)

/** Who teaches sessions, in words: `Eleanor Marsh`, or `Eleanor Marsh or Jo Hart`. */
export const whoTeaches = (facts: Pick<StudioFacts, 'instructor' | 'teachers'>): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(teacherNames(facts))

/** What a business must disclose by law, one line each; nothing until it is filled in. */
export function legalLines({ name: trading, legal }: Pick<StudioFacts, 'name' | 'legal'>): string[] {
  if (!legal) return []
  const { form, name, companyNumber, registeredIn, registeredOffice, serviceAddress, vatNumber } = legal
  const who =
    form === 'company'
      ? `${name}, registered in ${registeredIn}, company number ${companyNumber}`
      : `${trading} is run by ${name}${form === 'partnership' ? ' (a partnership)' : ''}`
  const where = form === 'company' ? `Registered office: ${registeredOffice}` : `Address for service: ${serviceAddress}`
  return [who, where, ...(vatNumber ? [`VAT number ${vatNumber}`] : [])]
}
