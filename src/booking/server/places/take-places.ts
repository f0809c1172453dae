import { and, eq, inArray, sql } from 'drizzle-orm'
import { defined } from '#foundation/collections.ts'
import { type RefusalDefinition, refuse } from '#foundation/refusal.ts'
import { type Cause, spendCredits, spendCreditsAgain } from '#passes/server/passes.ts'
import { onlyRow, type Tx, violates } from '#platform/database/database.ts'
import { reservePlaces } from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import { bookingRefusals, companionRefusals } from '../../refusals.ts'
import { placePlanner, type WayIn } from '../../rules-places.ts'
import { type BookingRow, bookings, type PlaceRow, waitingList } from '../../tables.ts'
import { standingsForUpdate } from './standings.ts'

// The only code that writes places which are taken: `give-up-places.ts` ends them.

/** A place that a person is to get in a (locked) class. */
export type Wish = {
  studioClass: ClassRow
  /** Null for a place held for an invited person. */
  holder: { id: string } | null
  /** Whose pass pays: the holder's, unless given. */
  payer?: { id: string }
  broughtBy?: number | null
  invitationId?: number | null
  regularBookingId?: number | null
  /** The cancelled booking that it replaces: it keeps the calendar entry. */
  insteadOf?: Pick<PlaceRow, 'calendarUid' | 'calendarSequence'>
}
export type Taken = { place: PlaceRow } | { refusal: RefusalDefinition }

const holderIdOf = ({ holder }: Wish) => holder?.id ?? null
const payerIdOf = ({ holder, payer }: Wish) => (payer ?? holder)?.id ?? ''

/**
 * Takes places in (locked) classes, each paid with one credit, or says why not, in the order of
 * docs/studio-rules.md#booking. A place that was taken counts for the next. Writes as many statements for one as for
 * many. The holder leaves the waiting list. Emails are left to the caller.
 *
 * @param how.announce queues emails about the places that were taken; its statements travel with others
 */
export async function takePlaces(
  tx: Tx,
  wishes: readonly Wish[],
  way: WayIn,
  how: Cause & {
    participants?: number
    usePass?: boolean
    announce?: (places: readonly PlaceRow[]) => Promise<void>
  },
): Promise<Taken[]> {
  const { participants, usePass, announce, ...cause } = how
  const { now } = cause
  const holders = wishes.flatMap(({ holder }) => holder?.id ?? [])
  const classes = wishes.map(({ studioClass }) => studioClass)
  const people = { holders, payers: wishes.map(payerIdOf) }
  const standings = await standingsForUpdate(tx, people, { now, classes, isUnasked: way.isUnasked ?? false })
  const waitsFor = ({ holder, studioClass }: Wish) =>
    standings.get(holder?.id ?? '')?.waiting.find(({ classId }) => classId === studioClass.id)
  const decide = placePlanner(standings, now)
  const decisions = wishes.map((wish) => {
    const isOffered = wish.studioClass.reservedPlaces > 0 && waitsFor(wish)?.isOffered === true
    const people = { holderId: holderIdOf(wish), payerId: payerIdOf(wish) }
    const asked = { class: wish.studioClass, ...people, isOffered, participants, usePass }
    return { wish, isOffered, decision: decide(asked, way) }
  })
  const allowed = decisions.flatMap(({ wish, isOffered, decision }) =>
    'passId' in decision ? [{ wish, isOffered, passId: decision.passId }] : [],
  )
  for (const { wish, isOffered } of allowed) {
    if (isOffered) await reservePlaces(tx, [wish.studioClass.id], wish.studioClass.reservedPlaces - 1)
  }
  const made = await insertPlaces(
    tx,
    allowed.map(({ wish, passId }) => ({
      userId: holderIdOf(wish),
      payerId: payerIdOf(wish),
      passId,
      classId: wish.studioClass.id,
      status: wish.holder === null ? ('held' as const) : ('confirmed' as const),
      paymentStatus: 'paid' as const,
      totalAmountPence: wish.studioClass.passPricePence,
      origin: way.origin,
      regularBookingId: wish.regularBookingId ?? null,
      broughtBy: wish.broughtBy ?? null,
      invitationId: wish.invitationId ?? null,
      bookedAt: now,
      announcedAt: wish.holder === null || way.isAnnouncedLater ? null : now,
      calendarUid: wish.insteadOf?.calendarUid,
      calendarSequence: wish.insteadOf && wish.insteadOf.calendarSequence + 1,
    })),
  )
  const waiting = allowed.filter(({ wish }) => waitsFor(wish)).map(({ wish }) => wish)
  await Promise.all([spendCredits(tx, made, cause), leaveWaitingLists(tx, waiting), announce?.(made)])
  return decisions.map(({ wish, decision }) => {
    if ('refusal' in decision) return decision
    const isIts = ({ classId, userId }: PlaceRow) => classId === wish.studioClass.id && userId === holderIdOf(wish)
    return { place: defined(made.find(isIts)) }
  })
}

