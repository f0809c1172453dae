import { and, asc, eq, gt, inArray, isNull } from 'drizzle-orm'
import { takenPlaces } from '#booking/tables.ts'
import { formatDate } from '#foundation/dates.ts'
import { instantAt } from '#foundation/instants.ts'
import { type DateRange, isPausedOn, isValidFor } from '#passes/rules.ts'
import { passes } from '#passes/tables.ts'
import type { Reader } from '#platform/database/database.ts'
import { isFull } from '#timetable/rules.ts'
import { type ClassRow, classes } from '#timetable/tables.ts'
import type { Start } from '../cells/times.ts'
import { bookingOrder, type PlannedRow } from './planned-row.ts'

/** Finds the classes of bookings, or says why they cannot be booked. */
export async function classFinder(reader: Reader, starts: readonly Start[], now: Temporal.Instant) {
  const dates = [...new Set(starts.map(({ date }) => date))]
  const found = dates.length
    ? await reader
        .select()
        .from(classes)
        .where(and(inArray(classes.date, dates), isNull(classes.deletedAt)))
        .orderBy(asc(classes.id))
    : []
  return ({ date, startTime }: Start): ClassRow | { problem: string } => {
    const when = `${formatDate(date)} at ${startTime}`
    if (Temporal.Instant.compare(instantAt(date, startTime), now) <= 0) {
      return { problem: `${when} is in the past, so it cannot be booked.` }
    }
    const atThatTime = found.filter((row) => row.date === date && row.startTime === startTime)
    const open = atThatTime.filter(({ isActive }) => isActive)
    const free = open.find((row) => !isFull(row)) ?? open[0]
    if (free) return free
    return {
      problem: atThatTime.length > 0 ? `The class on ${when} is inactive.` : `There is no class on ${when}.`,
    }
  }
}

/**
 * Why bookings cannot be made, by line: no place or no credit is left, or the member is blocked or already booked.
 * Books in the order of the classes, each from the pass that expires first, as the import does.
 */
export async function bookingProblems(
  reader: Reader,
  planned: readonly PlannedRow[],
  now: Temporal.Instant,
): Promise<ReadonlyMap<number, string>> {
  const booking = bookingOrder(planned)
  const memberIds = [...new Set(booking.flatMap(({ member }) => member?.id ?? []))]
  if (booking.length === 0) return new Map()
  const held = await usablePassesOf(reader, memberIds, now)
  const taken = new Set((await bookedClassesOf(reader, memberIds)).map(({ userId, classId }) => `${userId} ${classId}`))
  const placesLeft = new Map(
    booking.map(({ books }) => [books.id, books.maxParticipants - books.bookedCount - books.reservedPlaces]),
  )
  const credits = new Map<string, Source[]>()
  const add = (person: string, source: Source) => {
    const sources = [...(credits.get(person) ?? []), source]
    credits.set(
      person,
      sources.toSorted((a, b) => Temporal.Instant.compare(a.expiresAt, b.expiresAt)),
    )
  }
  for (const [id, person] of new Map(booking.flatMap(({ member, person }) => (member ? [[member.id, person]] : [])))) {
    for (const pass of held) if (pass.userId === id) add(person, { ...pass, left: pass.creditsRemaining })
  }
  for (const row of planned)
    if (row.pass) add(row.person, { expiresAt: row.pass.expiresAt, paused: [], left: row.credits })

  const problems = new Map<number, string>()
  for (const row of booking) {
    const key = `${row.member?.id ?? row.person} ${row.books.id}`
    const paying = credits
      .get(row.person)
      ?.find(
        (source) => source.left > 0 && isValidFor(source, row.books.startsAt) && !isPausedOn(source, row.books.date),
      )
    const places = placesLeft.get(row.books.id) ?? 0
    if (row.member?.isBlocked) problems.set(row.line, 'They are blocked, so the class is not booked.')
    else if (taken.has(key)) problems.set(row.line, 'They have already booked this class.')
    else if (places <= 0) problems.set(row.line, 'The class is full.')
    else if (!paying)
      problems.set(row.line, 'No credit is left that is valid on the day of the class. Import their credits too.')
    else {
      taken.add(key)
      placesLeft.set(row.books.id, places - 1)
      paying.left -= 1
    }
  }
  return problems
}

/** Credits that can pay for imported bookings. */
type Source = { expiresAt: Temporal.Instant; paused: readonly DateRange[]; left: number }
async function usablePassesOf(reader: Reader, memberIds: readonly string[], now: Temporal.Instant) {
  if (memberIds.length === 0) return []
  return await reader
    .select({
      userId: passes.userId,
      expiresAt: passes.expiresAt,
      creditsRemaining: passes.creditsRemaining,
      paused: passes.paused,
    })
    .from(passes)
    .where(
      and(
        inArray(passes.userId, [...memberIds]),
        gt(passes.creditsRemaining, 0),
        gt(passes.expiresAt, now),
        isNull(passes.frozenAt),
        isNull(passes.refundedAt),
        isNull(passes.voidedAt),
      ),
    )
}

async function bookedClassesOf(reader: Reader, memberIds: readonly string[]) {
  if (memberIds.length === 0) return []
  return await reader
    .select({ userId: takenPlaces.userId, classId: takenPlaces.classId })
    .from(takenPlaces)
    .where(and(inArray(takenPlaces.userId, [...memberIds]), eq(takenPlaces.status, 'confirmed')))
}
