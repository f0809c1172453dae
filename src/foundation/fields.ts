import { z } from 'zod'
import { parseAmount } from './amounts.ts'
import { cleanLine, cleanLogin, cleanPhone, EXTENSION, VISIBLE, withoutInvisible } from './clean-text.ts'
import { type Pence, toDecimal } from './money.ts'
import { commonRefusals, refuse } from './refusal.ts'

// Names and addresses are cleaned and trimmed. Free texts are stored as sent, but for characters that nobody can see.
// The limits of 255 and 5,000 characters are our choice.

/** Ids are PostgreSQL integers; no row has id 0. */
const MAX_ID = 2_147_483_647
const UNUSED_ID = 0

/** A text that is not blank; `message` is the error if it is missing or blank. */
export const requiredText = (message: string, max = 255, tooLong = `Please use at most ${max} characters`) =>
  z.string(message).overwrite(withoutInvisible).regex(VISIBLE, message).max(max, tooLong)

/** A name of one line, cleaned and trimmed; `message` is the error if it is missing or blank. */
export const requiredName = (message: string, max = 255, tooLong = `Please use at most ${max} characters`) =>
  z.string(message).overwrite(cleanLine).trim().min(1, message).max(max, tooLong)

export const optionalText = (max = 5000) =>
  z.string('Enter text.').overwrite(withoutInvisible).max(max, `Please use at most ${max} characters`).nullish()

/** An email address, cleaned, as browsers validate it (`input type=email`), at most 254 characters (RFC 5321). */
export const emailAddress = (message: string) =>
  z
    .string(message)
    .overwrite(cleanLogin)
    .check(z.email({ error: message, pattern: z.regexes.html5Email }))
    .max(254, message)

const NOT_A_PHONE = 'Please enter a valid phone number'
/** Our choice. */
const MIN_PHONE_DIGITS = 5
/** A phone number as people write it: digits, spaces, + ( ) - . /. May be empty; cleaned, but not reformatted. */
export const phoneNumber = z
  .string(NOT_A_PHONE)
  .overwrite(cleanPhone)
  .max(50, NOT_A_PHONE)
  .refine((text) => text === '' || isPhone(text), NOT_A_PHONE)

function isPhone(text: string): boolean {
  const number = text.replace(EXTENSION, '')
  return /^[\d\s()+./-]*$/.test(number) && number.replace(/\D/g, '').length >= MIN_PHONE_DIGITS
}

/** A boolean. */
export const Flag = z.boolean({ error: ({ path }) => `Enter true or false for ${String(path?.at(-1))}` })

/** A flag in a query: exactly `true` or `false`. */
export const FlagText = (message?: string) =>
  z
    .stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive', error: message })
    .meta({ enum: ['true', 'false'] })

/** `Choose a class.` for the field `classId`. */
const idMessage = ({ path }: { path?: PropertyKey[] | undefined }) => {
  const [, subject] = /^(\w+)Id$/.exec(String(path?.at(-1))) ?? []
  return subject ? `Choose a ${subject}.` : 'Enter a whole number.'
}
/** A database id in a body. An impossible one (negative or beyond 32 bits) becomes an id that is not found. */
export const Id = z.int({ error: idMessage }).overwrite((id) => (Math.abs(id) <= MAX_ID ? id : UNUSED_ID))
/** A database id in a path, as plain decimal digits (not `1.0`, `0x1`, ` 1`). */
export const PathId = z.object({
  id: z.preprocess((text) => (/^\d{1,10}$/.test(String(text)) ? Number(text) : undefined), z.int().min(1).max(MAX_ID)),
})
export const UserPathId = z.object({ id: z.string().min(1).max(64) })

/** An existing date `YYYY-MM-DD`. */
export const DateText = (message = 'Please enter a date as YYYY-MM-DD') =>
  z.iso
    .date(message)
    // Passes malformed dates, which the previous check has reported, so that other fields are checked too.
    .refine((text) => !z.regexes.date.test(text) || (text >= '1900-01-01' && text <= '2199-12-31'), message)
