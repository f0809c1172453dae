import { pipeline, Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { CONTACT, users } from '#accounts/tables.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { takenPlaces } from '#booking/tables.ts'
import { pick } from '#foundation/collections.ts'
import { studioDate } from '#foundation/instants.ts'
import { emergencyContacts, healthQuestionnaires } from '#health/tables.ts'
import { newsConsents } from '#mailings/server/mailings.ts'
import { passes } from '#passes/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { CSV } from '#platform/http/serve.ts'

/** Headings that the import of members recognises, and others that it does not use. */
const COLUMNS = [
  'First name',
  'Last name',
  'Email',
  'Phone',
  'Joined',
  'Health form',
  'Health form signed',
  'Bookings',
  'Credits',
  'Expiry',
  'Credits by their end',
  'Consent',
  'Consent date',
  'Consent source',
]

/** Records that an admin downloads the list of members. Call this before reading. */
export async function recordMembersDownload(tx: Tx, admin: { id: string }, now: Temporal.Instant): Promise<void> {
  await recordAdminChange(tx, admin, { action: 'exported', subject: { kind: 'studio', id: 'members' } }, now)
}

/**
 * All members as CSV, the earliest first, in the columns that the import reads. A member with several passes has the
 * sum of their credits, and the end of the one that ends last.
 */
export async function membersFile(reader: Reader, now: Temporal.Instant) {
  const [members, credits, consents] = await Promise.all([
    membersWithBookings(reader),
    creditsByMember(reader, now),
    newsConsents(reader),
  ])
  const rows = members.map(({ id, firstName, lastName, email, phone, createdAt, signedAt, hasHealth, booked }) => {
    const own = credits.get(id) ?? []
    const consent = consents.get(id)
    return [
      firstName,
      lastName,
      email,
      phone,
      day(createdAt),
      hasHealth ? 'yes' : 'no',
      signedAt && day(signedAt),
      booked,
      own.reduce((sum, { left }) => sum + left, 0),
      own.at(-1)?.end,
      own.map(({ left, end }) => `${left} until ${end}`).join('; '),
      consent ? 'yes' : 'no',
      consent && day(consent.agreedAt),
      consent?.where,
    ]
  })
  const content = stringify({ ...CSV, header: true, columns: COLUMNS })
  pipeline(Readable.from(rows), content, () => {})
  return { name: 'members.csv', content }
}

const day = (at: Temporal.Instant) => studioDate(at).toString()

const isMember = and(eq(users.isAdmin, false), eq(users.isTeacher, false))

async function membersWithBookings(reader: Reader) {
  return await reader
    .select({
      ...pick(users, CONTACT),
      phone: users.phone,
      createdAt: users.createdAt,
      signedAt: healthQuestionnaires.consentedAt,
      hasHealth: sql<boolean>`${healthQuestionnaires.userId} is not null and ${emergencyContacts.userId} is not null`,
      booked: sql<number>`(select count(*)::int from ${takenPlaces} where ${takenPlaces.userId} = ${users.id})`,
    })
    .from(users)
    .leftJoin(healthQuestionnaires, eq(healthQuestionnaires.userId, users.id))
    .leftJoin(emergencyContacts, eq(emergencyContacts.userId, users.id))
    .where(isMember)
    .orderBy(asc(users.createdAt), asc(users.id))
}

/** The credits of each member's passes that have not ended, first to expire first. */
async function creditsByMember(reader: Reader, now: Temporal.Instant) {
  const rows = await reader
    .select({ userId: passes.userId, left: passes.creditsRemaining, expiresAt: passes.expiresAt })
    .from(passes)
    .where(and(gt(passes.creditsRemaining, 0), gt(passes.expiresAt, now)))
    .orderBy(asc(passes.expiresAt), asc(passes.id))
  const passesOfMember = Map.groupBy(rows, ({ userId }) => userId)
  return new Map(
    [...passesOfMember].map(([id, own]) => [id, own.map(({ left, expiresAt }) => ({ left, end: day(expiresAt) }))]),
  )
}
