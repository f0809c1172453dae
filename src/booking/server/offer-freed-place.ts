import { recipient } from '#accounts/server/accounts.ts'
import type { MailedBooking } from '#messages/mail.ts'
import { queueMail, queueMails } from '#messages/server/messages.ts'
import { lockPassesOf } from '#passes/server/passes.ts'
import type { Tx } from '#platform/database/database.ts'
import { classesWithHeldPlaces, classForUpdate, holdPlaces } from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import type { SkipReason } from '../contract-waiting.ts'
import { freedPlaceAt, whySkipped } from '../rules.ts'
import { mayTakePlace, writePlace } from './book-class.ts'
import { toClassFacts } from './queries.ts'
import { inLinesOf, lineOf, membersInLine, takeOutOfLine, type Waiting, waiterOf } from './waiting-queries.ts'

/**
 * Hands out what is free in classes to those who wait for them; called wherever places become free, in the same transaction,
 * so that nobody can come between. With at least 12 hours to go the first in line who can take it gets the place and is
 * emailed; later, or when nobody in line can, everyone in line is emailed and the first to book gets it. At night the place
 * is held for the line until the morning: {@link handOutHeldPlaces}.
 */
export async function offerFreedPlaces(tx: Tx, classIds: number[], now: Temporal.Instant): Promise<void> {
  // The others are not even read: most have no line.
  const awaited = new Set((await inLinesOf(tx, classIds)).map(({ classId }) => classId))
  for (const classId of awaited) {
    const offered = await classForUpdate(tx, classId)
    if (offered?.isActive) await handOut(tx, offered, now)
  }
}

/** Hands out the places that waited for the morning. One whose line has ended in the meantime is free for anyone. */
export async function handOutHeldPlaces(tx: Tx, now: Temporal.Instant): Promise<void> {
  const held = await classesWithHeldPlaces(tx)
  const ids = held.map(({ id }) => id)
  await lockPassesAround(tx, ids)
  const awaited = new Set((await inLinesOf(tx, ids)).map(({ classId }) => classId))
  for (const offered of held) {
    if (!awaited.has(offered.id)) await holdPlaces(tx, [offered.id], 0)
    else if (freedPlaceAt(now, offered.startsAt) !== 'waits') await handOut(tx, offered, now)
  }
}

async function handOut(tx: Tx, offered: ClassRow, now: Temporal.Instant): Promise<void> {
  const becomes = freedPlaceAt(now, offered.startsAt)
  if (becomes === 'waits') return await holdPlaces(tx, [offered.id], offered.maxParticipants - offered.bookedCount)
  if (becomes === 'left') return await holdPlaces(tx, [offered.id], 0)
  const { line, free } = await giveFreePlaces(tx, offered, now)
  if (free > 0) await announce(tx, offered, line)
}

/** Someone who still waits after a place was handed out, and why they were skipped, where they were. */
type StillWaiting = Waiting & { because?: SkipReason }

/**
 * Gives what is free in a (locked) class along its line, as long as places are given at all: past those who have not
 * confirmed that they still want it since the studio moved it, and past those who cannot take it. These are emailed why,
 * unless a place is left: then the caller emails the whole line.
 *
 * @returns who still waits, and how many places are left
 */
export async function giveFreePlaces(tx: Tx, offered: ClassRow, now: Temporal.Instant) {
  const isGiven = freedPlaceAt(now, offered.startsAt) === 'given'
  const open = { ...offered, heldPlaces: 0 }
  await holdPlaces(tx, [offered.id], 0)
  const line: StillWaiting[] = []
  let free = offered.maxParticipants - offered.bookedCount
  for (const waiting of await lineOf(tx, offered.id)) {
    if (!isGiven || free === 0 || waiting.unconfirmedSince) {
      line.push(waiting)
      continue
    }
    const because = whySkipped(await waiterOf(tx, waiting.userId, now), offered)
    if (because) line.push({ ...waiting, because })
    else if (await give(tx, open, waiting, now)) free -= 1
  }
  const blocked = line.filter(({ isBlocked }) => isBlocked)
  await emailSkipped(tx, offered, free === 0 ? line : blocked)
  for (const { userId } of blocked) await takeOutOfLine(tx, userId, offered.id)
  return { line: line.filter(({ isBlocked }) => !isBlocked), free }
}

/**
 * Locks the passes of all who may be paid back or pay when places in these (locked) classes become free, before the
 * first of them moves: two classes given up crosswise then wait for each other instead of meeting in a deadlock.
 */
export async function lockPassesAround(tx: Tx, classIds: number[], givingUp?: string): Promise<void> {
  const waiting = await membersInLine(tx, classIds)
  const concerned = givingUp ? [...waiting, givingUp] : waiting
  if (concerned.length > 0) await lockPassesOf(tx, concerned)
}

/** Books a place for a member in line who can take it. Returns whether it became theirs. */
export async function give(tx: Tx, offered: ClassRow, waiting: Waiting, now: Temporal.Instant): Promise<boolean> {
  const chance = await mayTakePlace(tx, waiting.userId, offered, { usePass: true, now })
  if ('refusal' in chance) return false
  const notify = (mailed: MailedBooking) =>
    queueMail(tx, 'place-from-waiting-list', { to: recipient(waiting), class: mailed })
  const taking = {
    passId: chance.pass.id,
    causedBy: { by: 'system' as const },
    reason: 'From the waiting list',
    notify,
  }
  await writePlace(tx, { ...waiting, id: waiting.userId }, offered, taking, now)
  return true
}

/** A place is left: everyone in line is emailed, the skipped ones also why they did not get it. */
async function announce(tx: Tx, offered: ClassRow, line: StillWaiting[]): Promise<void> {
  const facts = { classId: offered.id, class: toClassFacts(offered) }
  await queueMails(
    tx,
    'place-free',
    line.map(({ because, ...waiting }) => ({ to: recipient(waiting), ...facts, ...(because && { because }) })),
  )
}

/** The place went to someone further back: those skipped are emailed why. */
async function emailSkipped(tx: Tx, offered: ClassRow, line: StillWaiting[]): Promise<void> {
  const facts = { classId: offered.id, class: toClassFacts(offered) }
  await queueMails(
    tx,
    'skipped-in-line',
    line.flatMap(({ because, ...waiting }) => (because ? [{ to: recipient(waiting), ...facts, because }] : [])),
  )
}
