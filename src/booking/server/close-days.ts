import { recordAdminChange, recordAdminChanges } from '../../audit/server/audit.ts'
import { refuse } from '../../foundation/refusal.ts'
import { queueMails } from '../../messages/server/messages.ts'
import { BeginAgain, type Reader, type Tx } from '../../platform/database/database.ts'
import {
  classesForUpdate,
  classesToClose,
  closuresIn,
  type Days,
  holdDays,
  recordClosure,
  removeClosure,
  toClosure,
} from '../../timetable/server/timetable.ts'
import { type ClosedDays, type ClosureForm, closureRefusals } from '../contract-closures.ts'
import { peopleIn } from './several-classes.ts'
import { type Losses, type Tell, takeOffClasses } from './take-off-classes.ts'

/** What closing these days would do, class by class. */
export async function previewClosing(reader: Reader, days: Days, now: Temporal.Instant) {
  const rows = await classesToClose(reader, days, now)
  const active = rows.filter(({ isActive }) => isActive)
  const ids = active.map(({ id }) => id)
  const [people, closures] = await Promise.all([peopleIn(reader, ids), closuresIn(reader, days)])
  return {
    classes: active.map(({ id, title, date, startTime, endTime }) => ({
      ...{ id, title, date, startTime, endTime },
      booked: people.get(id)?.booked ?? [],
      waiting: people.get(id)?.waiting ?? [],
    })),
    closures: closures.map(toClosure),
  }
}

/**
 * Closes days: their classes that have not started are off the timetable, as if the studio had cancelled each, and
 * everybody concerned gets one mail with the reason.
 */
export async function closeDays(
  tx: Tx,
  admin: { id: string },
  { from, to, reason, notify, exceptClassIds }: ClosureForm,
  now: Temporal.Instant,
): Promise<ClosedDays> {
  await holdDays(tx, 'exclusive')
  const days = { from, to }
  const except = new Set(exceptClassIds)
  const meant = (await classesToClose(tx, days, now)).map(({ id }) => id).filter((id) => !except.has(id))
  const locked = await classesForUpdate(tx, meant)
  // One of them was moved or deleted while we waited for it.
  const still = new Set((await classesToClose(tx, days, now)).map(({ id }) => id))
  if (meant.some((id) => !still.has(id))) throw new BeginAgain('a class is no longer in these days')
  const active = locked.filter(({ isActive }) => isActive)
  const letters = new Letters({ from, until: to, reason }, notify)
  const cancelled = await takeOffClasses(tx, admin, active, now, {
    reason: `The studio is closed: ${reason}`,
    tell: letters.tell,
  })
  const closure = await recordClosure(tx, admin, { days, reason, classIds: meant }, now)
  const bookingsCancelled = [...cancelled.values()].reduce((sum, { length }) => sum + length, 0)
  const done = { classes: active.length, bookingsCancelled, peopleTold: letters.count }
  await recordAdminChange(
    tx,
    admin,
    {
      action: 'created',
      subject: { kind: 'closure', id: closure.id },
      changes: {
        from: { after: from },
        to: { after: to },
        reason: { after: reason },
        classes: { after: done.classes },
        bookingsCancelled: { after: bookingsCancelled },
        peopleTold: { after: done.peopleTold },
      },
    },
    now,
  )
  await recordAdminChanges(
    tx,
    admin,
    active.map(({ id }) => ({
      action: 'edited',
      subject: { kind: 'class', id },
      changes: {
        isActive: { before: true, after: false },
        ...(cancelled.get(id) && { bookingsCancelled: { after: cancelled.get(id)?.length } }),
      },
    })),
    now,
  )
  return { ...toClosure(closure), ...done }
}

/** Opens days again. Their classes come back empty, but for those that another closure keeps off. */
export async function openDays(
  tx: Tx,
  admin: { id: string },
  id: number,
  now: Temporal.Instant,
): Promise<{ message: string; classes: number }> {
  await holdDays(tx, 'exclusive')
  const { closure, back } = (await removeClosure(tx, id, now)) ?? refuse(closureRefusals.closure_not_found)
  const { from, to, reason } = closure
  await recordAdminChange(
    tx,
    admin,
    {
      action: 'deleted',
      subject: { kind: 'closure', id },
      changes: {
        from: { before: from },
        to: { before: to },
        reason: { before: reason },
        classes: { after: back.length },
      },
    },
    now,
  )
  await recordAdminChanges(
    tx,
    admin,
    back.map((row) => ({
      action: 'edited',
      subject: { kind: 'class', id: row.id },
      changes: { isActive: { before: false, after: true } },
    })),
    now,
  )
  const classes = back.length
  const message =
    classes === 0
      ? 'The days are open again.'
      : `The days are open again. ${classes === 1 ? 'One class is' : `${classes} classes are`} back, without bookings.`
  return { message, classes }
}

type Reason = { from: string; until: string; reason: string }

/** One mail for each who loses something. */
class Letters {
  readonly #why: Reason
  readonly #linesToo: boolean
  /** How many people were told. */
  count = 0

  constructor(why: Reason, linesToo: boolean) {
    this.#why = why
    this.#linesToo = linesToo
  }

  readonly tell: Tell = async (tx, { booked, awaited }) => {
    const ofBooked = Map.groupBy(inOrder(booked), ({ userId }) => userId)
    const ofAwaited = Map.groupBy(inOrder(awaited), ({ userId }) => userId)
    const people = new Set(this.#linesToo ? [...ofBooked.keys(), ...ofAwaited.keys()] : ofBooked.keys())
    const mails = [...people].flatMap((userId) => {
      const [places, lines] = [ofBooked.get(userId) ?? [], ofAwaited.get(userId) ?? []]
      const to = (places[0] ?? lines[0])?.to
      if (!to) return []
      return [{ to, ...this.#why, booked: places.map((one) => one.class), awaited: lines.map((one) => one.class) }]
    })
    this.count = mails.length
    await queueMails(tx, 'studio-closed', mails)
  }
}

const inOrder = <L extends Losses['booked'][number] | Losses['awaited'][number]>(losses: readonly L[]) =>
  losses.toSorted((a, b) => a.class.startsAt.localeCompare(b.class.startsAt))
