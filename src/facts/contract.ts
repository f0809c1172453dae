import { z } from 'zod'
import { cleanPhone } from '#foundation/clean-text.ts'
import { endpoint } from '#foundation/endpoint.ts'
import {
  AmountInput,
  AmountText,
  DateText,
  emailAddress,
  InstantText,
  PathId,
  requiredName,
  requiredText,
  TimeText,
} from '#foundation/fields.ts'
import { personName } from '#foundation/person-names.ts'
import { commonRefusals, refusals } from '#foundation/refusal.ts'
import { PlaceName, pictureRefusals, UploadedPicture } from '#pictures/contract.ts'
import { Timetable, Timetables, TimetablesEdit } from './contract-timetable.ts'
import { PLACEHOLDERS, unknownPlaceholders } from './numbers.ts'

export const factsRefusals = refusals({
  version_not_found: [404, 'This version does not exist.'],
  teachers_share_a_name: [400, 'Another teacher has this name. Please make them different.'],
})

const words = (message: string, max = 2000) => requiredText(message, max)

/** A policy's text: see `fillPolicyNumbers`. */
const policy = (message: string) =>
  words(message).superRefine((text, { addIssue }) => {
    const [unknown] = unknownPlaceholders(text)
    if (unknown !== undefined) addIssue(`There is no number called ${unknown}. You can use ${PLACEHOLDERS.join(', ')}`)
  })

const Opening = z
  .object({ opens: TimeText(), closes: TimeText() })
  .refine(({ opens, closes }) => opens < closes, {
    error: 'The closing time must be after the opening time',
    path: ['closes'],
  })
  .nullable()

const degrees = (most: number) => {
  const message = `Please enter degrees from -${most} to ${most}`
  return z.number(message).min(-most, message).max(most, message).nullable()
}

const Address = z.object({
  street: requiredName('Please enter the street'),
  town: requiredName('Please enter the town'),
  county: requiredName('Please enter the county'),
  postcode: requiredName('Please enter the postcode', 20).regex(
    /^[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}$/i,
    'Please enter the whole postcode, such as HG1 2ZZ',
  ),
  /** For maps; null if unknown. */
  latitude: degrees(90),
  longitude: degrees(180),
})
export type Address = z.output<typeof Address>

/** A VAT registration. The rate is in percent; prices include it. */
const Vat = z.object({
  number: z
    .string('Please enter the VAT number')
    .trim()
    .regex(/^(GB ?)?\d{3} ?\d{4} ?\d{2}$/i, 'Please enter the VAT number: nine digits, with GB before them or not'),
  rate: z
    .number('Please enter the rate in percent, such as 20')
    .min(0, 'Please enter a rate from 0 to 100')
    .max(100, 'Please enter a rate from 0 to 100'),
})
export type Vat = z.output<typeof Vat>

const VatPeriods = z
  .array(
    z.object({
      /** The first day; the period lasts until the next one starts. */
      from: DateText('Please choose the first day'),
      /** Null if not registered from that day. */
      vat: Vat.nullable(),
    }),
  )
  .max(50, 'Please enter at most 50 periods')
  .superRefine((periods, { addIssue }) => {
    for (const [place, { from }] of periods.entries()) {
      if (periods.findIndex((other) => other.from === from) < place) {
        addIssue({ code: 'custom', path: [place, 'from'], message: 'There is another change on this day' })
      }
    }
  })
export type VatPeriod = z.output<typeof VatPeriods>[number]

/** The owner's own pictures by place; the site's own are shown elsewhere. */
const OwnPictures = z.partialRecord(PlaceName, UploadedPicture.extend({ alt: z.string() }))
export type OwnPictures = z.output<typeof OwnPictures>

const httpsUrl = z
  .url({ protocol: /^https$/, hostname: z.regexes.domain, error: 'Please enter an address that begins with https://' })
  .max(300, 'Please use at most 300 characters')

/** A link to the studio on a social network. */
const Social = z.object({ name: requiredName('Please enter the network, such as Instagram', 40), url: httpsUrl })
export type Social = z.output<typeof Social>

