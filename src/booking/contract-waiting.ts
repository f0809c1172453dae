import { z } from 'zod'
import { accountRefusals } from '#accounts/contract.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { InstantText, Message, PathId } from '#foundation/fields.ts'
import { refusals } from '#foundation/refusal.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import { ClassFacts } from './contract.ts'

/** In the order in which joining a waiting list checks them (docs/studio-rules.md#waiting-list). */
export const waitingRefusals = refusals({
  already_booked: [409, 'You already have a confirmed booking for this class, so there is no need to wait.'],
  already_on_waiting_list: [409, 'You are already on the waiting list for this class.'],
  class_started: [400, 'This class has already started, so its waiting list is closed.'],
  class_inactive: [400, 'This class is not open for booking, so it has no waiting list.'],
  class_has_free_place: [400, 'This class has a free place. You can book it now.'],
  not_on_waiting_list: [404, 'You are not on the waiting list for this class.'],
})

/** Why a member in line is skipped when a place is given, the first that applies. */
export const SkipReason = z.enum(['blocked', 'no_credit', 'pass_on_hold', 'health_missing', 'overlapping_booking'])
export type SkipReason = z.output<typeof SkipReason>

export const WaitingEntry = z
  .object({
    classId: z.int(),
    class: ClassFacts,
    /** Place in line: 1 is next. */
    position: z.int().min(1),
    joinedAt: InstantText,
    /** The studio has moved the class since: no place is given before the member has joined again. */
    needsConfirming: z.boolean(),
    /** Why the member would be skipped if a place were given now; null when they would get it. */
    wouldBeSkipped: SkipReason.nullable(),
  })
  .meta({ id: 'WaitingEntry' })
export type WaitingEntry = z.output<typeof WaitingEntry>

export const joinWaitingList = endpoint('POST /api/classes/:id/waitlist', {
  who: 'member',
  summary: 'Wait in line for a place in a full class, or say that one still waits for a class that was moved',
  params: PathId,
  /** `isBooked`: a place was free, and went to the member with their confirmation. */
  reply: WaitingEntry.extend({ isBooked: z.boolean() }),
  status: 201,
  refusals: [
    timetableRefusals.class_not_found,
    accountRefusals.account_blocked,
    waitingRefusals.already_booked,
    waitingRefusals.already_on_waiting_list,
    waitingRefusals.class_started,
    waitingRefusals.class_inactive,
    waitingRefusals.class_has_free_place,
  ],
})

export const leaveWaitingList = endpoint('DELETE /api/classes/:id/waitlist', {
  who: 'member',
  summary: 'Leave the line for a class',
  params: PathId,
  reply: Message,
  refusals: [timetableRefusals.class_not_found, waitingRefusals.not_on_waiting_list],
})

export const listWaiting = endpoint('GET /api/user/waitlist', {
  who: 'member',
  summary: 'The classes that have not started for which the member waits, next first, with the place in line',
  reply: z.array(WaitingEntry),
})
