import type { User } from '#accounts/contract.ts'
import { findUser, recipient } from '#accounts/server/accounts.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { refuse } from '#foundation/refusal.ts'
import { queueMails } from '#messages/server/messages.ts'
import { actingFor } from '#passes/server/passes.ts'
import type { Tx } from '#platform/database/database.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import { classForUpdate } from '#timetable/server/timetable.ts'
import { bookingRefusals } from '../../refusals.ts'
import { cancellationAt } from '../../rules.ts'
import { WAYS_IN } from '../../rules-places.ts'
import { describeClass, toBooking, toMailedBooking } from '../places/queries.ts'
import { takePlace } from '../places/take-places.ts'

export type BookingRequest = {
  classId: number
  /** The caller if absent. */
  userId?: string | null
  participantCount?: number | null
  usePass?: boolean | null
  /** Admins only: the class may have started, health information may be missing. */
  override?: boolean | null
}

/**
 * Books a place and pays for it with one credit. The class is locked, so of concurrent bookings of the last place one
 * wins. Refusals come in the order of docs/studio-rules.md#booking.
 */
export async function bookClass(tx: Tx, caller: User, body: BookingRequest, now: Temporal.Instant) {
  const studioClass = (await classForUpdate(tx, body.classId)) ?? refuse(timetableRefusals.class_not_found)
  const member = await findBookedMember(tx, caller, body.userId)
  const isForMember = member.id !== caller.id
  const isOverride = caller.isAdmin && body.override === true
  const ownWay = isForMember ? WAYS_IN.desk : WAYS_IN.member
  const ifCancelled = cancellationAt(now, { startsAt: studioClass.startsAt, isMoved: false })
  const place = await takePlace(tx, { studioClass, holder: member }, isOverride ? WAYS_IN.walk_in : ownWay, {
    causedBy: actingFor(member.id, caller),
    participants: body.participantCount ?? 1,
    usePass: body.usePass ?? true,
    announce: async (places) => {
      const mails = places.map((taken) => ({
        to: recipient(member),
        class: toMailedBooking(taken, studioClass),
        ifCancelled,
      }))
      await queueMails(tx, 'booking-confirmed', mails)
    },
    now,
  })
  if (isForMember) {
    const subject = { kind: 'user' as const, id: member.id }
    const changes = { class: { after: describeClass(studioClass) }, ...(isOverride && { override: { after: true } }) }
    await recordAdminChange(tx, caller, { action: 'booked_for', subject, changes }, now)
  }
  const booked = { ...studioClass, bookedCount: studioClass.bookedCount + 1 }
  return toBooking({ booking: place, class: booked, user: member })
}

async function findBookedMember(tx: Tx, caller: User, userId: string | null | undefined) {
  if (userId == null || userId === caller.id) return caller
  if (!caller.isAdmin) refuse(bookingRefusals.booking_for_another_member)
  return (await findUser(tx, userId)) ?? refuse(bookingRefusals.user_not_found)
}
