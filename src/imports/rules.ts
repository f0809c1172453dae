/** What a column of the file may hold. `name` is first and last name in one. */
export const FIELDS = ['firstName', 'lastName', 'name', 'email', 'phone', 'credits', 'expiry', 'package'] as const
export type Field = (typeof FIELDS)[number]

/** So many rows are brought over at once; ours. */
export const MOST_ROWS = 5000
/** The most credits a row may bring; a package has no more. */
export const MOST_CREDITS = 1000
/** Years ahead that an expiry may lie, as with packages. */
const MOST_YEARS = 10

/**
 * Headings as other systems write them (Momence, Mindbody, TeamUp and plain spreadsheets), without case, blanks and
 * punctuation; the first that a file has is taken.
 */
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
}

const plain = (heading: string) => heading.toLowerCase().replace(/[^a-z]/g, '')

/** Which of a file's headings hold what, by their usual names; each heading is taken once. */
export function recognise(headings: readonly string[]): Partial<Record<Field, string>> {
  const found: Partial<Record<Field, string>> = {}
  for (const field of FIELDS) {
    const heading = HEADINGS[field]
      .map((usual) => headings.find((written) => plain(written) === usual))
      .find((written) => written !== undefined)
    if (heading !== undefined) found[field] = heading
  }
  // Names in two columns are better than the same in one.
  if (found.firstName && found.lastName) delete found.name
  return found
}

/** What is missing of the columns without which there is no member, in words. */
export function missingColumns(columns: Partial<Record<Field, string | null>>): string[] {
  const lacks = (field: Field) => !columns[field]
  return [
    ...(lacks('email') ? ['Which column holds the email address?'] : []),
    ...(lacks('name') && (lacks('firstName') || lacks('lastName')) ? ['Which columns hold the names?'] : []),
  ]
}

/** First and last name out of one cell: `Smith, Ann` or `Ann Smith`; the first word is the first name. */
export function splitName(name: string): { firstName: string; lastName: string } {
  const comma = name.indexOf(',')
  if (comma >= 0) return { firstName: name.slice(comma + 1).trim(), lastName: name.slice(0, comma).trim() }
  const [firstName = '', ...rest] = name.trim().split(/\s+/)
  return { firstName, lastName: rest.join(' ') }
}

/** A whole number of credits; an empty cell is none. Undefined: neither. */
export function creditsOf(cell: string): number | undefined {
  if (cell === '') return 0
  if (!/^\d{1,4}(\.0+)?$/.test(cell)) return undefined
  const credits = Number(cell)
  return credits <= MOST_CREDITS ? credits : undefined
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
/** 1 to 12 by a month's name or its first letters, three at least; 0 for any other word. */
const monthOf = (word: string) => MONTHS.findIndex((month) => month.startsWith(word.toLowerCase())) + 1
/** How a day may be written; a time behind it is left out. Of two numbers the first is the day, as the British write. */
const WAYS_TO_WRITE = [
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ].*)?$/,
  /^(?<day>\d{1,2})[/.](?<month>\d{1,2})[/.](?<year>\d{4})(?: .*)?$/,
  /^(?:[a-z]+,? )?(?<day>\d{1,2})(?:st|nd|rd|th)?[ -](?<month>[a-z]{3,9})\.?,?[ -](?<year>\d{4})(?:,? .*)?$/i,
  /^(?:[a-z]+, )?(?<month>[a-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})(?:,? .*)?$/i,
]

/**
 * A day as `2026-12-31`, `31/12/2026`, `31 Dec 2026` or `December 31, 2026`; null for an empty cell. Undefined: none of them, or
 * too far ahead.
 */
export function expiryDateOf(cell: string, today: string): string | null | undefined {
  if (cell === '') return null
  const { year, month, day } = WAYS_TO_WRITE.map((way) => way.exec(cell)?.groups).find((parts) => parts) ?? {}
  if (!year || !month || !day) return undefined
  try {
    const date = Temporal.PlainDate.from(
      { year: Number(year), month: Number(month) || monthOf(month), day: Number(day) },
      { overflow: 'reject' },
    )
    const last = Temporal.PlainDate.from(today).add({ years: MOST_YEARS })
    return Temporal.PlainDate.compare(date, last) > 0 || date.year < 1900 ? undefined : date.toString()
  } catch {
    return undefined
  }
}

/** Whether a name would be a formula to a spreadsheet: nobody is called so, and files of others are not trusted. */
export const isFormula = (text: string) => /^[=+\-@\t\r]/.test(text)