/** Left out if there is none. */
const optionalName = (max = 200) => requiredName('Leave it out if there is none', max).optional()

export const LEGAL_FORMS = ['sole_trader', 'company', 'partnership'] as const

/**
 * Who runs the studio by law. The law asks a company for its number, where it is registered and its registered office
 * (Companies (Trading Disclosures) Regulations 2008), and a sole trader or partnership for an address for service
 * (Companies Act 2006, section 1202).
 */
const Legal = z
  .object({
    form: z.enum(LEGAL_FORMS, 'Please choose who runs the studio'),
    name: requiredName('Please enter the full name'),
    companyNumber: optionalName(20),
    registeredIn: optionalName(60),
    registeredOffice: optionalName(),
    serviceAddress: optionalName(),
    vatNumber: optionalName(20),
    icoNumber: optionalName(20),
  })
  .superRefine((legal, { addIssue }) => {
    for (const [field, message] of Object.entries(missingOf(legal)))
      addIssue({ code: 'custom', path: [field], message })
  })
export type Legal = z.output<typeof Legal>

/** What the law asks for and is not filled in, with a sentence for each field. */
function missingOf({ form, companyNumber, registeredIn, registeredOffice, serviceAddress }: LegalFields) {
  return {
    ...(form === 'company' && {
      ...(!companyNumber && { companyNumber: 'Please enter the company number' }),
      ...(!registeredIn && { registeredIn: 'Please enter where the company is registered, such as England and Wales' }),
      ...(!registeredOffice && { registeredOffice: 'Please enter the registered office' }),
    }),
    ...(form !== 'company' && !serviceAddress && { serviceAddress: 'Please enter the address for legal letters' }),
  }
}
type LegalFields = {
  form: (typeof LEGAL_FORMS)[number]
  companyNumber?: string | undefined
  registeredIn?: string | undefined
  registeredOffice?: string | undefined
  serviceAddress?: string | undefined
}

const MAX_TEACHERS = 20
/** A teacher beside the lead instructor. `portrait`: uploaded for the place `portrait`. */
const Teacher = z.object({
  name: personName('Please enter the teacher’s name', 100),
  role: requiredName('Please enter the role'),
  text: z.string().trim().max(5000, 'Please use at most 5000 characters'),
  portrait: UploadedPicture.nullable(),
})
const teachers = <T extends z.ZodType>(teacher: T) =>
  z.array(teacher).max(MAX_TEACHERS, `Please enter at most ${MAX_TEACHERS} teachers`)

/** The facts that the owner edits. Times are the studio's wall time, money decimal strings of pounds. */
export const StudioFacts = z.object({
  name: requiredName('Please enter the studio’s name', 60),
  address: Address,
  phone: z
    .string('Please enter the phone number')
    .overwrite(cleanPhone)
    .regex(/^\+?\d[\d ]{4,28}\d$/, 'Please enter a phone number: digits, with spaces between them'),
  email: emailAddress('Please enter a valid email address'),
  ownerEmail: emailAddress('Please enter a valid email address'),
  visit: z.object({
    door: words('Please enter how to find the door'),
    parking: words('Please enter where to park'),
    transport: words('Please enter how to get there by train or bus'),
  }),
  /** How to get in and about without steps, and what is not possible. */
  access: words('Please describe the access to the studio'),
  hours: z.object({
    Monday: Opening,
    Tuesday: Opening,
    Wednesday: Opening,
    Thursday: Opening,
    Friday: Opening,
    Saturday: Opening,
    Sunday: Opening,
  }),
  /** In order of the first day. */
  timetables: Timetables,
  notice: z.object({ text: words('Please enter the notice', 300), until: DateText().nullable() }).nullable(),
  /** For classes without their own price. */
  prices: z.object({ price: AmountText, passPrice: AmountText }),
  /** Null without one. */
  social: Social.nullable(),
  /** Where members can review the studio in public; null without one. */
  reviewUrl: httpsUrl.nullable(),
  texts: z.object({
    monthlyLimit: z
      .int('Please enter a whole number')
      .min(0, 'Please enter 0 or more')
      .max(10_000, 'Please enter at most 10,000'),
  }),
  /** Null until filled in. */
  legal: Legal.nullable(),
  instructor: z.object({
    name: requiredName('Please enter the teacher’s name', 100),
    role: requiredName('Please enter the role'),
    background: words('Please enter the background', 300),
    story: words('Please enter the story', 5000),
  }),
  /** Who teaches beside the lead instructor. A class keeps its teacher’s name, so their names are unique. */
  teachers: teachers(Teacher),
  pictures: OwnPictures,
  /** In order of the first day; before it the studio is not registered. */
  vatPeriods: VatPeriods,
  policies: z.object({
    cancelling: policy('Please enter what happens when a member cancels'),
    refunds: policy('Please enter when purchases are refunded'),
  }),
  voucherTerms: policy('Please enter how gift vouchers work'),
})
export type StudioFacts = z.output<typeof StudioFacts>
/** What everyone can read. */
export type PublicFacts = Omit<StudioFacts, 'ownerEmail' | 'reviewUrl' | 'vatPeriods' | 'timetables' | 'texts'> & {
  vat: Vat | null
  /** The one in force, and the one after it. */
  timetable: Timetable | null
  nextTimetable: Timetable | null
  isConfirmed: boolean
}

