import { dayOfWeekday } from '#booking/regular-rules.ts'
import type { BookingRow, CompanionRow } from '#booking/tables.ts'
import { isPausedOn } from '#passes/rules.ts'
import { pairRows, type Snapshot } from './snapshot.ts'
import type { World } from './world.ts'

const nameOf = ({ members }: World, userId: string | undefined) =>
  members.find(({ id }) => id === userId)?.name ?? 'unknown'
const titleOf = ({ classes }: Snapshot, id: number) => classes.find((row) => row.id === id)?.title ?? `class ${id}`

/** What changed for members and their companions, as sentences like those of `notifications.ts`. */
export function togetherChanges(world: World, before: Snapshot, after: Snapshot): string[] {
  return [
    ...pairRows(before.companions, after.companions).flatMap(({ was, now }) => heldChanges(world, after, was, now)),
    ...movedInvitations(world, before, after),
    ...leftAlone(world, before, after),
    ...regularChanges(world, before, after),
    ...pairRows(before.vouchers, after.vouchers)
      .filter(({ was, now }) => now.soldAt && !was?.soldAt)
      .map(({ now }) => `${nameOf(world, now.buyerId ?? undefined)} has voucher ${now.id} to print`),
  ]
}

const guest = (world: World, { email }: CompanionRow) =>
  world.members.find((member) => member.email === email)?.name ?? email ?? 'unknown'

/** The member who invited, of a companion's place. */
const inviterOf = (world: World, { bookings }: Snapshot, { bookingId }: CompanionRow) =>
  nameOf(world, bookings.find(({ id }) => id === bookingId)?.userId)

function heldChanges(world: World, after: Snapshot, was: CompanionRow | undefined, now: CompanionRow): string[] {
  if (now.isRegular) return []
  const [payer, companion, title] = [inviterOf(world, after, now), guest(world, now), titleOf(after, now.classId)]
  const invited = was ? [] : [`${companion} is invited to ${title}`]
  if ((was?.state ?? 'held') !== 'held' || now.state === 'held') return invited
  if (now.state === 'accepted') return [...invited, `${payer} is emailed that the companion accepted ${title}`]
  const ended = `${companion} is no longer invited to ${title}`
  const word = now.state === 'declined' ? 'the companion declined' : 'no place is held in'
  return [...invited, `${payer} is emailed that ${word} ${title}`, ended]
}

function movedInvitations(world: World, before: Snapshot, after: Snapshot): string[] {
  const moved = pairRows(before.classes, after.classes).filter(
    ({ was, now }) => was && !(was.startsAt.equals(now.startsAt) && was.endsAt.equals(now.endsAt)),
  )
  return pairRows(before.companions, after.companions)
    .filter(({ was, now }) => was?.state === 'held' && now.state === 'held')
    .filter(({ now: { classId } }) => moved.some(({ now }) => now.id === classId))
    .map(({ now }) => `${guest(world, now)} is invited to another time of ${titleOf(after, now.classId)}`)
}

/** When one of two leaves, the other is emailed: the companion who keeps the place, and the member who paid. */
function leftAlone(world: World, before: Snapshot, after: Snapshot): string[] {
  const ended = pairRows(before.bookings, after.bookings)
    .filter(({ was, now }) => was?.status === 'confirmed' && now.status === 'cancelled')
    .map(({ now }) => now)
  const hasEnded = (bookingId: number) => ended.some(({ id }) => id === bookingId)
  const isOn = ({ classId }: BookingRow) =>
    after.classes.some((row) => row.id === classId && row.isActive && !row.deletedAt)
  const ownOf = ({ id }: BookingRow) => after.companions.find(({ companionBookingId }) => companionBookingId === id)
  // The studio cancelled the class after the member who paid had cancelled their own place.
  const paidBack = ended.filter((booking) => {
    const own = ownOf(booking)
    return own && !isOn(booking) && !hasEnded(own.bookingId) && booking.paymentStatus === 'refunded'
  })
  const alone = ended
    .filter((booking) => isOn(booking))
    .flatMap((booking) => {
      const own = ownOf(booking)
      const theirs = after.companions.find(
        ({ bookingId, companionBookingId }) => bookingId === booking.id && companionBookingId,
      )
      const stays = after.bookings.find(({ id, status }) => id === theirs?.companionBookingId && status === 'confirmed')
      const title = titleOf(after, booking.classId)
      return [
        ...(own && !hasEnded(own.bookingId) ? [`${payerOf(world, after, booking)} is alone in ${title}`] : []),
        ...(stays ? [`${nameOf(world, stays.userId)} is alone in ${title}`] : []),
      ]
    })
  return [
    ...alone,
    ...paidBack.map(
      (booking) => `${payerOf(world, after, booking)} has a credit back for ${titleOf(after, booking.classId)}`,
    ),
  ]
}

