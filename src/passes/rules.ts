import { endOfDay, studioDate } from '#foundation/instants.ts'
import { studio } from '#studio.ts'

/** What a line of the ledger is about, and who caused it. */
export const LEDGER_KINDS = [
  'purchase',
  'gift',
  'voucher',
  'booking',
  'return',
  'goodwill',
  'forfeit',
  'no_show',
  'expiry',
  'refund',
  'correction',
  'pause',
  'resume',
  'extension',
] as const
export const CAUSED_BY = ['member', 'admin', 'system', 'provider'] as const

/** The end of the day `months` after `from`, clamped to the month: 30 November plus three months is 28 February. */
export function expiryOf(from: Temporal.Instant, months: number): Temporal.Instant {
  return endOfDay(studioDate(from).add({ months }))
}

/** Whether a pass can pay for a class that starts at `startsAt`. */
export function isValidFor(pass: { expiresAt: Temporal.Instant }, startsAt: Temporal.Instant): boolean {
  return Temporal.Instant.compare(startsAt, pass.expiresAt) <= 0
}

/**
 * Which warning is due for a pass with credits at `now`: the days before its last day (London) that have been reached,
 * the fewest of them; null outside them. So a member who is late for the first warning gets only the second.
 * Source: docs/studio-rules.md#passes-and-credits
 */
export function expiryWarningAt(now: Temporal.Instant, expiresAt: Temporal.Instant): number | null {
  const left = studioDate(now).until(studioDate(expiresAt), { largestUnit: 'days' }).days
  if (Temporal.Instant.compare(expiresAt, now) <= 0) return null
  return studio.policies.expiryWarningDays.findLast((days) => left <= days) ?? null
}

/** London dates, first and last included. */
export type DateRange = { from: string; to: string }

/** Whether a pass is paused on a London date. Source: docs/studio-rules.md#pauses-and-extensions */
export const isPausedOn = ({ paused }: { paused: readonly DateRange[] }, date: string) =>
  paused.some(({ from, to }) => from <= date && date <= to)

/** The pause that a pass is in on a London date, or the next one after it. */
export const pauseFrom = ({ paused }: { paused: readonly DateRange[] }, date: string) =>
  paused.toSorted((a, b) => a.from.localeCompare(b.from)).find(({ to }) => date <= to)

/** How many days these ranges cover; a day that several share counts once. */
function countDays(ranges: readonly DateRange[]): number {
  const days = new Set<string>()
  for (const { from, to } of ranges) {
    const last = Temporal.PlainDate.from(to)
    for (
      let day = Temporal.PlainDate.from(from);
      Temporal.PlainDate.compare(day, last) <= 0;
      day = day.add({ days: 1 })
    )
      days.add(day.toString())
  }
  return days.size
}

type Validity = { expiresAt: Temporal.Instant; paused: readonly DateRange[]; frozenDays: readonly DateRange[] }

/**
 * When a pass expires once its pauses and the days of past disputes have changed: each day that is added moves the
 * expiry by a day, each that is taken away moves it back, and a day in several of them counts once.
 * Source: docs/studio-rules.md#pauses-and-extensions
 */
export function expiryAfter(pass: Validity, changed: Partial<Omit<Validity, 'expiresAt'>>): Temporal.Instant {
  const { paused, frozenDays } = { ...pass, ...changed }
  const days = countDays([...paused, ...frozenDays]) - countDays([...pass.paused, ...pass.frozenDays])
  return days === 0 ? pass.expiresAt : endOfDay(studioDate(pass.expiresAt).add({ days }))
}

/** The pauses that are left if pausing ends on this London date: on it, the pass can be used again. */
export function pausesBefore(paused: readonly DateRange[], date: string): DateRange[] {
  const last = Temporal.PlainDate.from(date).subtract({ days: 1 }).toString()
  return paused.filter(({ from }) => from < date).map(({ from, to }) => ({ from, to: to < date ? to : last }))
}

/** The days that a dispute takes from a pass: as many as the frozen time moves its expiry, from the day it began. */
export function frozenDaysOf(pass: { expiresAt: Temporal.Instant }, frozenAt: Temporal.Instant, now: Temporal.Instant) {
  const moved = studioDate(pass.expiresAt.add(frozenAt.until(now)))
  const { days } = studioDate(pass.expiresAt).until(moved, { largestUnit: 'days' })
  const from = studioDate(frozenAt)
  return days === 0 ? [] : [{ from: from.toString(), to: from.add({ days: days - 1 }).toString() }]
}
