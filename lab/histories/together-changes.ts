import { dayOfWeekday } from '#booking/rules-regular.ts'
import type { BookingRow, InvitationRow } from '#booking/tables.ts'
import { isPausedOn } from '#passes/rules.ts'
import { heldPlaces, newLines, pairRows, placeOf, type Snapshot } from './snapshot.ts'
import { hasPassEnded, titleOf } from './step.ts'
import type { World } from './world.ts'

export const nameOf = ({ members }: World, userId: string | null | undefined) =>
  members.find(({ id }) => id === userId)?.name ?? 'unknown'

/** What changed for members and their companions, as sentences like those of `notifications.ts`. */
export function togetherChanges(world: World, before: Snapshot, after: Snapshot): string[] {
  return [
    ...invitationChanges(world, before, after),
    ...movedInvitations(world, before, after),
    ...leftAlone(world, before, after),
    ...regularChanges(world, before, after),
    ...pairRows(before.vouchers, after.vouchers)
      .filter(({ was, now }) => now.soldAt && !was?.soldAt)
      .map(({ now }) => `${nameOf(world, now.buyerId)} has voucher ${now.id} to print`),
  ]
}

const guest = ({ members }: World, { email }: InvitationRow) =>
  members.find((member) => member.email === email)?.name ?? email

function invitationChanges(world: World, before: Snapshot, after: Snapshot): string[] {
  const erased = heldPlaces(before)
    .filter(({ id }) => !after.invitations.some((row) => row.id === id))
    .map((gone) => {
      const title = titleOf(after, gone.place.classId)
      return world.justErased.has(gone.email)
        ? `${nameOf(world, gone.place.payerId)} is emailed that the companion declined ${title}`
        : `${guest(world, gone)} is no longer invited to ${title}`
    })
  const changed = pairRows(before.invitations, after.invitations).flatMap(({ was, now }) => {
    const place = placeOf(after, now) ?? placeOf(before, now)
    if (!place) return []
    const [payer, companion, title] = [nameOf(world, place.payerId), guest(world, now), titleOf(after, place.classId)]
    // They have the place already, and are asked to every later one.
    const isAsked = before.bookings.some(({ id }) => id === place.id)
    const invited = was ? [] : [`${companion} is ${isAsked ? 'asked along' : 'invited'} to ${title}`]
    if (now.answer === null || now.answer === was?.answer) return invited
    const ended = isAsked ? [] : [`${companion} is no longer invited to ${title}`]
    const word = now.answer === 'ended' ? 'no place is held in' : `the companion ${now.answer}`
    return [...invited, `${payer} is emailed that ${word} ${title}`, ...(now.answer === 'accepted' ? [] : ended)]
  })
  return [...erased, ...changed]
}

function movedInvitations(world: World, before: Snapshot, after: Snapshot): string[] {
  const moved = pairRows(before.classes, after.classes).filter(
    ({ was, now }) => was && !(was.startsAt.equals(now.startsAt) && was.endsAt.equals(now.endsAt)),
  )
  const wasHeld = new Set(heldPlaces(before).map(({ id }) => id))
  return heldPlaces(after)
    .filter(({ id, place }) => wasHeld.has(id) && moved.some(({ now }) => now.id === place.classId))
    .map((now) => `${guest(world, now)} is invited to another time of ${titleOf(after, now.place.classId)}`)
}

/** When one of two leaves, the other is emailed: the companion who keeps the place, and the member who paid. */
function leftAlone(world: World, before: Snapshot, after: Snapshot): string[] {
  const ended = before.bookings.flatMap((was) => {
    const now = after.places.find(({ id }) => id === was.id)
    // Its row is gone once both people are erased.
    if (was.status !== 'confirmed' || (now && now.status !== 'cancelled')) return []
    return [{ ...was, paymentStatus: now?.paymentStatus ?? was.paymentStatus }]
  })
  return ended.flatMap((place) => {
    const { id, classId, broughtBy, payerId, userId } = place
    const title = titleOf(after, classId)
    const isBrought = payerId !== null && payerId !== userId
    const isOn = after.classes.some((row) => row.id === classId && row.isActive && !row.deletedAt)
    if (!isOn) {
      // The studio cancelled the class, in which the member who paid has no place of their own any more.
      const isBack = place.paymentStatus === 'refunded'
      const hasEnded = ended.some((other) => other.classId === classId && other.userId === payerId)
      return isBrought && isBack && !hasEnded ? [`${nameOf(world, payerId)} has a credit back for ${title}`] : []
    }
    const together = ended.some((other) => other.id === broughtBy)
    const brought = before.places.find((row) => row.broughtBy === id && row.status !== 'cancelled')
    const stays = after.bookings.find((row) => row.id === brought?.id && row.status === 'confirmed')
    // One email is about all dates of a regular booking.
    const isInOneMail =
      !after.places.some((row) => row.id === id) &&
      before.regulars.some((row) => row.id === place.regularBookingId && row.companionUserId)
    // The member who ends a regular booking is shown which places end with it, and emailed only about their own.
    const endsWithRegular =
      place.regularBookingId !== null && !after.regulars.some((row) => row.id === place.regularBookingId)
    return [
      ...(isBrought && !together && !endsWithRegular ? [`${nameOf(world, payerId)} is alone in ${title}`] : []),
      ...(stays && !isInOneMail ? [`${nameOf(world, stays.userId)} is alone in ${title}`] : []),
    ]
  })
}