/** The holder of the pass that paid. */
export const payerOf = (world: World, { passes }: Snapshot, { passId }: BookingRow) =>
  nameOf(world, passes.find(({ id }) => id === passId)?.userId)

function regularChanges(world: World, before: Snapshot, after: Snapshot): string[] {
  const slot = ({ weekday, startTime }: Snapshot['regulars'][number]) => `every ${dayOfWeekday(weekday)} ${startTime}`
  const lost = pairRows(before.bookings, after.bookings)
    .filter(({ was, now }) => was?.status === 'confirmed' && now.status === 'cancelled')
    .map(({ now }) => now.userId)
  // Places that were booked at night and stay booked are in the email about the end.
  const hasKept = (regularId: number, userId: string) =>
    before.unmailed.some(
      ({ bookingId, regularBookingId }) =>
        regularBookingId === regularId &&
        after.bookings.some(
          ({ id, ...row }) => id === bookingId && row.userId === userId && row.status === 'confirmed',
        ),
    )
  const isEmailed = (regularId: number, userId: string) => lost.includes(userId) || hasKept(regularId, userId)
  const ended = before.regulars
    .filter(({ id }) => !after.regulars.some((row) => row.id === id))
    .filter(({ id, userId }) => !world.endedRegulars.has(id) || isEmailed(id, userId))
  // A companion is emailed when it ends, or when they leave and lose or keep places; then the member is too.
  const parted = before.regulars.flatMap((row) => {
    const { companionUserId } = row
    const now = after.regulars.find(({ id }) => id === row.id)
    if (companionUserId === null || now?.companionUserId === companionUserId) return []
    return [
      ...(!now || isEmailed(row.id, companionUserId)
        ? [`${nameOf(world, companionUserId)} no longer comes along ${slot(row)}`]
        : []),
      ...(now ? [`${nameOf(world, row.userId)} comes alone ${slot(row)}`] : []),
    ]
  })
  return [
    ...parted,
    ...ended.map((row) => `${nameOf(world, row.userId)} no longer comes ${slot(row)}`),
    ...pairRows(before.regulars, after.regulars).flatMap(({ was, now }) => [
      ...(was ? [] : [`${nameOf(world, now.userId)} comes ${slot(now)}`]),
      ...(now.creditsWarnedAt && !was?.creditsWarnedAt
        ? [`${nameOf(world, now.userId)} lacks credits ${slot(now)}`]
        : []),
    ]),
  ]
}

/** Bookings that members are first emailed about in this step; those made at night are emailed in the morning. */
export function emailedBookings(before: Snapshot, after: Snapshot): BookingRow[] {
  const waited = new Set(before.unmailed.map(({ bookingId }) => bookingId))
  const waits = new Set(after.unmailed.map(({ bookingId }) => bookingId))
  return pairRows(before.bookings, after.bookings)
    .filter(({ was, now }) => {
      if (waits.has(now.id)) return false
      return !was || was.classId !== now.classId || (waited.has(now.id) && now.status === 'confirmed')
    })
    .map(({ now }) => now)
}

