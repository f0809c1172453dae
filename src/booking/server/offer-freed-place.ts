import { recipient } from '../../accounts/server/accounts.ts'
import type { MailedBooking } from '../../messages/mail.ts'
import { queueMail, queueMails } from '../../messages/server/messages.ts'
import { lockPassesOf } from '../../passes/server/passes.ts'
import type { Tx } from '../../platform/database/database.ts'
import { classForUpdate } from '../../timetable/server/timetable.ts'
import type { ClassRow } from '../../timetable/tables.ts'
import { freedPlaceAt } from '../rules.ts'
import { mayTakePlace, writePlace } from './book-class.ts'
import { toClassFacts } from './queries.ts'
import { inLinesOf, membersInLine, type Waiting, waitingFor } from './waiting-queries.ts'

/**
 * Offers what is free in classes to those who wait for them; called wherever places become free, in the same transaction, so that nobody can come between. With at least 12 hours to go the first in line who can still book gets
 * the place and is told; later, or when nobody in line can, everybody in line is told and the first to book gets it.
 */
export async function offerFreedPlaces(tx: Tx, classIds: number[], now: Temporal.Instant): Promise<void> {
  // The others are not even read: most have no line.
  const awaited = new Set((await inLinesOf(tx, classIds)).map(({ classId }) => classId))
  for (const classId of awaited) {
    const offered = await classForUpdate(tx, classId)
    if (!offered?.isActive || freedPlaceAt(now, offered.startsAt) === 'left') continue
    const left = await giveFreePlaces(tx, offered, now)
    if (left.free > 0) await announce(tx, offered, left.line)
  }
}

/**
 * Gives what is free in a (locked) class along its line, as long as places are given at all: past those who cannot book,
 * and past those who have not confirmed that they still want it since the studio moved it.
 *
 * @returns who still waits, and how many places are left
 */
export async function giveFreePlaces(tx: Tx, offered: ClassRow, now: Temporal.Instant) {
  const isGiven = freedPlaceAt(now, offered.startsAt) === 'given'
  const line: Waiting[] = []
  let free = offered.maxParticipants - offered.bookedCount
  for (const waiting of await waitingFor(tx, offered.id)) {
    const mayHave = isGiven && free > 0 && !waiting.unconfirmedSince
    if (mayHave && (await give(tx, offered, waiting, now))) free -= 1
    else line.push(waiting)
  }
  return { line, free }
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

/** Books the place for somebody in line if they can pay and their health information is there. */
async function give(tx: Tx, offered: ClassRow, waiting: Waiting, now: Temporal.Instant): Promise<boolean> {
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

async function announce(tx: Tx, offered: ClassRow, line: Waiting[]): Promise<void> {
  const facts = { classId: offered.id, class: toClassFacts(offered) }
  await queueMails(
    tx,
    'place-free',
    line.map((waiting) => ({ to: recipient(waiting), ...facts })),
  )
}
