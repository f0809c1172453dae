import { z } from 'zod'
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
import { commonRefusals, refusals } from '#foundation/refusal.ts'
import { BRACES, unknownInBraces } from './numbers.ts'

export const factsRefusals = refusals({
  version_not_found: [404, 'There is no such version.'],
})

const words = (message: string, max = 2000) => requiredText(message, max)

/** A policy's words: see `withNumbers`. */
const policy = (message: string) =>
  words(message).superRefine((text, { addIssue }) => {
    const [unknown] = unknownInBraces(text)
    if (unknown) addIssue(`${unknown} is not known. You can use ${BRACES.join(', ')}`)
  })

const Opening = z
  .object({ opens: TimeText(), closes: TimeText() })
  .refine(({ opens, closes }) => opens < closes, { error: 'Please close after opening', path: ['closes'] })
  .nullable()

const degrees = (most: number) =>
  z
    .number('Please enter degrees as a number')
    .min(-most, 'Please enter degrees')
    .max(most, 'Please enter degrees')
    .nullable()

const Address = z.object({
  street: requiredName('Please enter the street'),
  town: requiredName('Please enter the town'),
  county: requiredName('Please enter the county'),
  postcode: requiredName('Please enter the postcode', 20),
  /** For maps; null when nobody knows. */
  latitude: degrees(90),
  longitude: degrees(180),
})
export type Address = z.output<typeof Address>

/** A registration for VAT. The rate is in percent, and in every price. */
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
      /** The first day; it lasts until the next period begins. */
      from: DateText('Please choose the first day'),
      /** Null: not registered from that day on. */
      vat: Vat.nullable(),
    }),
  )
  .max(50, 'Please keep to 50 periods')
  .superRefine((periods, { addIssue }) => {
    for (const [place, { from }] of periods.entries()) {
      if (periods.findIndex((other) => other.from === from) < place) {
        addIssue({ code: 'custom', path: [place, 'from'], message: 'There is another change on this day' })
      }
    }
  })
export type VatPeriod = z.output<typeof VatPeriods>[number]

/** What the owner says of the studio. Times are the studio's wall time, money decimal strings of pounds. */
export const StudioFacts = z.object({
  address: Address,
  phone: z
    .string('Please enter the phone number')
    .trim()
    .regex(/^\+?\d[\d ]{4,28}\d$/, 'Please enter a phone number: digits, with blanks between them'),
  email: emailAddress('Please enter a valid email address'),
  ownerEmail: emailAddress('Please enter a valid email address'),
  visit: z.object({
    door: words('Please say how to find the door'),
    parking: words('Please say where to park'),
    transport: words('Please say how to come without a car'),
  }),
  hours: z.object({
    Monday: Opening,
    Tuesday: Opening,
    Wednesday: Opening,
    Thursday: Opening,
    Friday: Opening,
    Saturday: Opening,
    Sunday: Opening,
  }),
  notice: z.object({ text: words('Please enter the notice', 300), until: DateText().nullable() }).nullable(),
  /** Of a class that is made without. */
  prices: z.object({ price: AmountText, passPrice: AmountText }),
  instructor: z.object({
    role: requiredName('Please enter the role'),
    background: words('Please enter the background', 300),
    story: words('Please enter the story', 5000),
  }),
  /** Registrations for VAT by their first day, in order; before the first the studio is not registered. */
  vatPeriods: VatPeriods,
  policies: z.object({
    cancelling: policy('Please say what happens when somebody cancels'),
    refunds: policy('Please say when money comes back'),
  }),
})
export type StudioFacts = z.output<typeof StudioFacts>
/** What everybody is told. */
export type PublicFacts = Omit<StudioFacts, 'ownerEmail' | 'vatPeriods'> & { vat: Vat | null }

/** Today's registration; null while the studio is not registered. */
const vat = Vat.nullable()

export const PublicStudio = StudioFacts.omit({ ownerEmail: true, vatPeriods: true })
  .extend({ vat })
  .meta({ id: 'Studio' })

export const readStudio = endpoint('GET /api/studio', {
  who: 'anyone',
  summary: 'Where the studio is, when it is open, how to reach it, and what it has to say today',
  reply: PublicStudio,
  isVersioned: true,
})

/** The facts and which version of them: 0 until somebody has edited them. */
export const OwnStudio = StudioFacts.extend({ vat, version: z.int(), changedAt: InstantText.nullable() }).meta({
  id: 'OwnStudio',
})
export type OwnStudio = z.output<typeof OwnStudio>

export const readOwnStudio = endpoint('GET /api/admin/studio', {
  who: 'admin',
  summary: 'What the owner says of the studio',
  reply: OwnStudio,
})

const Edit = StudioFacts.extend({
  /** A new address may come without its place on the map. */
  address: Address.partial({ latitude: true, longitude: true }),
  prices: z.object({
    price: AmountInput('Please enter the price of a class'),
    passPrice: AmountInput('Please enter the price with a pass'),
  }),
})

export const editStudio = endpoint('PUT /api/admin/studio', {
  who: 'admin',
  summary:
    'Change what the owner says of the studio; only what is sent changes, and every page says it within a minute',
  body: Edit.partial().extend({
    /** From today on. Left aside where `vatPeriods` is sent, which replaces the whole list. */
    vat: vat.optional(),
    /** Which version was read: refused when somebody has changed it since. Absent: whatever it is now. */
    ifVersion: z.int('Please send the version that was read').nullish(),
  }),
  reply: OwnStudio,
  refusals: [commonRefusals.edit_conflict],
})
export type StudioEdit = z.input<typeof editStudio.body>

export const readStudioBefore = endpoint('GET /api/admin/studio/versions/:id/before', {
  who: 'admin',
  summary: 'What the owner said of the studio before a version was written: to go back to',
  params: PathId,
  reply: OwnStudio,
  refusals: [factsRefusals.version_not_found],
})