const WEEKS = 12

/**
 * After the nightly job: dates of regular bookings that could be booked and are not.
 * Source: docs/studio-rules.md#regular-bookings
 */
export function findUnbooked(world: World, after: Snapshot): string[] {
  const last = world.now.toZonedDateTimeISO('Europe/London').toPlainDate().add({ weeks: WEEKS }).toString()
  return after.regulars.flatMap((regular) => {
    const { userId } = regular
    const isOwn = (row: { userId: string; classId: number }) => row.userId === userId
    const booked = after.bookings.filter((row) => isOwn(row) && row.status === 'confirmed')
    const own = after.passes.filter((pass) => pass.userId === userId && !pass.voidedAt && !pass.refundedAt)
    return after.classes
      .filter(
        (row) =>
          row.isActive &&
          !row.deletedAt &&
          Temporal.Instant.compare(row.startsAt, world.now) > 0 &&
          Temporal.PlainDate.from(row.date).dayOfWeek === regular.weekday &&
          row.startTime === regular.startTime &&
          row.date >= regular.from &&
          row.date <= last &&
          row.bookedCount + row.heldPlaces < row.maxParticipants,
      )
      .filter((row) => !after.leftOut.some((left) => isOwn(left) && left.classId === row.id))
      .filter((row) => !own.some((pass) => isPausedOn(pass, row.date)))
      .filter((row) =>
        own.some(
          (pass) =>
            pass.creditsRemaining > 0 && !pass.frozenAt && Temporal.Instant.compare(pass.expiresAt, row.startsAt) >= 0,
        ),
      )
      .filter(
        (row) =>
          !booked.some(({ classId }) => {
            const held = after.classes.find(({ id }) => id === classId)
            return (
              held &&
              Temporal.Instant.compare(held.startsAt, row.endsAt) < 0 &&
              Temporal.Instant.compare(row.startsAt, held.endsAt) < 0
            )
          }),
      )
      .map((row) => `${nameOf(world, userId)} is not booked into ${row.title}, which they come to every week`)
  })
}

/** Dates that a member gave up and the job booked again. */
export function findBookedAgain(world: World, before: Snapshot, after: Snapshot): string[] {
  return (
    after.ledger
      .slice(before.ledger.length)
      .filter(
        ({ kind, reason, reinstatements }) =>
          kind === 'booking' && reason === 'Regular booking' && reinstatements === 0,
      )
      .flatMap(({ bookingId }) => after.bookings.filter(({ id }) => id === bookingId))
      .filter(({ userId, classId }) =>
        before.leftOut.some((left) => left.userId === userId && left.classId === classId),
      )
      // Setting it up again books them again.
      .filter(
        ({ userId }) =>
          !pairRows(before.regulars, after.regulars).some(({ was, now }) => !was && now.userId === userId),
      )
      .map(({ userId, classId }) => `${nameOf(world, userId)} gave up ${titleOf(after, classId)} and is booked again`)
  )
}

/** Places that are held for companions beyond their time. */
export function findOutlived(world: World, { companions }: Snapshot): string[] {
  return companions
    .filter(({ state, heldUntil }) => state === 'held' && Temporal.Instant.compare(heldUntil, world.now) <= 0)
    .map(({ id, heldUntil }) => `place ${id} is still held, but was until ${heldUntil}`)
}

/** In minutes. Source: docs/studio-rules.md#waiting-list */
const TURN = 20

/** Turns that are too long or over. */
export function findWrongTurns(world: World, before: Snapshot, after: Snapshot): string[] {
  return pairRows(before.waiting, after.waiting)
    .filter(({ was, now }) => now.offeredUntil && !was?.offeredUntil?.equals(now.offeredUntil))
    .flatMap(({ now }) => {
      const minutes = now.offeredUntil ? world.now.until(now.offeredUntil).total('minutes') : 0
      return minutes > 0 && minutes <= TURN ? [] : [`a place is offered for ${minutes} minutes`]
    })
}
