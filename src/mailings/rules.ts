import { endOfDay, studioDate } from '#foundation/instants.ts'

/** Words that are filled in for each who reads the message. */
export const WORDS = ['firstName', 'classTitle', 'classTime'] as const
export type Word = (typeof WORDS)[number]
/** Those that only who has booked something has. */
const OF_A_CLASS: readonly Word[] = ['classTitle', 'classTime']

const IN_BRACES = /\{\s*([^{}]*?)\s*\}/g
const isWord = (name: string): name is Word => WORDS.some((word) => word === name)
const wordsIn = (text: string) => [...text.matchAll(IN_BRACES)].map(([, name = '']) => name)

/**
 * What is wrong with the words in braces of a subject or a text; undefined when each of them can be filled in.
 *
 * @param knowsClasses whether everybody whom it goes to has booked something
 */
export function faultInWords(text: string, knowsClasses: boolean): string | undefined {
  const names = wordsIn(text)
  const unknown = names.find((name) => !isWord(name))
  // Without the braces: every sentence of the studio's is free of them.
  if (unknown !== undefined) return `There is no word “${unknown}” to fill in. Please use ${listed(WORDS)} in braces.`
  const ofClass = names.find((name) => OF_A_CLASS.some((word) => word === name))
  if (ofClass !== undefined && !knowsClasses) {
    return `“${ofClass}” can only be filled in for people of a class or of certain days.`
  }
  return undefined
}

/** A text with its words filled in, in one go: what is filled in is not looked at again. */
export function filledIn(text: string, values: Readonly<Record<Word, string>>): string {
  return text.replace(IN_BRACES, (written, name) => (isWord(name) ? values[name] : written))
}

/** `one`, `one and two`, `one, two and three`. */
export function listed(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

/** A pass prompts when it runs out within so many days, a member when they were not seen for so many. */
const EXPIRING_DAYS = 14
const NOT_SEEN_DAYS = 30

/** Lists of members that prompt the owner to do something; `server/lists.ts` says who is in them. */
export const LISTS = ['expiring', 'last_credit', 'not_seen', 'health_missing'] as const
export type ListName = (typeof LISTS)[number]
/** A list as its heading and a message's audience name it. */
export const LIST_NAMES: Readonly<Record<ListName, string>> = {
  expiring: `Credits that run out within ${EXPIRING_DAYS} days`,
  last_credit: 'One credit left',
  not_seen: `Not seen for ${NOT_SEEN_DAYS} days`,
  health_missing: 'Health information missing before a class',
}
/** What somebody is asked to do about a class they have booked is no marketing; every other nudge is. */
export const isNudge = (list: ListName) => list !== 'health_missing'

/** Passes that run out at this instant or before, in the last second of a London day, are about to. */
export function expiringUntil(now: Temporal.Instant): Temporal.Instant {
  return endOfDay(studioDate(now).add({ days: EXPIRING_DAYS }))
}

/** Whose last class ended at this instant or before has not been seen for long: exactly 30 days count. */
export function lastSeenBefore(now: Temporal.Instant): Temporal.Instant {
  return now.subtract({ hours: NOT_SEEN_DAYS * 24 })
}

export type Kind = 'service' | 'marketing'
/** Why somebody of an audience does not get a message. */
export const REASONS = ['blocked', 'not_opted_in', 'objected', 'address_refused'] as const
export type Reason = (typeof REASONS)[number]

/** What is on record of somebody's wish for news and offers. Instants; null where there is none. */
export type Consent = { agreedAt: Temporal.Instant | null; objectedAt: Temporal.Instant | null }

/** Whether news and offers may go to somebody: a yes that no later no has taken back. */
export function maySendMarketing({ agreedAt, objectedAt }: Consent): boolean {
  return agreedAt !== null && (objectedAt === null || Temporal.Instant.compare(agreedAt, objectedAt) > 0)
}

/** Why a message does not reach a person; undefined when it does. Only marketing needs consent and skips blocked members. */
export function leftOutBecause(
  kind: Kind,
  person: Consent & { isRefused: boolean; isBlocked: boolean },
): Reason | undefined {
  if (kind === 'marketing' && person.isBlocked) return 'blocked'
  if (kind === 'marketing' && !maySendMarketing(person)) {
    return person.objectedAt === null ? 'not_opted_in' : 'objected'
  }
  return person.isRefused ? 'address_refused' : undefined
}
