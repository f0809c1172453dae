/** What a column can hold. `name` is the full name; `bookingStart` is the date and the time of a class in one cell. */
export const FIELDS = [
  'firstName',
  'lastName',
  'name',
  'email',
  'phone',
  'credits',
  'expiry',
  'package',
  'bookingStart',
  'bookingDate',
  'bookingTime',
  'bookingStatus',
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
export const MAX_YEARS = 10

/** How dates such as 03/04/2027 are read: the day or the month first. */
export const DATE_ORDERS = ['day_first', 'month_first'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

/** Questions about required columns that are missing; `taken` is what each column is taken for. */
export function missingColumns(taken: readonly (Field | null)[]): string[] {
  const lacks = (...fields: Field[]) => !fields.some((field) => taken.includes(field))
  return [
    ...(lacks('email', 'phone') ? ['Which column holds the email address?'] : []),
    ...(lacks('name', 'firstName', 'lastName') ? ['Which columns hold the names?'] : []),
  ]
}
