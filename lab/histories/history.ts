import { renderMail } from '#messages/server/render-mail.ts'
import { receiptWords } from '#payments/server/paper/receipt-paper.ts'
import type { PurchaseRow } from '#payments/tables.ts'
import { initialFacts } from '#studio.ts'
import { brokenInvariants } from '#testing/invariants.ts'
import { closureOf, hasStarted } from '#timetable/rules.ts'
import { Calendars } from './calendars.ts'
import { deliverEventsStep } from './money-steps.ts'
import { findEmailErrors, findSubjectErrors, isMoved } from './notifications.ts'
import { newLines, pairRows, type Snapshot } from './snapshot.ts'
import type { Step, StepResult } from './step.ts'
import { findBookedAgain, findUnasked, findUnnotified, findWrongTurns } from './together-changes.ts'
import type { World } from './world.ts'

/** The violations found, with the steps that led there. */
export class HistoryFailure extends Error {
  constructor(story: readonly string[], violations: readonly string[]) {
    const lines = story.map((line, i) => `  ${i + 1}. ${line}`)
    super(`${violations.map((one) => `✗ ${one}`).join('\n')}\nafter\n${lines.join('\n')}`)
    this.name = 'Broken'
  }
}

/**
 * Runs a history from Monday morning on, and checks every invariant after each step.
 *
 * @param whenStarted runs before the first step
 * @returns a line per step
 * @throws {HistoryFailure} after the first step that violates an invariant
 */
export async function runHistory(
  world: World,
  steps: readonly Step[],
  whenStarted: () => Promise<void> = async () => {},
): Promise<string[]> {
  await world.reset()
  await whenStarted()
  const story: string[] = []
  const calendars = new Calendars()
  let before = await world.snapshot()
  await world.takeMails()
  // Finally, both sides of the money have the same records.
  for (const step of [...steps, deliverEventsStep.of({})]) {
    world.justErased.clear()
    const result = await step.take(world, before)
    if (!result) continue
    story.push(result.line)
    const after = await world.snapshot()
    const violations = await findViolations(world, { result, before, after, calendars })
    if (violations.length > 0) throw new HistoryFailure(story, violations)
    rememberMoves(world, before, after)
    before = after
  }
  return story
}

/** Members can cancel free of charge after the studio has moved their class. */
function rememberMoves(world: World, before: Snapshot, after: Snapshot): void {
  const moved = pairRows(before.classes, after.classes).filter(({ was, now }) => was && isMoved(was, now))
  const ids = new Set(moved.map(({ now }) => now.id))
  for (const { id, classId, status } of before.bookings) {
    if (status === 'confirmed' && ids.has(classId)) world.movedBookings.add(id)
  }
}

/** Sales whose record has changed, and receipts that come to less than nothing. */
function findRecordErrors(before: Snapshot, after: Snapshot): string[] {
  return pairRows(before.purchases, after.purchases).flatMap(({ was, now }) => {
    const sold = ({ lines, amountPence, classCount, buyer }: PurchaseRow) =>
      JSON.stringify([lines, amountPence, classCount, now.userId && buyer])
    const refunds = after.refunds.filter(({ purchaseId }) => purchaseId === now.id)
    const [, total] = receiptWords({ purchase: now, method: null, refunds }, null).total
    return [
      ...(was && sold(was) !== sold(now) ? [`purchase ${now.id} was ${sold(was)} and is ${sold(now)}`] : []),
      ...(/[-−]/.test(total) ? [`receipt ${now.receiptNumber} comes to ${total}`] : []),
    ]
  })
}

/** Passes whose bookings or expiry are wrong after a refund or dispute. */
function findPassErrors(world: World, before: Snapshot, after: Snapshot): string[] {
  return pairRows(before.passes, after.passes).flatMap(({ was, now }) => {
    if (!was) return []
    const kept = after.bookings.filter(({ passId, status, classId }) => {
      const held = after.classes.find(({ id }) => id === classId)
      return (
        passId === now.id && status === 'confirmed' && held && Temporal.Instant.compare(held.startsAt, world.now) > 0
      )
    })
    const found: string[] = []
    if (!was.refundedAt && now.refundedAt && kept.length > 0)
      found.push(`pass ${now.id} has ended but booking ${kept[0]?.id} is still confirmed`)
    // Days on which it was also paused count once.
    if (was.frozenAt && !now.frozenAt && !now.refundedAt && now.paused.length === 0) {
      const due = was.expiresAt.add(was.frozenAt.until(world.now))
      if (Temporal.Instant.compare(now.expiresAt, due) < 0) found.push(`pass ${now.id} lost its frozen time`)
    }
    return found
  })
}

