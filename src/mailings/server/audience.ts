import { and, asc, eq, gte, inArray, isNotNull, lte, ne, type SQL, sql } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { bookings } from '#booking/tables.ts'
import { formatDay } from '#foundation/dates.ts'
import { refuse } from '#foundation/refusal.ts'
import { healthQuestionnaires } from '#health/tables.ts'
import { refusedAddresses, newsletterSubscribers as subscribers } from '#messages/tables.ts'
import type { Reader } from '#platform/database/database.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import { findClass } from '#timetable/server/timetable.ts'
import { classes } from '#timetable/tables.ts'
import type { Audience } from '../contract.ts'
import { type Consent, type Kind, LIST_NAMES, leftOutBecause, type Reason } from '../rules.ts'
import { marketingObjections } from '../tables.ts'
import { rowsOf } from './lists.ts'

/** A class that somebody of the audience has booked. */
export type Booked = { title: string; date: string; startTime: string }

/** Somebody of an audience, once, whatever they have booked. */
export type Addressee = Consent & {
  /** Null: an address of the newsletter that belongs to no member. */
  userId: string | null
  /** The subscription to the newsletter through which they are reached; null for members. */
  subscriber: string | null
  email: string
  firstName: string
  lastName: string
  phone: string | null
  /** A mail server says that the address takes no mail. */
  isRefused: boolean
  /** A blocked member cannot book or buy, so no offer reaches them. */
  isBlocked: boolean
  /** Of the class, or the days, that the message is about. */
  booked: Booked[]
}

/** An audience in words, and who it is made of. */
export type AudienceNow = { label: string; people: Addressee[] }

/** Who is in an audience now. Refuses a class that does not exist. */
export async function audienceNow(reader: Reader, audience: Audience, now: Temporal.Instant): Promise<AudienceNow> {
  if (audience === 'newsletter') return { label: "The newsletter's list", people: await listOfNewsletter(reader) }
  if (audience === 'members') return { label: 'All members', people: await members(reader, eq(users.isAdmin, false)) }
  if ('list' in audience) {
    const isOnIt = sql`${users.id} in (select user_id from ${rowsOf(audience.list, now)} as listed)`
    return { label: LIST_NAMES[audience.list], people: await members(reader, sql`not ${users.isAdmin} and ${isOnIt}`) }
  }
  if ('userIds' in audience) {
    const people = await members(reader, inArray(users.id, audience.userIds))
    return { label: people.length === 1 ? nameOf(people[0]) : `${people.length} people`, people }
  }
  if ('classId' in audience) {
    const { class: held } = (await findClass(reader, audience.classId)) ?? refuse(timetableRefusals.class_not_found)
    const label = `${held.title}, ${formatDay(held.date)} at ${held.startTime}`
    return { label, people: await bookedInto(reader, eq(classes.id, held.id)) }
  }
  const { from, to } = audience
  const label = from === to ? `Booked on ${formatDay(from)}` : `Booked from ${formatDay(from)} to ${formatDay(to)}`
  return { label, people: await bookedInto(reader, and(gte(classes.date, from), lte(classes.date, to))) }
}

const nameOf = (person: Addressee | undefined) => `${person?.firstName ?? ''} ${person?.lastName ?? ''}`.trim()

/** Who of an audience a message of a kind reaches, and who is left out for which reason. */
export function sortedOut(people: readonly Addressee[], kind: Kind) {
  const reached: Addressee[] = []
  const leftOut = new Map<Reason, Addressee[]>()
  for (const person of people) {
    const because = leftOutBecause(kind, person)
    if (!because) reached.push(person)
    else leftOut.set(because, [...(leftOut.get(because) ?? []), person])
  }
  return { reached, leftOut }
}

/** Everybody with a place in these classes, or who had one: a cancelled place is none. */
async function bookedInto(reader: Reader, ofClasses: SQL | undefined): Promise<Addressee[]> {
  const places = await reader
    .select({ userId: bookings.userId, title: classes.title, date: classes.date, startTime: classes.startTime })
    .from(bookings)
    .innerJoin(classes, eq(classes.id, bookings.classId))
    .where(and(ofClasses, ne(bookings.status, 'cancelled')))
    .orderBy(asc(classes.startsAt), asc(classes.id))
  const ofMember = Map.groupBy(places, ({ userId }) => userId)
  if (ofMember.size === 0) return []
  const people = await members(reader, sql`${users.id} = any(${sql.param([...ofMember.keys()])}::text[])`)
  return people.map((person) => ({ ...person, booked: ofMember.get(person.userId ?? '') ?? [] }))
}

/** When a member said yes to news and offers: with the health form; null for who did not, or took it back there. */
const agreedAt = sql<
  string | null
>`case when ${healthQuestionnaires.marketingConsent} then ${healthQuestionnaires.consentedAt} end`
const isRefused = sql<boolean>`${refusedAddresses.address} is not null`
const isBlocked = sql<boolean>`${users.blockedAt} is not null`

async function members(reader: Reader, who: SQL): Promise<Addressee[]> {
  const rows = await reader
    .select({
      userId: users.id,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      phone: users.phone,
      agreedAt,
      objectedAt: marketingObjections.objectedAt,
      isRefused,
      isBlocked,
    })
    .from(users)
    .leftJoin(healthQuestionnaires, eq(healthQuestionnaires.userId, users.id))
    .leftJoin(marketingObjections, eq(marketingObjections.userId, users.id))
    .leftJoin(refusedAddresses, eq(refusedAddresses.address, sql`lower(${users.email})`))
    .where(who)
    .orderBy(asc(users.firstName), asc(users.lastName), asc(users.id))
  return rows.map((row) => ({
    ...row,
    agreedAt: row.agreedAt === null ? null : Temporal.Instant.from(row.agreedAt),
    subscriber: null,
    booked: [],
  }))
}

/** Addresses that have confirmed the newsletter, with the name of the member who has the address. */
async function listOfNewsletter(reader: Reader): Promise<Addressee[]> {
  const rows = await reader
    .select({
      subscriber: subscribers.token,
      email: subscribers.email,
      agreedAt: subscribers.confirmedAt,
      userId: users.id,
      firstName: users.firstName,
      lastName: users.lastName,
      phone: users.phone,
      isRefused,
      isBlocked,
    })
    .from(subscribers)
    .leftJoin(users, eq(sql`lower(${users.email})`, sql`lower(${subscribers.email})`))
    .leftJoin(refusedAddresses, eq(refusedAddresses.address, sql`lower(${subscribers.email})`))
    .where(isNotNull(subscribers.confirmedAt))
    .orderBy(asc(subscribers.email))
  return rows.map((row) => ({
    ...row,
    firstName: row.firstName ?? '',
    lastName: row.lastName ?? '',
    objectedAt: null,
    booked: [],
  }))
}
