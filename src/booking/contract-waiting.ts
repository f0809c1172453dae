import { z } from 'zod'
import { accountRefusals } from '#accounts/contract.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { InstantText, PathId, UserPathId } from '#foundation/fields.ts'
import { refusals } from '#foundation/refusal.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import { ClassFacts } from './contract.ts'

/** In the order in which joining checks them (docs/studio-rules.md#waiting-list). */
export const waitingRefusals = refusals({
  already_booked: [409, 'You already have a confirmed booking for this class, so there is no need to wait.'],
  already_on_waiting_list: [409, 'You are already on the waiting list for this class.'],
  class_started: [400, 'This class has already started, so its waiting list is closed.'],
  class_inactive: [400, 'This class is not open for booking, so it has no waiting list.'],
  class_has_free_place: [400, 'This class has a free place. You can book it now.'],
  not_on_waiting_list: [404, 'You are not on the waiting list for this class.'],
  no_offer: [404, 'No place is offered to you any more.'],
  no_place_to_confirm: [400, 'This member no longer has a place kept in this class.'],
})

/**
 * Why a member is skipped when a place is assigned; the first reason that applies. The last two are of regular
 * bookings: the credit is the member's own until the night, or the class starts too soon to be booked without a press.
 */
export const SkipReason = z.enum([
  'blocked',
  'no_credit',
  'pass_on_hold',
  'pass_paused',
  'health_missing',
  'overlapping_booking',
  'tonight',
  'too_soon',
])
export type SkipReason = z.output<typeof SkipReason>

export const WaitingEntry = z
  .object({
    classId: z.int(),
    class: ClassFacts,
    /** 1 is next. */
    position: z.int().min(1),
    joinedAt: InstantText,
    /** The studio has moved the class since: no place is assigned before the member has joined again. */
    needsConfirming: z.boolean(),
    /** Until when a free place is theirs alone; null without an offer. */
    offeredUntil: InstantText.nullable(),
    /** Why the member would be skipped now; null if they would get the place. */
    wouldBeSkipped: SkipReason.nullable(),
  })
  .meta({ id: 'WaitingEntry' })
export type WaitingEntry = z.output<typeof WaitingEntry>

const MAY_NOT_JOIN = [
  timetableRefusals.class_not_found,
  accountRefusals.account_blocked,
  waitingRefusals.already_booked,
  waitingRefusals.already_on_waiting_list,
  waitingRefusals.class_started,
  waitingRefusals.class_inactive,
  waitingRefusals.class_has_free_place,
]

export const joinWaitingList = endpoint('POST /api/classes/:id/waitlist', {
  who: 'member',
  summary: 'Join the waiting list of a full class, or confirm that one still waits for a class that was moved',
  params: PathId,
  /** `isBooked`: a place was free, and the member got it by confirming. */
  response: WaitingEntry.extend({ isBooked: z.boolean() }),
  status: 201,
  refusals: MAY_NOT_JOIN,
})

const userId = UserPathId.shape.id

export const joinForMember = endpoint('POST /api/admin/classes/:id/waitlist', {
  summary:
    'Put a member on the waiting list of a full class; one without an email address is called about a free place',
  params: PathId,
  body: z.object({ userId }),
  response: WaitingEntry.extend({ isBooked: z.boolean() }),
  status: 201,
  refusals: [accountRefusals.user_not_found, ...MAY_NOT_JOIN],
})

const MemberOnList = PathId.extend({ userId })
export const confirmPlace = endpoint('POST /api/admin/classes/:id/waitlist/:userId/confirm', {
  summary: 'Book the place that is kept for a member without an email address, who has said yes on the phone',
  params: MemberOnList,
  says: 'Booked',
  refusals: [timetableRefusals.class_not_found, waitingRefusals.no_place_to_confirm],
})
export const leaveForMember = endpoint('DELETE /api/admin/classes/:id/waitlist/:userId', {
  summary: 'Take a member off a waiting list; a place kept for them goes to the next',
  params: MemberOnList,
  says: 'Taken off the waiting list',
  refusals: [timetableRefusals.class_not_found, waitingRefusals.not_on_waiting_list],
})

export const leaveWaitingList = endpoint('DELETE /api/classes/:id/waitlist', {
  who: 'member',
  summary: 'Leave the waiting list of a class',
  params: PathId,
  says: 'You have left the waiting list.',
  refusals: [timetableRefusals.class_not_found, waitingRefusals.not_on_waiting_list],
})

export const declineOffer = endpoint('DELETE /api/user/waitlist/:id/offer', {
  who: 'member',
  summary:
    'Decline the place that is offered in this class; the next on the list gets the offer, and the member keeps their position',
  params: PathId,
  says: 'Declined. You keep your place on the waiting list.',
  refusals: [timetableRefusals.class_not_found, waitingRefusals.no_offer],
})

export const listWaiting = endpoint('GET /api/user/waitlist', {
  who: 'member',
  summary: 'The waiting lists of upcoming classes that the member is on, next class first, with the position',
  response: z.array(WaitingEntry),
})
