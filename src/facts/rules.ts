import { WEEKDAYS } from '#foundation/dates.ts'
import { studio } from '#studio.ts'
import type { Legal, PublicFacts, StudioFacts, Vat, VatPeriod } from './contract.ts'
import type { Slot, Timetable, TimetablesEdit } from './contract-timetable.ts'

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

/** The set-up list of a live site, in order; `finished` is the owner's farewell to the list. */
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

/** What emails and calendars say about the studio; an unconfirmed site does not give the example's address, phone and email. */
export type MailFacts = Omit<StudioFacts, 'address' | 'phone' | 'email'> & {
  [F in 'address' | 'phone' | 'email']: StudioFacts[F] | null
}

/** Where emails to the owner go. */
export const ownerOf = ({ ownerEmail, instructor }: StudioFacts) => ({
  email: ownerEmail,
  firstName: instructor.name.split(/\s+/)[0] ?? '',
})

/** What can be filled in about who runs the studio, in the order of the form. */
export const LEGAL_FIELDS = [
  'name',
  'companyNumber',
  'registeredIn',
  'registeredOffice',
  'serviceAddress',
  'vatNumber',
  'icoNumber',
] as const
const OF_COMPANIES: readonly string[] = ['companyNumber', 'registeredIn', 'registeredOffice']

/** Companies have a number and a registered office, others an address for service. */
export const isAskedOf = (form: Legal['form'], field: string) =>
  form === 'company' ? field !== 'serviceAddress' : !OF_COMPANIES.includes(field)

/** What the law wants a business to disclose, one line each; nothing until it is filled in. */
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

/** The weekly timetable in force on a day, `YYYY-MM-DD`; null before the first one. */
export const timetableOn = (timetables: readonly Timetable[], day: string): Timetable | null =>
  timetables.findLast(({ from }) => from <= day) ?? null

/** The usual end of a session, `HH:mm`. */
export const usualEnd = (startTime: string) =>
  Temporal.PlainTime.from(startTime).add({ minutes: studio.session.minutes }).toString({ smallestUnit: 'minute' })

/** Timetables as they are saved: in order of the first day, their classes in order of the week. */
export function completeTimetables(timetables: TimetablesEdit): Timetable[] {
  return timetables
    .map(({ from, slots }) => ({
      from,
      slots: slots
        .map((slot) => ({
          day: slot.day,
          startTime: slot.startTime,
          endTime: slot.endTime ?? usualEnd(slot.startTime),
          maxParticipants: slot.maxParticipants ?? 2,
        }))
        .sort(inOrderOfWeek),
    }))
    .sort((a, b) => a.from.localeCompare(b.from))
}

export const inOrderOfWeek = (a: Slot, b: Slot) =>
  WEEKDAYS.indexOf(a.day) - WEEKDAYS.indexOf(b.day) || a.startTime.localeCompare(b.startTime)

/** In the order of a week. */
export const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
export type Day = (typeof DAYS)[number]
/** Wall times of the studio; null if closed all day. */
export type Opening = { opens: string; closes: string } | null

/** Opening hours in words; consecutive days with the same hours are grouped: `Monday to Friday`. */
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
