import { renderMail } from '#messages/server/render-mail.ts'
import { beginning } from '#studio.ts'
import { closureOn, hasStarted } from '#timetable/rules.ts'
import { brokenRules } from '../never.ts'
import { Calendars } from './calendars.ts'
import { hears } from './money-steps.ts'
import { pairsOf, type Snapshot } from './snapshot.ts'
import type { Deed, Step } from './step.ts'
import { isMoved, misinformed, misnamed } from './told.ts'
import type { World } from './world.ts'

/** What went wrong, with the story that led there. */
export class Broken extends Error {
  constructor(story: readonly string[], violations: readonly string[]) {
    const lines = story.map((line, i) => `  ${i + 1}. ${line}`)
    super(`${violations.map((one) => `✗ ${one}`).join('\n')}\nafter\n${lines.join('\n')}`)
    this.name = 'Broken'
  }
}

/**
 * Lives a history from Monday morning on, and looks after every step whether what must always hold holds.
 *
 * @param whenBegun done between the beginning and the first step
 * @returns the story, a line per step
 * @throws {Broken} at the first step after which something is not so
 */
export async function live(
  world: World,
  steps: readonly Step[],
  whenBegun: () => Promise<void> = async () => {},
): Promise<string[]> {
  await world.beginAnew()
  await whenBegun()
  const story: string[] = []
  const calendars = new Calendars()
  let before = await world.look()
  await world.takeMails()
  // At last both sides of the money know the same.
  for (const step of [...steps, hears.of({})]) {
    const deed = await step.take(world, before)
    if (!deed) continue
    story.push(deed.line)
    const after = await world.look()
    const violations = await judge(world, { deed, before, after, calendars })
    if (violations.length > 0) throw new Broken(story, violations)
    rememberMoves(world, before, after)
    before = after
  }
  return story
}

/** Whose class the studio has moved may give it back until it starts. */
function rememberMoves(world: World, before: Snapshot, after: Snapshot): void {
  const moved = pairsOf(before.classes, after.classes).filter(({ was, now }) => was && isMoved(was, now))
  const ids = new Set(moved.map(({ now }) => now.id))
  for (const { id, classId, status } of before.bookings) {
    if (status === 'confirmed' && ids.has(classId)) world.movedBookings.add(id)
  }
}

/** What a pass must be like when the money behind it has moved. */
function followedWrongly(world: World, before: Snapshot, after: Snapshot): string[] {
  return pairsOf(before.passes, after.passes).flatMap(({ was, now }) => {
    if (!was) return []
    const kept = after.bookings.filter(({ passId, status, classId }) => {
      const held = after.classes.find(({ id }) => id === classId)
      return (
        passId === now.id && status === 'confirmed' && held && Temporal.Instant.compare(held.startsAt, world.now) > 0
      )
    })
    const found: string[] = []
    if (!was.refundedAt && now.refundedAt && kept.length > 0)
      found.push(`pass ${now.id} has ended and booking ${kept[0]?.id} stands`)
    if (was.frozenAt && !now.frozenAt && !now.refundedAt) {
      const due = was.expiresAt.add(was.frozenAt.until(world.now))
      if (Temporal.Instant.compare(now.expiresAt, due) < 0) found.push(`pass ${now.id} lost the time it was frozen`)
    }
    return found
  })
}

type Scene = { deed: Deed; before: Snapshot; after: Snapshot; calendars: Calendars }

async function judge(world: World, { deed, before, after, calendars }: Scene): Promise<string[]> {
  const mails = await world.takeMails()
  const letters = await Promise.all(
    mails.map((mail) => renderMail(mail, world.studio.settings.appUrl, { facts: beginning, tokenOf: () => 'a-token' })),
  )
  const isSingle = deed.answers.length <= 1
  return [
    ...(await brokenRules(world.studio.server.database.pool)),
    ...answeredWrongly(world, deed, mails.length, before, after),
    ...(deed.check?.(before, after) ?? []),
    ...misinformed(world, { before, after, mails, isSingle }),
    ...misnamed(mails, letters),
    ...paidWrongly(before, after),
    ...followedWrongly(world, before, after),
    ...stillToComeThoughMarked(world, after),
    ...onClosedDays(world, deed, before, after),
    ...calendars.open(letters),
    ...calendars.differences(world, after),
  ]
}

/** A fault, or a failure that was told although something was done. */
function answeredWrongly(world: World, { answers }: Deed, mails: number, before: Snapshot, after: Snapshot): string[] {
  const isFault = answers.some(({ status }) => status >= 500 && status !== 503)
  const logged = world.studio.logged.findLast((line) => line.includes('"level":50'))
  const faults = isFault ? [`answered with a fault: ${logged}`] : []
  const isRefused = answers.length > 0 && answers.every(({ status }) => status >= 400)
  const changed = JSON.stringify(before) !== JSON.stringify(after) || mails > 0
  return isRefused && changed ? [...faults, 'a failure was told, and something was done'] : faults
}

/** Attendance of a class that has not started: it was moved with members who have no booking to cancel. */
function stillToComeThoughMarked(world: World, { bookings, classes }: Snapshot): string[] {
  const ahead = new Set(classes.filter((row) => !hasStarted(row.startsAt, world.now)).map(({ id }) => id))
  return bookings
    .filter(({ status, classId }) => ['completed', 'no_show'].includes(status) && ahead.has(classId))
    .map(({ id, status }) => `booking ${id} is ${status}, and its class is still to come`)
}

/** Classes that came onto a closed day, or stayed on one when it was closed, although the owner did not confirm it. */
function onClosedDays(world: World, deed: Deed, before: Snapshot, after: Snapshot): string[] {
  if (deed.onClosedDay) return []
  return pairsOf(before.classes, after.classes)
    .filter(({ was, now }) => {
      const isOn = now.isActive && !now.deletedAt && closureOn(now.date, after.closures)
      const wasOn = was?.isActive && was.date === now.date && closureOn(was.date, before.closures)
      return isOn && !wasOn && !hasStarted(now.startsAt, world.now)
    })
    .map(({ now }) => `${now.title} takes place on a closed day, and nobody was asked`)
}

/** Passes that paid and should not have been able to. */
function paidWrongly(before: Snapshot, after: Snapshot): string[] {
  const found: string[] = []
  for (const line of after.ledger.slice(before.ledger.length)) {
    // A booking whose cancellation was undone is paid by the pass that had paid, whatever has become of it.
    if (line.kind !== 'booking' || line.reinstatements > 0) continue
    const pass = before.passes.find(({ id }) => id === line.passId)
    const booking = after.bookings.find(({ id }) => id === line.bookingId)
    const held = after.classes.find(({ id }) => id === booking?.classId)
    if (!pass || !booking || !held) continue
    const isFrozen = pass.frozenAt && after.passes.find(({ id }) => id === pass.id)?.frozenAt
    if (isFrozen) found.push(`pass ${pass.id} is frozen and pays for booking ${booking.id}`)
    if (pass.refundedAt) found.push(`pass ${pass.id} was refunded and pays for booking ${booking.id}`)
    if (pass.userId !== booking.userId) found.push(`pass ${pass.id} pays for somebody else's booking ${booking.id}`)
    if (Temporal.Instant.compare(pass.expiresAt, held.startsAt) < 0)
      found.push(`pass ${pass.id} expires before the class it pays for`)
  }
  return found
}