type Checked = { result: StepResult; before: Snapshot; after: Snapshot; calendars: Calendars }

async function findViolations(world: World, { result, before, after, calendars }: Checked): Promise<string[]> {
  const mails = await world.takeMails()
  const letters = await Promise.all(
    mails.map((mail) =>
      renderMail(mail, world.studio.settings.appUrl, { facts: initialFacts, tokenOf: () => 'a-token' }),
    ),
  )
  const isSingle = !result.isSeveral && result.responses.length <= 1
  return [
    ...(await brokenInvariants(world.studio.server.database.pool)),
    ...findResponseErrors(world, result, mails.length, before, after),
    ...(result.check?.(before, after) ?? []),
    ...findEmailErrors(world, { before, after, mails, isSingle }),
    ...findSubjectErrors(mails, letters),
    ...findPaymentErrors(before, after),
    ...findRecordErrors(before, after),
    ...findPassErrors(world, before, after),
    ...findBookedAgain(world, before, after),
    ...findWrongTurns(world, before, after),
    ...findUnasked(world, before, after),
    ...findUnnotified(world, after),
    ...findUpcomingMarked(world, after),
    ...findOnClosedDays(world, result, before, after),
    ...calendars.open(letters),
    ...calendars.differences(world, after),
  ]
}

/** Server errors, and failures reported although something was changed. */
function findResponseErrors(
  world: World,
  { responses }: StepResult,
  mails: number,
  before: Snapshot,
  after: Snapshot,
): string[] {
  const isFault = responses.some(({ status }) => status >= 500 && status !== 503)
  const logged = world.studio.logged.findLast((line) => line.includes('"level":50'))
  const faults = isFault ? [`answered with a server error: ${logged}`] : []
  const isRefused = responses.length > 0 && responses.every(({ status }) => status >= 400)
  const changed = JSON.stringify(before) !== JSON.stringify(after) || mails > 0
  return isRefused && changed ? [...faults, 'a request was refused, but something changed'] : faults
}

/** Marked attendance of a class that has not started: it was moved although its members cannot cancel. */
function findUpcomingMarked(world: World, { bookings, classes }: Snapshot): string[] {
  const ahead = new Set(classes.filter((row) => !hasStarted(row.startsAt, world.now)).map(({ id }) => id))
  return bookings
    .filter(({ status, classId }) => ['completed', 'no_show'].includes(status) && ahead.has(classId))
    .map(({ id, status }) => `booking ${id} is ${status}, but its class has not started`)
}

/** Classes that the owner did not confirm for a closed day. */
function findOnClosedDays(world: World, result: StepResult, before: Snapshot, after: Snapshot): string[] {
  if (result.onClosedDay) return []
  return pairRows(before.classes, after.classes)
    .filter(({ was, now }) => {
      const isOn = now.isActive && !now.deletedAt && closureOf(now, after.closures)
      const wasOn = was?.isActive && was.date === now.date && closureOf(was, before.closures)
      return isOn && !wasOn && !hasStarted(now.startsAt, world.now)
    })
    .map(({ now }) => `${now.title} is on a closed day without confirmation`)
}

/** Passes that paid and should not have. */
function findPaymentErrors(before: Snapshot, after: Snapshot): string[] {
  const found: string[] = []
  for (const line of newLines(before, after)) {
    // A restored booking is paid by its former pass, whatever became of it.
    if (line.kind !== 'booking' || line.reinstatements > 0) continue
    const pass = before.passes.find(({ id }) => id === line.passId)
    const booking = after.places.find(({ id }) => id === line.bookingId)
    const held = after.classes.find(({ id }) => id === booking?.classId)
    if (!pass || !booking || !held) continue
    const isFrozen = pass.frozenAt && after.passes.find(({ id }) => id === pass.id)?.frozenAt
    if (isFrozen) found.push(`pass ${pass.id} is frozen and pays for booking ${booking.id}`)
    const isPaused = pass.paused.some(({ from, to }) => from <= held.date && held.date <= to)
    if (isPaused) found.push(`pass ${pass.id} is paused and pays for booking ${booking.id}`)
    if (pass.refundedAt) found.push(`pass ${pass.id} was refunded and pays for booking ${booking.id}`)
    if (pass.userId !== booking.payerId) found.push(`pass ${pass.id} pays for another member's booking ${booking.id}`)
    if (Temporal.Instant.compare(pass.expiresAt, held.startsAt) < 0)
      found.push(`pass ${pass.id} expires before the class it pays for`)
  }
  return found
}
