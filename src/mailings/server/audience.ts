import { and, asc, eq, gte, inArray, isNotNull, lte, ne, type SQL, sql } from 'drizzle-orm'
import { users } from '#accounts/tables.ts'
import { takenPlaces } from '#booking/tables.ts'
import { many } from '#foundation/collections.ts'
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
import { marketingConsents, marketingObjections } from '../tables.ts'
import { agreedAt } from './consents.ts'
import { rowsOf } from './lists.ts'

export type Booked = { title: string; date: string; startTime: string }

/** A person in an audience, listed once however many classes they have booked. */
export type Addressee = Consent & {
  /** Null for a newsletter subscriber who is not a member. */
  userId: string | null
  /** The token of the newsletter subscription; null for members. */
  subscriber: string | null
  /** Null for a member who has only a phone number. */
  email: string | null
  firstName: string
  lastName: string
  phone: string | null
  /** A mail server has refused emails to the address. */
  isRefused: boolean
  /** Blocked members cannot book or buy, so they get no offers. */
  isBlocked: boolean
  /** The booked classes that the message is about. */
  booked: Booked[]
}

/** Admins and teachers get no messages to members. */
const isOrdinary = sql`not ${users.isAdmin} and not ${users.isTeacher}`

/** The name of an audience and the people in it now. Refuses a class that does not exist. */
export async function audienceNow(
  reader: Reader,
  audience: Audience,
  now: Temporal.Instant,
): Promise<{ label: string; people: Addressee[] }> {
  if (audience === 'newsletter') return await newsletter(reader)
  if (audience === 'members') return { label: 'All members', people: await members(reader, isOrdinary) }
  if ('list' in audience) {
    const isOnIt = sql`${users.id} in (select user_id from ${rowsOf(audience.list, now)} as listed)`
    return { label: LIST_NAMES[audience.list], people: await members(reader, sql`${isOrdinary} and ${isOnIt}`) }
  }
  if ('userIds' in audience) {
    const people = await members(reader, inArray(users.id, audience.userIds))
    return { label: people.length === 1 ? nameOf(people[0]) : `${people.length} people`, people }
  }
  if ('classId' in audience) {
    const { class: studioClass } =
      (await findClass(reader, audience.classId)) ?? refuse(timetableRefusals.class_not_found)
    const label = `${studioClass.title}, ${formatDay(studioClass.date)} at ${studioClass.startTime}`
    return { label, people: await bookedInto(reader, eq(classes.id, studioClass.id)) }
  }
  const { from, to } = audience
  const label = from === to ? `Booked on ${formatDay(from)}` : `Booked from ${formatDay(from)} to ${formatDay(to)}`
  return { label, people: await bookedInto(reader, and(gte(classes.date, from), lte(classes.date, to))) }
}

const nameOf = (person: Addressee | undefined) => `${person?.firstName ?? ''} ${person?.lastName ?? ''}`.trim()

export type Reached = Addressee & { email: string }
const isReached = (person: Addressee, reason: Reason | undefined): person is Reached =>
  reason === undefined && person.email !== null

/** Splits an audience into people whom a message reaches and people left out, by reason. */
export function splitRecipients(people: readonly Addressee[], kind: Kind) {
  const reached: Reached[] = []
  const leftOut = new Map<Reason, Addressee[]>()
  for (const person of people) {
    const reason = leftOutBecause(kind, person)
    if (isReached(person, reason)) reached.push(person)
    else if (reason) leftOut.set(reason, [...(leftOut.get(reason) ?? []), person])
  }
  return { reached, leftOut }
}

/** Everyone with a booking in these classes that was not cancelled. */
async function bookedInto(reader: Reader, ofClasses: SQL | undefined): Promise<Addressee[]> {
  const places = await reader
    .select({ userId: takenPlaces.userId, title: classes.title, date: classes.date, startTime: classes.startTime })
    .from(takenPlaces)
    .innerJoin(classes, eq(classes.id, takenPlaces.classId))
    .where(and(ofClasses, ne(takenPlaces.status, 'cancelled')))
    .orderBy(asc(classes.startsAt), asc(classes.id))
  const ofMember = Map.groupBy(places, ({ userId }) => userId)
  if (ofMember.size === 0) return []
  const people = await members(reader, sql`${users.id} = any(${sql.param([...ofMember.keys()])}::text[])`)
  return people.map((person) => ({ ...person, booked: ofMember.get(person.userId ?? '') ?? [] }))
}

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
    .leftJoin(marketingConsents, eq(marketingConsents.userId, users.id))
    .leftJoin(marketingObjections, eq(marketingObjections.userId, users.id))
    .leftJoin(refusedAddresses, eq(refusedAddresses.address, sql`lower(${users.email})`))
    .where(who)
    .orderBy(asc(users.firstName), asc(users.lastName), asc(users.id))
  return rows.map((row) => ({
    ...row,
    subscriber: null,
    booked: [],
  }))
}

/** Everyone who asked for news, once each: subscribers of the newsletter, and members who agreed to news and offers. */
async function newsletter(reader: Reader): Promise<{ label: string; people: Addressee[] }> {
  const signedUp = await confirmedSubscribers(reader)
  const addresses = new Set(signedUp.map(({ email }) => email?.toLowerCase()))
  const agreed = (await members(reader, sql`${isOrdinary} and ${agreedAt} is not null`)).filter(
    ({ email }) => email === null || !addresses.has(email.toLowerCase()),
  )
  const label = `Newsletter: ${signedUp.length} signed up on the site, ${many(agreed.length, 'member')} agreed`
  return { label, people: [...signedUp, ...agreed] }
}

/** Confirmed newsletter subscribers, with the name of the member who has the address. */
async function confirmedSubscribers(reader: Reader): Promise<Addressee[]> {
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
