import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { CallError, errorMessage } from '#foundation/call.ts'
import { formatLongDate } from '#foundation/dates.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { toast, toastError } from '#ui/toast.ts'
import type { BeginRequest, Booking, CompanionForm } from '../contract.ts'
import { bookingApi } from './api.ts'
import { ALREADY_BOOKED } from './bookings.ts'
import { offerUndo, withdrawUndo } from './just-cancelled.ts'

type BookParams = {
  chosen: StudioClass
  userId: string
  usePass: boolean
  /** The purchase for which the member asks to start within the cancellation period. */
  beginRequest: BeginRequest | undefined
  /** For the second place. */
  companion?: CompanionForm | undefined
}

/** Agreed with the studio. */
export function useBook({ onBooked }: { onBooked: () => void }) {
  return useMemberMutation({
    mutationFn: ({ chosen, userId, usePass, beginRequest, companion }: BookParams) =>
      bookingApi.bookClass.call({
        body: { classId: chosen.id, userId, participantCount: 1, usePass, beginRequest, companion },
      }),
    onDone: (_, { chosen, companion }) =>
      toast({
        title: 'Booking Confirmed',
        description: `Your booking for ${chosen.title} has been confirmed using your class pass.${companion ? ` We’ve emailed ${companion.firstName} an invitation.` : ''}`,
      }),
    onSuccess: onBooked,
    onError: (error) => toast({ ...bookingFailure(error), tone: 'error' }),
  })
}

function bookingFailure(error: Error): { title: string; description: string } {
  if (error instanceof CallError && error.status === 409)
    return { title: 'Booking Failed', description: ALREADY_BOOKED }
  const description = errorMessage(error, 'Unable to complete your booking. Please try again.')
  return { title: needsClassPass(error) ? 'Class Pass Required' : 'Booking Failed', description }
}

/**
 * Whether no pass can pay. The one place that reads a message: as agreed with the studio, every 400 whose message
 * mentions 'class pass' has the title 'Class Pass Required', with or without a code.
 */
export function needsClassPass(error: Error | null): boolean {
  if (bookingApi.bookClass.isRefusal(error, ...NO_PASS_CAN_PAY)) return true
  return error instanceof CallError && error.status === 400 && Boolean(error.serverMessage?.includes('class pass'))
}

const NO_PASS_CAN_PAY = [
  'no_class_pass',
  'class_pass_required',
  'no_credits',
  'pass_expires_before_class',
  'pass_on_hold',
  'pass_paused',
] as const

export function useCancelBooking() {
  return useMemberMutation({
    mutationFn: (id: number) => bookingApi.cancelBooking.call({ params: { id } }),
    onDone: (cancelled) => {
      toast({ title: 'Success', description: 'Booking cancelled successfully' })
      offerUndo(cancelled)
    },
    onError: (error) => toastError(error, 'Failed to cancel booking'),
  })
}

/** Brings back a booking that was cancelled a moment ago. After a refusal Undo is gone. */
export function useUndoCancel() {
  return useMemberMutation({
    mutationFn: ({ id }: Booking) => bookingApi.undoCancel.call({ params: { id } }),
    onDone: (_, { class: { title } }) =>
      toast({ title: 'Booking Restored', description: `Your booking for ${title} is as it was.` }),
    onSuccess: (_, { id }) => withdrawUndo(id),
    onError: (error, { id }) => {
      if (error instanceof CallError && error.status < 500) withdrawUndo(id)
      const description = errorMessage(error, 'Your booking could not be brought back. Please try again.')
      toast({ title: 'Not Undone', description, tone: 'error' })
    },
  })
}

export function useRescheduleBooking({ onMoved }: { onMoved: () => void }) {
  return useMemberMutation({
    mutationFn: ({ booking, to }: { booking: Booking; to: StudioClass }) =>
      bookingApi.rescheduleBooking.call({ params: { id: booking.id }, body: { classId: to.id } }),
    onDone: (moved) =>
      toast({
        title: 'Booking Moved',
        description: `${moved.class.title} is now on ${formatLongDate(moved.class.date)} at ${moved.class.startTime}.`,
      }),
    onSuccess: onMoved,
    onError: (error) => toast({ title: 'Not Moved', description: rescheduleFailure(error), tone: 'error' }),
  })
}

export function rescheduleFailure(error: Error): string {
  return `${errorMessage(error, 'Your booking could not be moved.')} Your booking is unchanged.`
}

type Awaited = { id: number; title: string; needsConfirming?: boolean }

/** Joins a waiting list, or confirms a place on it after the class moved. A free place may be booked immediately. */
export function useJoinWaitingList({ onSettled }: { onSettled?: () => void } = {}) {
  return useMemberMutation({
    mutationFn: ({ id }: Awaited) => bookingApi.joinWaitingList.call({ params: { id } }),
    onDone: ({ position, isBooked, wouldBeSkipped }, { title, needsConfirming }) => {
      if (isBooked) {
        toast(placeGiven(title))
      } else {
        const line = needsConfirming ? 'Still on the Waiting List' : 'On the Waiting List'
        const missing = wouldBeSkipped === 'no_credit' ? ' To get a place, you need a class pass.' : ''
        toast({ title: line, description: `You are no. ${position} on the waiting list for ${title}.${missing}` })
      }
    },
    onError: (error, { needsConfirming }) => {
      const [title, otherwise] = needsConfirming ? ['Not Confirmed', NOT_CONFIRMED] : ['Could Not Join', NOT_JOINED]
      toast({ title, description: errorMessage(error, otherwise), tone: 'error' })
    },
    onSettled,
  })
}

/** Leaves a waiting list. */
export function useLeaveWaitingList({ onSettled }: { onSettled?: () => void } = {}) {
  return useMemberMutation({
    mutationFn: ({ id }: Awaited) => bookingApi.leaveWaitingList.call({ params: { id } }),
    onDone: (_, { title }) =>
      toast({
        title: 'Left the Waiting List',
        description: `You are no longer on the waiting list for ${title}.`,
      }),
    onError: (error) => toastError(error, NOT_LEFT, 'Could Not Leave'),
    onSettled,
  })
}

/** Declines an offered place. The member keeps their position. */
export function useDeclineOffer() {
  return useMemberMutation({
    mutationFn: ({ id }: Awaited) => bookingApi.declineOffer.call({ params: { id } }),
    onDone: (_, { title }) =>
      toast({ title: 'Place Declined', description: `You keep your place on the waiting list for ${title}.` }),
    onError: (error) => toastError(error, 'The place could not be declined. Please try again.', 'Could Not Decline'),
  })
}

const placeGiven = (title: string) => ({
  title: 'A Place for You',
  description: `A place was free: ${title} is booked with your class pass.`,
})

const NOT_JOINED = 'You could not be put on the waiting list. Please try again.'
const NOT_CONFIRMED = 'Your place on the waiting list could not be confirmed. Please try again.'
const NOT_LEFT = 'You are still on the waiting list. Please try again.'