function regularChanges(world: World, before: Snapshot, after: Snapshot): string[] {
  const slot = ({ weekday, startTime }: Snapshot['regulars'][number]) => `every ${dayOfWeekday(weekday)} ${startTime}`
  const lost = pairRows(before.bookings, after.bookings)
    .filter(({ was, now }) => was?.status === 'confirmed' && now.status === 'cancelled')
    .map(({ now }) => now.userId)
  // Places that were booked at night and stay booked are in the email about the end.
  const hasKept = (regularId: number, userId: string) =>
    before.bookings.some(
      ({ id, regularBookingId, announcedAt }) =>
        regularBookingId === regularId &&
        announcedAt === null &&
        after.bookings.some((row) => row.id === id && row.userId === userId && row.status === 'confirmed'),
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
  return pairRows(before.bookings, after.bookings)
    .filter(({ was, now: { announcedAt, movedAt, status } }) => {
      // Or the email that the class is moved was the first.
      if (announcedAt === null || (was && movedAt?.equals(announcedAt))) return false
      return !was || (was.announcedAt === null && status === 'confirmed')
    })
    .map(({ now }) => now)
}

const WEEKS = 12
/** Source: docs/studio-rules.md#without-a-press */
const UNASKED_HOURS = 12

/** Since when credits are a member's own until the next night: 21:00 before the last one. */
export function ownSince(now: Temporal.Instant): Temporal.Instant {
  const local = now.toZonedDateTimeISO('Europe/London')
  const isBefore = Temporal.PlainTime.compare(local.toPlainTime(), '00:20') < 0
  return local
    .subtract({ days: isBefore ? 2 : 1 })
    .withPlainTime('21:00')
    .toInstant()
}

/**
 * After the nightly job: dates of regular bookings that could be booked and are not, for lack of a credit that a later
 * date has taken or that is left. Source: docs/studio-rules.md#regular-bookings
 */
export function findUnbooked(world: World, before: Snapshot, after: Snapshot): string[] {
  const { now } = world
  const last = now.toZonedDateTimeISO('Europe/London').toPlainDate().add({ weeks: WEEKS }).toString()
  const since = ownSince(now)
  const isNew = (at: Temporal.Instant | null) => at !== null && Temporal.Instant.compare(at, since) > 0
  return after.regulars.flatMap((regular) => {
    const { userId } = regular
    const isOwn = (row: { userId: string; classId: number }) => row.userId === userId
    const booked = after.bookings.filter((row) => isOwn(row) && row.status !== 'cancelled')
    const spans = after.classes.filter(({ id }) => booked.some(({ classId }) => classId === id))
    const leftOut = after.classes.filter(({ id }) => after.leftOut.some((row) => isOwn(row) && row.classId === id))
    const own = after.passes.filter((pass) => pass.userId === userId && !pass.voidedAt && !pass.refundedAt)
    const free = own.filter(
      ({ id, creditsRemaining, frozenAt, usableSince }) =>
        creditsRemaining > 0 &&
        !frozenAt &&
        !isNew(usableSince) &&
        !after.ledger.some(({ passId, credits, at }) => passId === id && credits > 0 && isNew(at)),
    )
    const spent = newLines(before, after).filter(({ reason }) => reason === 'Regular booking')
    return after.classes
      .filter(
        (row) =>
          row.isActive &&
          !row.deletedAt &&
          now.until(row.startsAt).total('hours') >= UNASKED_HOURS &&
          Temporal.PlainDate.from(row.date).dayOfWeek === regular.weekday &&
          row.startTime === regular.startTime &&
          row.date >= regular.from &&
          row.date <= last &&
          row.bookedCount + row.reservedPlaces < row.maxParticipants,
      )
      .filter((row) => !leftOut.some((left) => left.startsAt.equals(row.startsAt)))
      .filter((row) => !own.some((pass) => isPausedOn(pass, row.date)))
      .filter((row) => {
        const isLater = ({ passId, classDate }: (typeof spent)[number]) =>
          own.some(({ id }) => id === passId) && (classDate ?? '') > row.date
        const isGood = (pass: Snapshot['passes'][number]) => Temporal.Instant.compare(pass.expiresAt, row.startsAt) >= 0
        return free.some(isGood) || spent.some(isLater)
      })
      .filter(
        (row) =>
          !spans.some(
            (held) =>
              Temporal.Instant.compare(held.startsAt, row.endsAt) < 0 &&
              Temporal.Instant.compare(row.startsAt, held.endsAt) < 0,
          ),
      )
      .map((row) => `${nameOf(world, userId)} is not booked into ${row.title}, which they come to every week`)
  })
}

/** What nobody pressed for: booked too late, with credits that were the member's own, or while they were away. */
export function findUnasked(world: World, before: Snapshot, after: Snapshot): string[] {
  const agreed = pairRows(before.regulars, after.regulars)
    .filter(({ was, now }) => was?.companionUserId !== now.companionUserId)
    .map(({ now }) => now.id)
  return newLines(before, after).flatMap((line) => {
    const place = after.places.find(({ id }) => id === line.bookingId)
    const pass = before.passes.find(({ id }) => id === line.passId)
    const held = after.classes.find(({ id }) => id === place?.classId)
    // A companion who agrees is a press.
    const isAsked = !isUnasked(line) || !place?.regularBookingId || agreed.includes(place.regularBookingId)
    if (isAsked || !pass || !held) return []
    const since = ownSince(line.at)
    const lines = after.ledger.filter(({ passId, id }) => passId === pass.id && id <= line.id)
    const recent = lines.filter(({ at }) => Temporal.Instant.compare(at, since) > 0)
    const sum = (of: typeof lines) => of.reduce((total, { credits }) => total + credits, 0)
    const added = sum(recent.filter(({ credits }) => credits > 0))
    const pressed = -sum(recent.filter((each) => each.credits < 0 && !isUnasked(each)))
    const isOwn = sum(lines) < added - pressed || (pass.usableSince?.since(since).sign ?? 0) > 0
    const what = `${nameOf(world, place.userId)} is booked into ${held.title} without a press`
    const isAway = after.passes.some(
      (each) => each.userId === place.payerId && !hasPassEnded(after, each.id) && isPausedOn(each, held.date),
    )
    return [
      ...(line.at.until(held.startsAt).total('hours') < UNASKED_HOURS ? [`${what}, too late`] : []),
      ...(isOwn ? [`${what}, with a credit that was the payer's own until the night`] : []),
      ...(isAway ? [`${what}, while a pass is paused`] : []),
    ]
  })
}

const isUnasked = ({ kind, causedBy, reason, reinstatements }: Snapshot['ledger'][number]) =>
  kind === 'booking' &&
  causedBy === 'system' &&
  reinstatements === 0 &&
  (reason === 'Regular booking' || reason === 'From the waiting list')

const MORNING = '09:00'
const SOON_DAYS = 7

/** Places booked at night whose holders were not told by the next morning, although they are soon. */
export function findUnnotified(world: World, { bookings, classes }: Snapshot): string[] {
  const local = world.now.toZonedDateTimeISO('Europe/London')
  const isBefore = Temporal.PlainTime.compare(local.toPlainTime(), MORNING) < 0
  const morning = local.subtract({ days: isBefore ? 1 : 0 }).withPlainTime(MORNING)
  const soon = morning.toPlainDate().add({ days: SOON_DAYS }).toString()
  return bookings
    .filter(({ status, announcedAt }) => status === 'confirmed' && announcedAt === null)
    .filter(({ bookedAt }) => Temporal.Instant.compare(bookedAt, morning.toInstant()) < 0)
    .filter(({ classId }) => classes.some(({ id, date }) => id === classId && date <= soon))
    .map(({ id, userId }) => `${nameOf(world, userId)} was not told of booking ${id}`)
}

/** Dates that a member gave up and the job booked again. */
export function findBookedAgain(world: World, before: Snapshot, after: Snapshot): string[] {
  return (
    newLines(before, after)
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
export function findOutlived(world: World, state: Snapshot): string[] {
  return heldPlaces(state)
    .filter(({ openUntil }) => Temporal.Instant.compare(openUntil, world.now) <= 0)
    .map(({ place, openUntil }) => `place ${place.id} is still held, but was until ${openUntil}`)
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