/** The refusal for an admin who books for a member without health information. */
export const memberHealthMissing = {
  ...bookingRefusals.health_information_missing,
  message: 'This member’s health information is missing. Tick “Book anyway” to book without it.',
}

/** Takes one place of a member, or refuses. */
export async function takePlace(
  tx: Tx,
  wish: Wish & { holder: { id: string } },
  way: WayIn,
  cause: Parameters<typeof takePlaces>[3],
): Promise<BookingRow> {
  const taken = onlyRow(await takePlaces(tx, [wish], way, cause))
  if ('place' in taken) return taken.place as BookingRow
  const isForMember = cause.causedBy.by === 'admin' && taken.refusal === bookingRefusals.health_information_missing
  refuse(isForMember ? memberHealthMissing : taken.refusal)
}

async function leaveWaitingLists(tx: Tx, wishes: readonly Wish[]): Promise<void> {
  if (wishes.length === 0) return
  const column = (of: (wish: Wish) => string | number | null) => sql.param(wishes.map(of))
  await tx.delete(waitingList).where(
    sql`(${waitingList.userId}, ${waitingList.classId}) in (select * from unnest(
      ${column(holderIdOf)}::text[], ${column(({ studioClass }) => studioClass.id)}::int[]))`,
  )
}

async function insertPlaces(tx: Tx, values: (typeof bookings.$inferInsert)[]): Promise<PlaceRow[]> {
  if (values.length === 0) return []
  const inserted = tx.insert(bookings).values(values).returning()
  try {
    // A name is for one text, which has another length for several, and for a calendar entry to continue.
    const isUsual = values.length === 1 && values[0]?.calendarUid === undefined
    return isUsual ? await inserted.prepare('insert_booking').execute() : await inserted
  } catch (error) {
    if (violates(error, 'one_confirmed_booking_per_member_and_class')) refuse(bookingRefusals.already_booked)
    if (violates(error, 'one_companion_per_booking')) refuse(companionRefusals.companion_already_added)
    if (violates(error, 'a_class_is_never_oversold')) refuse(bookingRefusals.class_full)
    throw error
  }
}

/** The pass of a held place has paid, whatever became of it since; only a pause counts. */
const PAYS_FOR_THIS = { creditsRemaining: 1, frozenAt: null, refundedAt: null, voidedAt: null }

/**
 * Gives a held place (locked, like its class) to the person who accepts it, or refuses. No credit moves: the one that
 * held it pays.
 */
export async function takeHeldPlace(
  tx: Tx,
  { place, studioClass, holderId }: { place: PlaceRow; studioClass: ClassRow; holderId: string },
  way: WayIn,
  now: Temporal.Instant,
): Promise<PlaceRow> {
  const payerId = place.payerId ?? ''
  const standings = await standingsForUpdate(
    tx,
    { holders: [holderId], payers: [payerId] },
    { now, classes: [studioClass] },
  )
  // The place and the credit are its own already.
  const own = { ...studioClass, bookedCount: studioClass.bookedCount - 1 }
  const passes = (standings.get(payerId)?.passes ?? []).flatMap((pass) =>
    pass.id === place.passId ? [{ ...pass, ...PAYS_FOR_THIS, expiresAt: studioClass.endsAt }] : [],
  )
  const people = new Map([...standings].map(([id, person]) => [id, id === payerId ? { ...person, passes } : person]))
  const decision = placePlanner(people, now)({ class: own, holderId, payerId }, way)
  if ('refusal' in decision)
    refuse(
      decision.refusal === bookingRefusals.pass_paused ? companionRefusals.invitation_pass_paused : decision.refusal,
    )
  const [taken] = await tx
    .update(bookings)
    .set({ userId: holderId, status: 'confirmed', bookedAt: now, announcedAt: now })
    .where(eq(bookings.id, place.id))
    .returning()
  await tx.delete(waitingList).where(and(eq(waitingList.userId, holderId), eq(waitingList.classId, studioClass.id)))
  return taken ?? refuse(companionRefusals.invitation_ended)
}

/**
 * Brings cancelled places (locked, with classes and passes) back, which take their credits again; an ended pass, which
 * got none back, needs none. The caller has checked that there is room and credit.
 */
export async function takePlacesAgain(
  tx: Tx,
  places: readonly PlaceRow[],
  endedPasses: ReadonlySet<number>,
  cause: Cause & { reason: string },
): Promise<PlaceRow[]> {
  if (places.length === 0) return []
  const ids = places.map(({ id }) => id)
  const restored = await tx
    .update(bookings)
    .set({
      status: sql`case when ${bookings.userId} is null then 'held' else 'confirmed' end`,
      paymentStatus: 'paid',
      cancelledAt: null,
      reinstatements: sql`${bookings.reinstatements} + 1`,
    })
    .where(inArray(bookings.id, ids))
    .returning()
  await spendCreditsAgain(tx, restored, endedPasses, cause)
  return restored
}
