import { and, asc, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm'
import { recipient } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { regularBookings, takenPlaces } from '#booking/tables.ts'
import { WEEKDAYS } from '#foundation/dates.ts'
import { endOfDay, studioDate, today } from '#foundation/instants.ts'
import { queueMails } from '#messages/server/messages.ts'
import { packages } from '#packages/tables.ts'
import { expiryWarningAt, isPausedOn, pauseFrom } from '#passes/rules.ts'
import { type PassRow, passes } from '#passes/tables.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import { isFull } from '#timetable/rules.ts'
import { classes } from '#timetable/tables.ts'
import { expiryWarnings } from '../tables.ts'

const FIRST_WARNING_DAYS = Math.max(...studio.policies.expiryWarningDays)
/** Free classes named in an email. */
const NAMED = 3

/**
 * Emails members whose credits expire in 14 or 3 days, once each for a pass and its expiry; never both at once. Leaves
 * out passes that cannot pay and members who are blocked. Running twice does no harm.
 *
 * @returns how many warnings were queued
 */
export async function warnOfExpiry(tx: Tx, now: Temporal.Instant): Promise<number> {
  const until = endOfDay(studioDate(now).add({ days: FIRST_WARNING_DAYS }))
  const expiring = await tx
    .select({
      pass: { id: passes.id, credits: passes.creditsRemaining, expiresAt: passes.expiresAt, paused: passes.paused },
      packageName: packages.name,
      user: { id: users.id, email: users.email, firstName: users.firstName },
      booked: sql<number>`(
        select count(*)::int from ${takenPlaces} join ${classes} on ${classes.id} = ${takenPlaces.classId}
        where ${takenPlaces.passId} = ${passes.id} and ${takenPlaces.status} = 'confirmed' and ${classes.startsAt} > ${now.toString()}
      )`,
    })
    .from(passes)
    .innerJoin(packages, eq(packages.id, passes.packageId))
    .innerJoin(users, eq(users.id, passes.userId))
    .where(
      and(
        gt(passes.creditsRemaining, 0),
        gt(passes.expiresAt, now),
        lte(passes.expiresAt, until),
        isNull(passes.frozenAt),
        isNull(passes.refundedAt),
        isNull(passes.voidedAt),
        isNull(users.blockedAt),
      ),
    )
    .orderBy(asc(passes.id))
  const due = expiring.flatMap((row) => {
    const days = expiryWarningAt(now, row.pass.expiresAt)
    return days === null ? [] : [{ ...row, days, expiresOn: studioDate(row.pass.expiresAt).toString() }]
  })
  if (due.length === 0) return 0
  const first = await tx
    .insert(expiryWarnings)
    .values(due.map(({ pass, expiresOn, days }) => ({ passId: pass.id, expiresOn, days, queuedAt: now })))
    .onConflictDoNothing()
    .returning({ passId: expiryWarnings.passId })
  const isFirst = new Set(first.map(({ passId }) => passId))
  const free = await nextFreeClasses(tx, now, until)
  const regular = await regularSlotsOf(
    tx,
    due.map(({ user }) => user.id),
  )
  const warned = due.filter(({ pass }) => isFirst.has(pass.id))
  await queueMails(
    tx,
    'credits-expire',
    warned.map(({ pass, packageName, user, booked, expiresOn }) => ({
      to: recipient(user),
      credits: pass.credits,
      packageName,
      expiresOn,
      booked,
      free: free.filter(({ date }) => date <= expiresOn && !isPausedOn(pass, date)).slice(0, NAMED),
      regular: regular.get(user.id),
      ...pausedIn(pass, now),
    })),
  )
  return warned.length
}

/** The weekly slots that are booked for these members, as `every Friday at 08:00`. */
async function regularSlotsOf(reader: Reader, userIds: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  const rows = await reader
    .select()
    .from(regularBookings)
    .where(inArray(regularBookings.userId, [...userIds]))
    .orderBy(asc(regularBookings.weekday), asc(regularBookings.startTime))
  const slots = new Map<string, string[]>()
  for (const { userId, weekday, startTime } of rows) {
    const slot = `every ${WEEKDAYS[weekday - 1]} at ${startTime}`
    slots.set(userId, [...(slots.get(userId) ?? []), slot])
  }
  return slots
}

/** The pause that a pass is in, or the next one. */
function pausedIn(pass: Pick<PassRow, 'paused'>, now: Temporal.Instant) {
  const pausedOn = pauseFrom(pass, today(now))
  return pausedOn && { pausedOn }
}

async function nextFreeClasses(reader: Reader, now: Temporal.Instant, until: Temporal.Instant) {
  const upcoming = await reader
    .select()
    .from(classes)
    .where(
      and(
        gt(classes.startsAt, now),
        lte(classes.startsAt, until),
        eq(classes.isActive, true),
        isNull(classes.deletedAt),
      ),
    )
    .orderBy(asc(classes.startsAt), asc(classes.id))
  return upcoming
    .filter((row) => !isFull(row))
    .map(({ title, date, startTime, endTime }) => ({ title, date, startTime, endTime }))
}