/** Includes both dates. */
type DateRange = { from: string; to: string }
const DAY_MS = 86_400_000
export const isInOrder = ({ from, to }: DateRange) => from <= to
/** Checks that a range has at most this many days. */
export const spansAtMost =
  (days: number) =>
  ({ from, to }: DateRange) =>
    (Date.parse(to) - Date.parse(from)) / DAY_MS < days
/** A local time `HH:mm`. */
export const TimeText = (message = 'Please enter a time as HH:mm') =>
  z.string(message).regex(/^([01]\d|2[0-3]):[0-5]\d$/, message)
/**
 * A text in a response, given as such or as the database returns it. It is one step, not a transform with a check after
 * it, because these fields are much of the work of a long list.
 */
const writtenAs = <Value>(pattern: RegExp, write: (given: Value | string) => unknown) =>
  z.transform((given: Value | string, { addIssue }) => {
    const text = write(given)
    if (typeof text === 'string' && (text !== given || pattern.test(text))) return text
    addIssue('cannot be written')
    return z.NEVER
  })
const INSTANT = z.regexes.datetime({})
/** In responses: an instant as ISO 8601 in UTC. */
export const InstantText = writtenAs<Temporal.Instant>(INSTANT, (at) =>
  at instanceof Temporal.Instant ? at.toJSON() : at,
).meta({ type: 'string', format: 'date-time', pattern: INSTANT.source })
const AMOUNT = /^-?\d+\.\d{2}$/
/** In responses: an amount with two decimals, `"45.00"`; a number is pence. */
export const AmountText = writtenAs<Pence>(AMOUNT, (amount) =>
  typeof amount === 'number' && Number.isInteger(amount) ? toDecimal(amount) : amount,
).meta({ type: 'string', pattern: AMOUNT.source })
const NOT_AN_AMOUNT = 'Please write the price in pounds, such as 45, 45.50 or 1,200'
const AMOUNT_ERRORS = { not_an_amount: NOT_AN_AMOUNT, too_much: 'Please use a price below £1,000,000' }

const priceCheck =
  (missing: string, minimum?: { pence: Pence; message: string }) =>
  (written: string | number, { addIssue }: { addIssue: (message: string) => void }) => {
    const read = parseAmount(written)
    if ('fault' in read) addIssue(read.fault === 'missing' ? missing : AMOUNT_ERRORS[read.fault])
    else if (minimum && read.pence < minimum.pence) addIssue(minimum.message)
  }

/** An amount below a million: a number, or a text as people write prices. */
export const AmountInput = (missing: string, minimum?: { pence: Pence; message: string }) =>
  z
    .union([z.string(), z.number()], { error: ({ input }) => (input == null ? missing : NOT_AN_AMOUNT) })
    .superRefine(priceCheck(missing, minimum))
/** The same, in a form. */
export const AmountTyped = (missing: string) => z.string(missing).superRefine(priceCheck(missing))

export const Message = z.object({ message: z.string() })
/** Admin lists return everything if no limit is given. */
export const Paging = z.object({
  limit: z.coerce.number().int().min(1).max(1000).optional(),
  offset: z.coerce.number().int().min(0).max(10_000_000).optional(),
  search: z.string().max(255).overwrite(cleanLine).optional(),
})

/** An optional field whose default replaces absent and null. */
export const withDefault = <S extends z.ZodType, V extends z.output<S>>(schema: S, value: V) =>
  schema.nullish().transform((given) => given ?? value)

/** The `updatedAt` that the edit is based on; without it, conflicts are not checked. */
export const IfUpdatedAt = z.iso.datetime('Reload the page and try again.').nullish()

/** Refuses an edit if the row, which the caller has locked, has changed since it was read. */
export function refuseIfChanged(updatedAt: Temporal.Instant, read: string | null | undefined): void {
  if (read != null && !updatedAt.equals(Temporal.Instant.from(read))) refuse(commonRefusals.edit_conflict)
}
