import { and, eq } from 'drizzle-orm'
import { findUser, recipient } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { queueMail } from '#messages/server/messages.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import type { ClassRow } from '#timetable/tables.ts'
import { nameOfCompanion } from '../../rules.ts'
import type { ENDINGS } from '../../rules-places.ts'
import { type InvitationRow, invitations, type PlaceRow, takenPlaces } from '../../tables.ts'
import type { EndedPlace } from './place-locks.ts'
import { toClassFacts, toMailedBooking } from './queries.ts'

// Emails about places that have ended, except when the studio cancels the class (`schedule`).

/** Emails both people that a held place has ended. */
export async function emailEndedHold(
  tx: Tx,
  { place, studioClass, outcome }: EndedPlace,
  why: (typeof ENDINGS)[keyof typeof ENDINGS]['hold'],
): Promise<void> {
  const [invitation, payer] = [await invitationOf(tx, place), await payerOf(tx, place)]
  if (!invitation || !payer) return
  const { email, firstName } = invitation
  const facts = { class: toClassFacts(studioClass) }
  const about = { to: recipient(payer), ...facts, companion: firstName }
  if (why === 'declined') await queueMail(tx, 'companion-answered', { ...about, answer: 'declined' })
  else await queueMail(tx, 'held-place-ended', { ...about, why, isCreditLost: outcome !== 'credit_returned' })
  await queueMail(tx, 'invitation-ended', { to: { email, firstName }, ...facts, invitedBy: payer.firstName, why })
}

/** Emails the holder of a place that it was cancelled, and the other of two people. */
export async function emailCancelled(tx: Tx, ended: EndedPlace, { isByPayer }: { isByPayer?: boolean } = {}) {
  const { place, studioClass, outcome, reason } = ended
  const [member, payer] = [place.userId && (await findUser(tx, place.userId)), await payerOf(tx, place)]
  if (!member) return
  const paidBy = payer && payer.id !== member.id ? { paidBy: payer.firstName, isByPayer } : {}
  const mailed = { class: toMailedBooking(place, studioClass), outcome, reason, ...paidBy }
  await queueMail(tx, 'booking-cancelled', { to: recipient(member), ...mailed })
  await emailOther(tx, place, studioClass)
}

/**
 * When one of two people has left, emails the other that they keep their place. Not for classes that the studio
 * cancels, where everyone is emailed anyway.
 *
 * @param because.together the bookings that ended with it: their members are emailed about those
 */
export async function emailOther(
  tx: Tx,
  ended: PlaceRow,
  studioClass: ClassRow,
  because: { together?: ReadonlySet<number>; hasPassEnded?: boolean } = {},
): Promise<void> {
  const facts = { class: toClassFacts(studioClass) }
  if (ended.payerId !== ended.userId && !because.together?.has(ended.broughtBy ?? 0)) {
    const payer = await payerOf(tx, ended)
    const outcome = ended.paymentStatus === 'refunded' ? 'credit_returned' : 'forfeited'
    const credit = because.hasPassEnded ? 'pass_ended' : outcome
    const other = nameOfCompanion((await invitationOf(tx, ended))?.firstName)
    if (payer) await queueMail(tx, 'other-place-ended', { to: recipient(payer), ...facts, other, credit })
  }
  const [companion] = await tx
    .select({ id: users.id, email: users.email, firstName: users.firstName })
    .from(takenPlaces)
    .innerJoin(users, eq(users.id, takenPlaces.userId))
    .where(and(eq(takenPlaces.broughtBy, ended.id), eq(takenPlaces.status, 'confirmed')))
  const member = companion && ended.userId !== null && (await findUser(tx, ended.userId))
  if (member) await queueMail(tx, 'other-place-ended', { to: recipient(companion), ...facts, other: member.firstName })
}

/** The member whose pass paid for a place; undefined once erased. */
export async function payerOf(reader: Reader, { payerId }: Pick<PlaceRow, 'payerId'>) {
  return payerId === null ? undefined : await findUser(reader, payerId)
}

/** The invitation of a person who is brought; undefined once it is forgotten. */
export async function invitationOf(
  reader: Reader,
  { invitationId }: Pick<PlaceRow, 'invitationId'>,
): Promise<InvitationRow | undefined> {
  if (invitationId === null) return undefined
  const [row] = await reader.select().from(invitations).where(eq(invitations.id, invitationId))
  return row
}