/** Today's VAT registration. */
const vat = Vat.nullable()

export const PublicStudio = StudioFacts.omit({
  ownerEmail: true,
  reviewUrl: true,
  vatPeriods: true,
  timetables: true,
  texts: true,
})
  .extend({
    vat,
    timetable: Timetable.nullable(),
    nextTimetable: Timetable.nullable(),
    /** Whether the owner has confirmed name, address and contact; always true in demo mode. */
    isConfirmed: z.boolean(),
  })
  .meta({ id: 'Studio' })

export const readStudio = endpoint('GET /api/studio', {
  who: 'anyone',
  summary: 'The studio’s address, opening hours, contact details and notice',
  response: PublicStudio,
  isVersioned: true,
})

/** The facts and their version, 0 until the first edit. */
export const OwnStudio = StudioFacts.extend({ vat, version: z.int(), changedAt: InstantText.nullable() }).meta({
  id: 'OwnStudio',
})
export type OwnStudio = z.output<typeof OwnStudio>

export const readOwnStudio = endpoint('GET /api/admin/studio', {
  summary: 'The studio’s facts, as the owner edits them',
  response: OwnStudio,
})

const Edit = StudioFacts.extend({
  /** Replaces them all. */
  pictures: z.partialRecord(
    PlaceName,
    z.object({
      id: z.string('Please upload the picture first'),
      alt: requiredText('Please describe the picture for people who cannot see it', 250),
    }),
  ),
  /** Replaces them all. */
  teachers: teachers(
    Teacher.extend({ portrait: z.object({ id: z.string('Please upload the picture first') }).nullish() }),
  ),
  /** A new address may leave out its coordinates. */
  address: Address.partial({ latitude: true, longitude: true }),
  prices: z.object({
    price: AmountInput('Please enter the price of a class'),
    passPrice: AmountInput('Please enter the price with a pass'),
  }),
  /** Replaces all of them; classes that exist stay as they are. */
  timetables: TimetablesEdit,
})

export const editStudio = endpoint('PUT /api/admin/studio', {
  summary: 'Change the studio’s facts; only the fields sent change, and every page shows them within a minute',
  body: Edit.partial().extend({
    /** From today on. Ignored if `vatPeriods` is sent, which replaces the whole list. */
    vat: vat.optional(),
    /** The version that was read: refused if someone has changed it since. Without it, any version is accepted. */
    ifVersion: z.int('Enter the number of the version you have read').nullish(),
  }),
  response: OwnStudio,
  refusals: [commonRefusals.edit_conflict, pictureRefusals.picture_not_found, factsRefusals.teachers_share_a_name],
})
export type StudioEdit = z.input<typeof editStudio.body>

export const readStudioBefore = endpoint('GET /api/admin/studio/versions/:id/before', {
  summary: 'The facts before a version was saved, to restore them',
  params: PathId,
  response: OwnStudio,
  refusals: [factsRefusals.version_not_found],
})
