import { endOfDay, studioDate } from '#foundation/instants.ts'

/** Placeholders that are filled in for each recipient. */
export const PLACEHOLDERS = ['firstName', 'classTitle', 'classTime'] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]
/** Placeholders that need a booking. */
const CLASS_PLACEHOLDERS: readonly Placeholder[] = ['classTitle', 'classTime']

const PLACEHOLDER = /\{\s*([^{}]*?)\s*\}/g
const isPlaceholder = (name: string): name is Placeholder => PLACEHOLDERS.some((word) => word === name)
const placeholdersIn = (text: string) => [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name)

/**
 * The first error in the placeholders of a text, or undefined.
 *
 * @param knowsClasses whether every recipient has a booking
 */
export function placeholderError(text: string, knowsClasses: boolean): string | undefined {
  const names = placeholdersIn(text)
  const unknown = names.find((name) => !isPlaceholder(name))
  // No braces in the message: texts of the site never contain them.
  if (unknown !== undefined)
    return `There is no placeholder “${unknown}”. Please use ${joinWithAnd(PLACEHOLDERS)} in braces.`
  const ofClass = names.find((name) => CLASS_PLACEHOLDERS.some((word) => word === name))
  if (ofClass !== undefined && !knowsClasses) {
    return `“${ofClass}” can only be filled in for people booked into a class or on certain days.`
  }
  return undefined
}

/** Fills in the placeholders of a text once; braces in the values stay. */
export function fillPlaceholders(text: string, values: Readonly<Record<Placeholder, string>>): string {
  return text.replace(PLACEHOLDER, (written, name) => (isPlaceholder(name) ? values[name] : written))
}

/** `one`, `one and two`, `one, two and three`. */
export function joinWithAnd(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

const EXPIRING_DAYS = 14
const NOT_SEEN_WEEKS = 4
const USED_UP_DAYS = 30

/** Lists of members worth a message; `server/lists.ts` has their queries. */
export const LISTS = ['expiring', 'last_credit', 'used_up', 'not_seen', 'health_missing'] as const
export type ListName = (typeof LISTS)[number]
export const LIST_NAMES: Readonly<Record<ListName, string>> = {
  expiring: `Credits that run out within ${EXPIRING_DAYS} days`,
  last_credit: 'One credit left',
  used_up: `Last credit used within ${USED_UP_DAYS} days`,
  not_seen: `Not been for ${NOT_SEEN_WEEKS} weeks`,
  health_missing: 'Health information missing before a class',
}
/** A nudge is marketing. A request about a booked class is not. */
export const isNudge = (list: ListName) => list !== 'health_missing'

/** Passes that expire by this instant, the end of a day in London, count as expiring. */
export function expiringUntil(now: Temporal.Instant): Temporal.Instant {
  return endOfDay(studioDate(now).add({ days: EXPIRING_DAYS }))
}

/** Members whose last class ended by this instant, exactly 4 weeks ago, count as not seen. */
export function lastSeenBefore(now: Temporal.Instant): Temporal.Instant {
  return now.subtract({ hours: NOT_SEEN_WEEKS * 7 * 24 })
}

/** Members without credits who used their last one at this instant or later, 30 days ago, count as used up. */
export function usedUpSince(now: Temporal.Instant): Temporal.Instant {
  return now.subtract({ hours: USED_UP_DAYS * 24 })
}

/** What members agree to on their dashboard, kept as the words of their consent. */
export const NEWS_OFFER = 'I would like to hear about news and offers by email.'

export type Kind = 'service' | 'marketing'
/** Why a person is left out of a message. */
export const REASONS = ['blocked', 'not_opted_in', 'objected', 'address_refused', 'no_address'] as const
export type Reason = (typeof REASONS)[number]

/** When a person agreed to news and offers, and when they objected. */
export type Consent = { agreedAt: Temporal.Instant | null; objectedAt: Temporal.Instant | null }

/** Whether a person has agreed to news and offers and not objected since. */
export function maySendMarketing({ agreedAt, objectedAt }: Consent): boolean {
  return agreedAt !== null && (objectedAt === null || Temporal.Instant.compare(agreedAt, objectedAt) > 0)
}

/** Why a message does not reach a person; undefined if it does. Only marketing needs consent and skips blocked ones. */
export function leftOutBecause(
  kind: Kind,
  person: Consent & { isRefused: boolean; isBlocked: boolean; email: string | null },
): Reason | undefined {
  if (kind === 'marketing' && person.isBlocked) return 'blocked'
  if (kind === 'marketing' && !maySendMarketing(person)) {
    return person.objectedAt === null ? 'not_opted_in' : 'objected'
  }
  if (person.email === null) return 'no_address'
  return person.isRefused ? 'address_refused' : undefined
}
