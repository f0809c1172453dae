/** The fields of a row. `name` is the full name. */
export const FIELDS = [
  'firstName',
  'lastName',
  'name',
  'email',
  'phone',
  'credits',
  'expiry',
  'package',
  'bookingDate',
  'bookingTime',
  'consent',
  'consentDate',
  'consentSource',
] as const
export type Field = (typeof FIELDS)[number]

/** The most rows in one import. */
export const MAX_ROWS = 5000
/** The most credits of a row, as of a package. */
export const MAX_CREDITS = 1000
/** How far ahead an expiry date may be, as with packages. */
const MAX_YEARS = 10

/** Headings of other systems (Momence, Mindbody, TeamUp), in lower case and letters only; the first match counts. */
const HEADINGS: Record<Field, readonly string[]> = {
  firstName: ['firstname', 'first', 'givenname', 'forename', 'clientfirstname', 'customerfirstname', 'memberfirstname'],
  lastName: ['lastname', 'last', 'surname', 'familyname', 'clientlastname', 'customerlastname', 'memberlastname'],
  name: ['name', 'fullname', 'client', 'clientname', 'customer', 'customername', 'member', 'membername'],
  email: ['email', 'emailaddress', 'clientemail', 'customeremail', 'memberemail', 'primaryemail', 'emails'],
  phone: [
    'phone',
    'phonenumber',
    'mobile',
    'mobilephone',
    'mobilenumber',
    'cellphone',
    'telephone',
    'contactnumber',
    'homephone',
  ],
  credits: [
    'credits',
    'creditsremaining',
    'creditsleft',
    'remainingcredits',
    'remaining',
    'sessionsremaining',
    'sessionsleft',
    'remainingsessions',
    'visitsremaining',
    'remainingvisits',
    'classesremaining',
    'classesleft',
    'remainingclasses',
    'usesremaining',
    'remaininguses',
  ],
  expiry: [
    'expiry',
    'expirydate',
    'expires',
    'expireson',
    'expiresat',
    'expiration',
    'expirationdate',
    'expdate',
    'validuntil',
    'validto',
    'enddate',
    'endson',
  ],
  package: [
    'package',
    'packagename',
    'pass',
    'passname',
    'membership',
    'membershipname',
    'pricingoption',
    'product',
    'productname',
    'service',
    'series',
  ],
  bookingDate: ['bookingdate', 'bookedfor', 'classdate', 'sessiondate', 'appointmentdate'],
  bookingTime: ['bookingtime', 'classtime', 'sessiontime', 'appointmenttime', 'starttime', 'starts'],
  consent: ['marketingconsent', 'consent', 'marketingoptin', 'optin', 'optedin', 'emailoptin', 'newsletter'],
  consentDate: ['consentdate', 'consentgivenon', 'optindate', 'agreedon'],
  consentSource: ['consentsource', 'consentgivenby', 'optinsource', 'consentwhere'],
}

const plain = (heading: string) => heading.toLowerCase().replace(/[^a-z]/g, '')

/** Finds the heading of each field by its usual names. */
export function recognise(headings: readonly string[]): Partial<Record<Field, string>> {
  const found: Partial<Record<Field, string>> = {}
  for (const field of FIELDS) {
    const heading = HEADINGS[field]
      .map((usual) => headings.find((written) => plain(written) === usual))
      .find((written) => written !== undefined)
    if (heading !== undefined) found[field] = heading
  }
  // Two columns for the name are better than one.
  if (found.firstName && found.lastName) delete found.name
  return found
}

/** Questions about required columns that are missing. */
export function missingColumns(columns: Partial<Record<Field, string | null>>): string[] {
  const lacks = (field: Field) => !columns[field]
  return [
    ...(lacks('email') ? ['Which column holds the email address?'] : []),
    ...(lacks('name') && (lacks('firstName') || lacks('lastName')) ? ['Which columns hold the names?'] : []),
  ]
}

/** Splits `Smith, Ann` or `Ann Smith`; the first word is the first name. */
export function splitName(name: string): { firstName: string; lastName: string } {
  const comma = name.indexOf(',')
  if (comma >= 0) return { firstName: name.slice(comma + 1).trim(), lastName: name.slice(0, comma).trim() }
  const [firstName = '', ...rest] = name.trim().split(/\s+/)
  return { firstName, lastName: rest.join(' ') }
}

/** A whole number of credits, 0 for an empty cell, undefined for anything else. */
export function creditsOf(cell: string): number | undefined {
  if (cell === '') return 0
  if (!/^\d{1,4}(\.0+)?$/.test(cell)) return undefined
  const credits = Number(cell)
  return credits <= MAX_CREDITS ? credits : undefined
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
/** 1 to 12 for a month's name or the start of one; 0 for any other word. */
const monthOf = (word: string) => MONTHS.findIndex((month) => month.startsWith(word.toLowerCase())) + 1
/** Date formats, each with an optional time after it. Numbers are in British order: day, month. */
const DATE_FORMATS = [
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ].*)?$/,
  /^(?<day>\d{1,2})[/.](?<month>\d{1,2})[/.](?<year>\d{4})(?: .*)?$/,
  /^(?:[a-z]+,? )?(?<day>\d{1,2})(?:st|nd|rd|th)?[ -](?<month>[a-z]{3,9})\.?,?[ -](?<year>\d{4})(?:,? .*)?$/i,
  /^(?:[a-z]+, )?(?<month>[a-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})(?:,? .*)?$/i,
]

/**
 * Reads `2026-12-31`, `31/12/2026`, `31 Dec 2026` or `December 31, 2026`. Null for an empty cell; undefined for
 * anything else and for dates too far ahead.
 */
export function expiryDateOf(cell: string, today: string): string | null | undefined {
  if (cell === '') return null
  const { year, month, day } = DATE_FORMATS.map((format) => format.exec(cell)?.groups).find((parts) => parts) ?? {}
  if (!year || !month || !day) return undefined
  try {
    const date = Temporal.PlainDate.from(
      { year: Number(year), month: Number(month) || monthOf(month), day: Number(day) },
      { overflow: 'reject' },
    )
    const last = Temporal.PlainDate.from(today).add({ years: MAX_YEARS })
    return Temporal.PlainDate.compare(date, last) > 0 || date.year < 1900 ? undefined : date.toString()
  } catch {
    return undefined
  }
}

/** Reads `09:30`, `9:30`, `9.30` or `9:30 am` as `HH:mm`. Null for an empty cell, undefined for anything else. */
export function timeOf(cell: string): string | null | undefined {
  if (cell === '') return null
  const parts = /^(?<hour>\d{1,2})[:.](?<minute>\d{2})(?:[:.]00)? ?(?<half>am|pm)?$/i.exec(cell)?.groups
  if (!parts) return undefined
  const half = parts.half?.toLowerCase()
  const typed = Number(parts.hour)
  if (half && (typed < 1 || typed > 12)) return undefined
  const hour = half ? (typed % 12) + (half === 'pm' ? 12 : 0) : typed
  const minute = Number(parts.minute)
  if (hour > 23 || minute > 59) return undefined
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/** Whether a cell says that the member agreed to news and offers. */
export const isYes = (cell: string) => /^(yes|y|true|1|x|agreed|opted in|subscribed)$/i.test(cell)

/** Whether a spreadsheet would treat the text as a formula. */
export const isFormula = (text: string) => /^[=+\-@\t\r]/.test(text)
