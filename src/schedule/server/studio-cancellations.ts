import { and, asc, desc, eq, getColumns, gt, inArray, isNull, lte } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { alertMembers, notify, recipient } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { nameOfCompanion, undoableUntil } from '#booking/rules.ts'
import { emailEndedHold, lockedPlaces, toClassFacts, toMailedBooking } from '#booking/server/booking.ts'
import { bookings, invitations, takenPlaces } from '#booking/tables.ts'
import { defined } from '#foundation/collections.ts'
import type { ByPhone, MailedBooking, MailedClass, Recipient } from '#messages/mail.ts'
import { type Queued, queueMails } from '#messages/server/messages.ts'
import { passes } from '#passes/tables.ts'
import { onlyRow, type Reader, type Tx } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import type { Undoable } from '../contract.ts'
import { type CancelledClass, type Lost, studioCancellations } from '../tables.ts'

// Emails about classes that the studio cancelled: sent immediately, or when it can no longer be undone.

type Cancellation = typeof studioCancellations.$inferSelect

/** Saves a cancellation until it is final; nobody is emailed before: {@link emailCancellations}. */
export async function saveForUndo(
  tx: Tx,
  admin: { id: string },
  taken: Pick<Cancellation, 'classes' | 'lost' | 'closed'>,
  now: Temporal.Instant,
): Promise<Undoable> {
  const row = await tx
    .insert(studioCancellations)
    .values({ ...taken, adminId: admin.id, madeAt: now })
    .returning()
    .then(onlyRow)
  return toUndoable(row, now)
}

/**
 * The state of cancelled classes before, and their `updatedAt` since.
 *
 * @param shortened the former ends of series, by their id
 */
export function cancelledClasses(
  before: readonly ClassRow[],
  after: readonly ClassRow[],
  shortened?: ReadonlyMap<number, string>,
): CancelledClass[] {
  return before.map(({ id, seriesId, isActive, reservedPlaces }) => {
    const { updatedAt } = defined(after.find((row) => row.id === id))
    const seriesUntil = shortened?.get(seriesId ?? 0)
    return { id, wasActive: isActive, reservedPlaces, updatedAt: updatedAt.toString(), seriesUntil }
  })
}

/** Cancellations that can still be undone, latest first. */
export async function findUndoable(reader: Reader, now: Temporal.Instant): Promise<Undoable[]> {
  const rows = await reader
    .select()
    .from(studioCancellations)
    .where(and(isNull(studioCancellations.undoneAt), gt(studioCancellations.madeAt, undoCutoff(now))))
    .orderBy(desc(studioCancellations.id))
  return rows.map((row) => toUndoable(row, now))
}

/** Cancellations made at or before this are final. */
const undoCutoff = (now: Temporal.Instant) => now.subtract({ seconds: studio.policies.undoSeconds })

function toUndoable({ id, madeAt, classes: taken, lost, closed }: Cancellation, now: Temporal.Instant): Undoable {
  const until = undoableUntil(madeAt)
  const secondsLeft = Math.ceil(now.until(until).total('seconds'))
  const facts = { classes: taken.length, bookings: lost.bookings.length, until: until.toString(), secondsLeft }
  return { id, what: closed ? 'closed' : 'deleted', ...facts }
}

/** Queues the emails of cancellations that can no longer be undone, and deletes these. */
export async function emailCancellations(tx: Tx, now: Temporal.Instant): Promise<void> {
  const due = await tx
    .delete(studioCancellations)
    .where(lte(studioCancellations.madeAt, undoCutoff(now)))
    .returning()
  for (const made of due.sort((a, b) => a.id - b.id)) {
    if (!made.undoneAt) await queueEmails(tx, made, now)
  }
}

/** Queues the emails of one cancellation, for a preview of them. */
export async function emailCancellation(tx: Tx, id: number): Promise<void> {
  const [made] = await tx.select().from(studioCancellations).where(eq(studioCancellations.id, id))
  if (made) await queueEmails(tx, made, made.madeAt)
}

async function queueEmails(tx: Tx, { lost, closed }: Cancellation, now: Temporal.Instant): Promise<void> {
  if (!closed) return void (await emailLosses(tx, lost, now))
  const losses = await findLosses(tx, lost)
  await queueMails(tx, 'studio-closed', toClosureMails(losses, closed))
  await emailHeld(tx, lost)
  await alertMembers(tx, losses.booked.map(toAlert), now)
}

const toAlert = ({ userId, class: studioClass }: Losses['booked'][number]) =>
  ({ kind: 'class_cancelled', userId, class: studioClass }) as const

/** After a restore: the saved cancellations are long final, and their emails must not be sent again. */
export async function forgetCancellations(tx: Tx): Promise<void> {
  await tx.delete(studioCancellations)
}

/** What members lost, as the emails need it. */
type Losses = {
  booked: { userId: string; to: Recipient | ByPhone; class: MailedBooking }[]
  late: {
    userId: string
    to: Recipient | ByPhone
    classId: number
    class: MailedClass & { companion?: string | undefined }
    expiresAt: string
  }[]
  awaited: { userId: string; to: Recipient | ByPhone; class: MailedClass }[]
}

