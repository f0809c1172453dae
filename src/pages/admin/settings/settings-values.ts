import type { FieldErrors, Resolver } from 'react-hook-form'
import { editStudio, type Legal, type OwnStudio, type StudioEdit } from '#facts/contract.ts'
import { DAYS, type Day } from '#facts/rules-hours.ts'
import { pick, recordOf } from '#foundation/collections.ts'

/** What can be filled in about who runs the studio, in the order of the form. */
const LEGAL_FIELDS = [
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
const isAskedOf = (form: Legal['form'], field: string) =>
  form === 'company' ? field !== 'serviceAddress' : !OF_COMPANIES.includes(field)

export type Values = Omit<
  StudioFields,
  'address' | 'hours' | 'notice' | 'vatPeriods' | 'social' | 'reviewUrl' | 'legal'
> & {
  /** Both empty: none. */
  social: { name: string; url: string }
  /** Empty: none. */
  reviewUrl: string
  /** Without a form: not filled in. */
  legal: { form: LegalForm | '' } & Record<(typeof LEGAL_FIELDS)[number], string>
  address: Omit<OwnStudio['address'], 'latitude' | 'longitude'> & { latitude: string; longitude: string }
  hours: Record<Day, { isOpen: boolean; opens: string; closes: string }>
  notice: { text: string; until: string }
  /** Without a number: not registered from that day. */
  vatPeriods: { from: string; number: string; rate: string }[]
}
type LegalForm = Legal['form']
type StudioFields = Omit<OwnStudio, 'version' | 'changedAt' | 'vat'>

/** The standard rate, the default of the first line. */
export const USUAL_RATE = '20'
const USUAL = { opens: '10:00', closes: '18:00' }

export function valuesOf({ version: _, changedAt: __, vat: ___, ...facts }: OwnStudio): Values {
  const { address, notice, social, legal } = facts
  const degrees = (value: number | null) => (value === null ? '' : String(value))
  return {
    ...facts,
    address: { ...address, latitude: degrees(address.latitude), longitude: degrees(address.longitude) },
    hours: recordOf(DAYS, (day) => ({ isOpen: facts.hours[day] !== null, ...(facts.hours[day] ?? USUAL) })),
    notice: { text: notice?.text ?? '', until: notice?.until ?? '' },
    social: social ?? { name: '', url: '' },
    reviewUrl: facts.reviewUrl ?? '',
    legal: { form: legal?.form ?? '', ...recordOf(LEGAL_FIELDS, (field) => legal?.[field] ?? '') },
    vatPeriods: facts.vatPeriods.map(({ from, vat }) => ({
      from,
      number: vat?.number ?? '',
      rate: vat ? String(vat.rate) : USUAL_RATE,
    })),
  }
}

/** The studio facts of the form's values. Invalid values are kept for the contract to refuse. */
export function factsOf({ address, hours, notice, vatPeriods, social, reviewUrl, legal, ...rest }: Values) {
  const degrees = (text: string) => (text.trim() === '' ? null : Number(text.replace(',', '.')))
  return {
    ...rest,
    address: { ...address, latitude: degrees(address.latitude), longitude: degrees(address.longitude) },
    hours: recordOf(DAYS, (day) => {
      const { isOpen, opens, closes } = hours[day]
      return isOpen ? { opens, closes } : null
    }),
    vatPeriods: vatPeriods.map(({ from, number, rate }) => ({
      from,
      vat: number.trim() === '' ? null : { number, rate: percent(rate) },
    })),
    notice: notice.text.trim() === '' ? null : { text: notice.text, until: notice.until || null },
    social: social.name.trim() || social.url.trim() ? social : null,
    reviewUrl: reviewUrl.trim() || null,
    legal: legal.form === '' ? null : { name: legal.name, ...filledIn({ ...legal, form: legal.form }) },
  }
}

/** Leaves out the empty fields, and those of the other forms. */
function filledIn({ form, ...fields }: Values['legal'] & { form: LegalForm }) {
  const kept = Object.entries(fields).filter(([name, text]) => text.trim() !== '' && isAskedOf(form, name))
  return { form, ...Object.fromEntries(kept) }
}

/** NaN for anything but a number, for the contract to refuse. */
const percent = (text: string) => (text.trim() === '' ? Number.NaN : Number(text.replace('%', '').replace(',', '.')))

/** Only the changed facts are sent, so that two owners do not undo each other's edits. */
export function changesIn(values: Values, read: OwnStudio): StudioEdit {
  const before: Record<string, unknown> = factsOf(valuesOf(read))
  const changed = Object.entries(factsOf(values)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  return Object.fromEntries(changed)
}

/** A fact of the studio that the form edits. */
export type Fact = Exclude<keyof Values & keyof StudioEdit, 'ifVersion'>

/** Checks these facts by the contract. */
export const resolverOf =
  (facts: readonly Fact[]): Resolver<Values> =>
  (values) => {
    const { success, error } = editStudio.body.safeParse(pick(factsOf(values), facts))
    if (success) return { values, errors: {} }
    const errors: Record<string, unknown> = {}
    for (const { path, message } of error.issues) {
      // The form holds a registration's fields next to its first day.
      const [name, place, field, ...rest] = path.map(String)
      const at = name === 'vatPeriods' && field === 'vat' ? [name, place ?? '', ...rest] : path.map(String)
      put(errors, at, { type: 'contract', message })
    }
    return { values: {}, errors: errors as FieldErrors<Values> }
  }

function put(into: Record<string, unknown>, [name = '', ...rest]: string[], fault: object): void {
  if (rest.length === 0) {
    into[name] ??= fault
    return
  }
  into[name] ??= {}
  put(into[name] as Record<string, unknown>, rest, fault)
}
