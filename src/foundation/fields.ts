import { z } from 'zod'
import { parseAmount } from './amounts.ts'
import type { Pence } from './money.ts'
import { commonRefusals, refuse } from './refusal.ts'

/**
 * Field shapes that contracts share. Names and addresses are trimmed, free texts are stored exactly as sent;
 * the 255 and 5,000 character limits keep rows and indexes small and are ours, not the specification's.
 */
/** Ids are PostgreSQL integers; no row has id 0. */
const MOST_ID = 2_147_483_647
const NO_ID = 0
const NOT_BLANK = /\S/

/** A text that must hold more than white space; `message` is said when it is missing, blank or no text. */
export const requiredText = (message: string, max = 255, tooLong = `Please use at most ${max} characters`) =>
  z.string(message).regex(NOT_BLANK, message).max(max, tooLong)

/** A name of somebody or something, without the blanks around it; `message` is said when it is missing, blank or no text. */
export const requiredName = (message: string, max = 255, tooLong = `Please use at most ${max} characters`) =>
  z.string(message).trim().min(1, message).max(max, tooLong)

/** A longer text that may be absent, null or empty. */
export const optionalText = (max = 5000) =>
  z.string('Please enter text').max(max, `Please use at most ${max} characters`).nullish()

/** An email address as browsers understand it (`input type=email`), trimmed, at most 254 characters (RFC 5321). */
export const emailAddress = (message: string) =>
  z
    .string(message)
    .trim()
    .check(z.email({ error: message, pattern: z.regexes.html5Email }))
    .max(254, message)

const NOT_A_PHONE = 'Please enter a valid phone number'
/** The fewest digits that are a number somewhere; ours. */
const FEWEST_DIGITS = 5
/** A phone number as people write them, trimmed and otherwise kept so: digits, spaces, + ( ) - . /. It may be empty. */
export const phoneNumber = z
  .string(NOT_A_PHONE)
  .trim()
  .max(50, NOT_A_PHONE)
  .refine((text) => text === '' || isPhone(text), NOT_A_PHONE)

function isPhone(text: string): boolean {
  return /^[\d\s()+./-]*$/.test(text) && text.replace(/\D/g, '').length >= FEWEST_DIGITS
}

/** A database id in a body: a whole number. One that cannot exist (negative, beyond 32 bits) is simply not found. */
export const Id = z.int('Please send a whole number').overwrite((id) => (Math.abs(id) <= MOST_ID ? id : NO_ID))
/** A database id in a path: its decimal digits, and no other way of writing a number (`1.0`, `0x1`, ` 1`). */
export const PathId = z.object({
  id: z.preprocess((text) => (/^\d{1,10}$/.test(String(text)) ? Number(text) : undefined), z.int().min(1).max(MOST_ID)),
})
/** A user's id in a path: a string. */
export const UserPathId = z.object({ id: z.string().min(1).max(64) })

/** A calendar date `YYYY-MM-DD` that exists. */
export const DateText = (message = 'Please enter a date as YYYY-MM-DD') =>
  z.iso
    .date(message)
    // Of what is no date the check before has said so already; it must not keep others of the form from being said.
    .refine((text) => !z.regexes.date.test(text) || (text >= '1900-01-01' && text <= '2199-12-31'), message)
/** Two dates, both included. */
type DateRange = { from: string; to: string }
const DAY_MS = 86_400_000
/** Whether a range does not end before it begins. */
export const isInOrder = ({ from, to }: DateRange) => from <= to
/** A check whether a range spans at most so many days. */
export const spansAtMost =
  (days: number) =>
  ({ from, to }: DateRange) =>
    (Date.parse(to) - Date.parse(from)) / DAY_MS < days
/** A wall time `HH:mm`, 00:00 to 23:59. */
export const TimeText = (message = 'Please enter a time as HH:mm') =>
  z.string(message).regex(/^([01]\d|2[0-3]):[0-5]\d$/, message)
/** An instant, ISO 8601 in UTC. */
export const InstantText = z.iso.datetime()
/** An amount with two decimals: `"45.00"`. */
export const AmountText = z.string().regex(/^-?\d+\.\d{2}$/)
const NOT_AN_AMOUNT = 'Please write the price in pounds, such as 45, 45.50 or 1,200'
const FAULTS = { not_an_amount: NOT_AN_AMOUNT, too_much: 'Please use a price below £1,000,000' }

/** A check for what is written as a price: says `missing` where there is none, and otherwise what is wrong with it. */
const priceCheck =
  (missing: string, least?: { pence: Pence; message: string }) =>
  (written: string | number, { addIssue }: { addIssue: (message: string) => void }) => {
    const read = parseAmount(written)
    if ('fault' in read) addIssue(read.fault === 'missing' ? missing : FAULTS[read.fault])
    else if (least && read.pence < least.pence) addIssue(least.message)
  }

/** An amount as a caller may send them: a number, or a text as people write prices (`foundation/money.ts`), below a million. */
export const AmountInput = (missing: string, least?: { pence: Pence; message: string }) =>
  z
    .union([z.string(), z.number()], { error: ({ input }) => (input == null ? missing : NOT_AN_AMOUNT) })
    .superRefine(priceCheck(missing, least))
/** The same, typed into a form. */
export const AmountTyped = (missing: string) => z.string(missing).superRefine(priceCheck(missing))

/** What a delete answers. */
export const Message = z.object({ message: z.string() })
/** Paging of admin lists; without them all is listed. */
export const Paging = z.object({
  limit: z.coerce.number().int().min(1).max(1000).optional(),
  offset: z.coerce.number().int().min(0).max(10_000_000).optional(),
  search: z.string().max(255).optional(),
})

/** An optional field with a default: absent and null both mean `value`. */
export const orElse = <S extends z.ZodType, V extends z.output<S>>(schema: S, value: V) =>
  schema.nullish().transform((given) => given ?? value)

/** Which state of a thing an edit was written for: its `updatedAt` as it was read. Absent: whatever it is now. */
export const IfUpdatedAt = z.iso.datetime('Please send the updatedAt that was read').nullish()

/** Refuses an edit of something that somebody else has changed since it was read; the row is locked by the caller. */
export function refuseIfChanged(updatedAt: Temporal.Instant, read: string | null | undefined): void {
  if (read != null && !updatedAt.equals(Temporal.Instant.from(read))) refuse(commonRefusals.edit_conflict)
}