/** Looks up what members lost; those erased in the meantime are left out. */
export async function findLosses(reader: Reader, lost: Lost): Promise<Losses> {
  const lateIds = new Set(lost.late)
  const payers = alias(users, 'payers')
  const places = await reader
    .select({
      booking: getColumns(takenPlaces),
      class: classes,
      user: users,
      payer: payers,
      companion: invitations.firstName,
      expiresAt: passes.expiresAt,
    })
    .from(takenPlaces)
    .innerJoin(classes, eq(classes.id, takenPlaces.classId))
    .innerJoin(users, eq(users.id, takenPlaces.userId))
    .leftJoin(passes, eq(passes.id, takenPlaces.passId))
    .leftJoin(payers, eq(payers.id, takenPlaces.payerId))
    .leftJoin(invitations, eq(invitations.id, takenPlaces.invitationId))
    .where(inArray(takenPlaces.id, [...lost.bookings, ...lost.late]))
    .orderBy(asc(takenPlaces.passId), asc(takenPlaces.id))
  const line = await reader
    .select({ user: users, class: classes })
    .from(users)
    .innerJoin(
      classes,
      inArray(
        classes.id,
        lost.waiting.map(({ classId }) => classId),
      ),
    )
    .where(
      inArray(
        users.id,
        lost.waiting.map(({ userId }) => userId),
      ),
    )
  const booked = places.filter(({ booking }) => !lateIds.has(booking.id))
  const isBooked = new Set(booked.map(({ user, class: studioClass }) => `${user.id} ${studioClass.id}`))
  // A companion’s place whose payer has none in the class.
  const paidFor = booked.filter(
    ({ booking, class: studioClass, payer }) =>
      booking.paymentStatus === 'refunded' && payer && !isBooked.has(`${payer.id} ${studioClass.id}`),
  )
  const lineOf = new Map(line.map((row) => [`${row.user.id} ${row.class.id}`, row]))
  return {
    booked: booked.map(({ booking, class: studioClass, user, payer }) => ({
      userId: user.id,
      to: recipient(user),
      class: {
        ...toMailedBooking(booking, studioClass),
        isCreditLost: booking.paymentStatus === 'forfeited' ? true : undefined,
        paidBy: payer?.id === user.id ? undefined : payer?.firstName,
        paidFor: nameOf(
          booked.find(
            (other) =>
              other.class.id === studioClass.id &&
              other.payer?.id === user.id &&
              other.user.id !== user.id &&
              other.booking.paymentStatus === 'refunded',
          ),
        ),
      },
    })),
    // The credit is the payer's, also of a place that a companion cancelled.
    late: [...places.filter(({ booking }) => lateIds.has(booking.id)), ...paidFor].flatMap((place) => {
      const { payer, expiresAt, class: studioClass } = place
      if (!payer || !expiresAt) return []
      const companion = paidFor.includes(place) ? nameOf(place) : undefined
      return [
        {
          userId: payer.id,
          to: recipient(payer),
          classId: studioClass.id,
          class: { ...toClassFacts(studioClass), companion },
          expiresAt: expiresAt.toString(),
        },
      ]
    }),
    awaited: lost.waiting.flatMap(({ userId, classId }) => {
      const row = lineOf.get(`${userId} ${classId}`)
      return row ? [{ userId, to: recipient(row.user), class: toClassFacts(row.class) }] : []
    }),
  }
}

/** A companion, as their payer named them. */
const nameOf = (place: { companion: string | null } | undefined) => place && nameOfCompanion(place.companion)

/** Emails both people of each held place that the studio took off. */
async function emailHeld(tx: Tx, lost: Lost): Promise<void> {
  const isHeld = and(inArray(bookings.id, lost.bookings), isNull(bookings.userId))
  for (const held of await lockedPlaces(tx, isHeld)) {
    const outcome = held.place.paymentStatus === 'refunded' ? 'credit_returned' : 'no_pass'
    await emailEndedHold(tx, { ...held, outcome, reason: 'decided' }, 'class_cancelled')
  }
}

/** Emails everyone who lost something, once per class, and why a late credit came back. Returns how many people. */
export async function emailLosses(
  tx: Tx,
  lost: Lost,
  now: Temporal.Instant,
  lateReason = 'We had to cancel this class.',
): Promise<number> {
  const { booked, late, awaited } = await findLosses(tx, lost)
  await emailHeld(tx, lost)
  await notify(
    tx,
    'class-cancelled',
    booked.map((place) => ({ mail: { to: place.to, class: place.class }, alert: toAlert(place) })),
    now,
  )
  const lateOf = Map.groupBy(late, ({ userId, classId }) => `${userId} ${classId}`)
  await queueMails(
    tx,
    'credit-returned',
    [...lateOf.values()].flatMap(([one, other]) =>
      one
        ? [
            {
              to: one.to,
              class: one.class,
              expiresAt: one.expiresAt,
              reason: lateReason,
              hasBothCredits: other && true,
            },
          ]
        : [],
    ),
  )
  await queueMails(
    tx,
    'awaited-class-cancelled',
    awaited.map(({ to, class: studioClass }) => ({ to, class: studioClass })),
  )
  return new Set([...booked, ...late, ...awaited].map(({ userId }) => userId)).size
}

type Closed = NonNullable<Cancellation['closed']>

/** One email for each person who lost something; with `notify` false not to those who only waited. */
export function toClosureMails({ booked, late, awaited }: Losses, closed: Closed): Queued<'studio-closed'>[] {
  const { id: closureId, from, until, hours, reason, notify } = closed
  const people = new Map([...booked, ...late, ...(notify ? awaited : [])].map(({ userId, to }) => [userId, to]))
  return [...people].map(([userId, to]) => ({
    to,
    closureId,
    from,
    until,
    hours,
    reason,
    booked: classesOf(booked, userId),
    late: classesOf(late, userId),
    awaited: classesOf(awaited, userId),
  }))
}

function classesOf<C extends MailedClass>(losses: readonly { userId: string; class: C }[], userId: string): C[] {
  const own = losses.filter((loss) => loss.userId === userId).map((loss) => loss.class)
  return own.sort((a, b) => a.startsAt.localeCompare(b.startsAt))
}
