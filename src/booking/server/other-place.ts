import { and, eq } from 'drizzle-orm'
import { findUser, recipient } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { queueMail } from '#messages/server/messages.ts'
import { findPasses } from '#passes/server/passes.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import type { ClassRow } from '#timetable/tables.ts'
import { type BookingRow, bookings, companions } from '../tables.ts'
import { findInvitationOf } from './companion-queries.ts'
import { toClassFacts } from './queries.ts'

/**
 * When one of two people has left, emails the other that they keep their place. Not for classes that the studio
 * cancels, where everyone is emailed anyway.
 *
 * @param because.together the bookings that ended with it: their members are emailed about those
 */
export async function emailOther(
  tx: Tx,
  ended: BookingRow,
  studioClass: ClassRow,
  because: { together?: ReadonlySet<number>; hasPassEnded?: boolean } = {},
): Promise<void> {
  const facts = { class: toClassFacts(studioClass) }
  const invitation = await findInvitationOf(tx, ended.id)
  if (invitation && !because.together?.has(invitation.bookingId)) {
    const payer = await payerOf(tx, ended)
    const outcome = ended.paymentStatus === 'refunded' ? 'credit_returned' : 'forfeited'
    const credit = because.hasPassEnded ? 'pass_ended' : outcome
    const other = invitation.firstName ?? ''
    if (payer) await queueMail(tx, 'other-place-ended', { to: recipient(payer), ...facts, other, credit })
  }
  const [companion] = await tx
    .select({ id: users.id, email: users.email, firstName: users.firstName })
    .from(companions)
    .innerJoin(bookings, eq(bookings.id, companions.companionBookingId))
    .innerJoin(users, eq(users.id, bookings.userId))
    .where(and(eq(companions.bookingId, ended.id), eq(bookings.status, 'confirmed')))
  const member = companion && (await findUser(tx, ended.userId))
  if (member) await queueMail(tx, 'other-place-ended', { to: recipient(companion), ...facts, other: member.firstName })
}

/** The member whose pass paid for a companion's booking; undefined for everyone else's bookings. */
export async function payerOf(reader: Reader, booking: Pick<BookingRow, 'userId' | 'passId'>) {
  const [pass] = await findPasses(reader, [booking.passId])
  return pass && pass.userId !== booking.userId ? await findUser(reader, pass.userId) : undefined
}
