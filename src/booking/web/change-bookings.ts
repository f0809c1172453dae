import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { CallError, sentenceOf } from '#foundation/call.ts'
import { formatLongDate } from '#foundation/dates.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { toast } from '#ui/toast.ts'
import type { Booking } from '../contract.ts'
import { bookingApi } from './api.ts'
import { ALREADY_BOOKED, bookingsNow } from './bookings.ts'
import { CHANGED } from './stale.ts'

/** The member's booking that is so now, asked anew: whether a write whose answer was lost was done. */
async function findBooking(queries: QueryClient, isIt: (booking: Booking) => boolean): Promise<Booking | undefined> {
  return (await bookingsNow(queries)).find(isIt)
}

type BookParams = {
  chosen: StudioClass
  userId: string
  usePass: boolean
  /** The purchase for which the member asks to begin within the days in which they can cancel it. */
  beginRequest?: { purchaseId: number }
}

/** Books a place and shows the result (specification, section 8). */
export function useBook({ onBooked }: { onBooked: () => void }) {
  const queries = useQueryClient()
  return useMemberMutation({
    mutationFn: ({ chosen, userId, usePass, beginRequest }: BookParams) =>
      bookingApi.bookClass.call({ body: { classId: chosen.id, userId, participantCount: 1, usePass, beginRequest } }),
    stale: CHANGED,
    lookAgain: ({ chosen }) =>
      findBooking(queries, ({ classId, status }) => classId === chosen.id && status === 'confirmed'),
    onDone: (_, { chosen }) =>
      toast({
        title: 'Booking Confirmed',
        description: `Your booking for ${chosen.title} has been confirmed using your class pass.`,
      }),
    onSuccess: onBooked,
    onError: (error) => toast({ ...bookingFailure(error), tone: 'error' }),
  })
}

function bookingFailure(error: Error): { title: string; description: string } {
  if (error instanceof CallError && error.status === 409)
    return { title: 'Booking Failed', description: ALREADY_BOOKED }
  const description = sentenceOf(error, 'Unable to complete your booking. Please try again.')
  return { title: needsClassPass(error) ? 'Class Pass Required' : 'Booking Failed', description }
}

/**
 * Whether a booking was refused because no pass can pay. The one place that reads a message: the specification (section 8)
 * gives every 400 whose message mentions 'class pass' the title 'Class Pass Required', with or without a code.
 */
export function needsClassPass(error: Error | null): boolean {
  if (bookingApi.bookClass.isRefusal(error, ...NO_PASS_CAN_PAY)) return true
  return error instanceof CallError && error.status === 400 && Boolean(error.said?.includes('class pass'))
}

const NO_PASS_CAN_PAY = [
  'no_class_pass',
  'class_pass_required',
  'no_credits',
  'pass_expires_before_class',
  'pass_on_hold',
] as const

/** Cancels a booking at once. Asking first is the caller's business. */
export function useCancelBooking() {
  const queries = useQueryClient()
  return useMemberMutation({
    mutationFn: (id: number) => bookingApi.cancelBooking.call({ params: { id } }),
    stale: CHANGED,
    lookAgain: (id) => findBooking(queries, (booking) => booking.id === id && booking.status === 'cancelled'),
    onDone: () => toast({ title: 'Success', description: 'Booking cancelled successfully' }),
    onError: (error) =>
      toast({ title: 'Error', description: sentenceOf(error, 'Failed to cancel booking'), tone: 'error' }),
  })
}

/** Moves a booking to another class in one step; refused, it stays where it was. */
export function useRescheduleBooking({ onMoved }: { onMoved: () => void }) {
  const queries = useQueryClient()
  return useMemberMutation({
    mutationFn: ({ booking, to }: { booking: Booking; to: StudioClass }) =>
      bookingApi.rescheduleBooking.call({ params: { id: booking.id }, body: { classId: to.id } }),
    stale: CHANGED,
    lookAgain: ({ to }) => findBooking(queries, ({ classId, status }) => classId === to.id && status === 'confirmed'),
    onDone: (moved) =>
      toast({
        title: 'Booking Moved',
        description: `${moved.class.title} is now on ${formatLongDate(moved.class.date)} at ${moved.class.startTime}.`,
      }),
    onSuccess: onMoved,
    onError: (error) => toast({ title: 'Not Moved', description: rescheduleFailure(error), tone: 'error' }),
  })
}

/** Why a booking stays where it is. */
export function rescheduleFailure(error: Error): string {
  return sentenceOf(error, 'Your booking could not be moved. It is still where it was.')
}
