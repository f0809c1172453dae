import { attentionApi } from '#attention/web/api.ts'
import type { ReturnCreditForm } from '#booking/contract.ts'
import { bookingApi } from '#booking/web/api.ts'
import { CHANGED as BOOKING_CHANGED } from '#booking/web/change-bookings.ts'
import { insightsApi } from '#insights/web/api.ts'
import { promptQueries } from '#mailings/web/messages.ts'
import { useAdminMutation } from '../admin-mutation.ts'

/** A place taken or given back changes classes, bookings, credits, and every figure and list made of them. */
export const CHANGED = [
  ...BOOKING_CHANGED,
  ...promptQueries,
  ...Object.values(insightsApi),
  attentionApi.listAttention,
  bookingApi.listUndoable,
]

type Attendance = { id: number; status: 'completed' | 'no_show' }

/** Says whether a member came. */
export function useMarkAttendance() {
  return useAdminMutation({
    mutationFn: ({ id, status }: Attendance) => bookingApi.markAttendance.call({ params: { id }, body: { status } }),
    says: {
      success: (booking) =>
        `${booking.user.firstName} ${booking.user.lastName} marked as ${booking.status === 'no_show' ? 'a no-show' : 'attended'}`,
      failure: 'Failed to mark attendance',
    },
    stale: CHANGED,
  })
}

/** Cancels a member's booking for them. Without `returnCredit` the rules decide what becomes of the credit. */
export function useCancelForMember({
  id,
  returnCredit,
  onDone,
}: {
  id: number
  returnCredit?: boolean
  onDone: () => void
}) {
  return useAdminMutation({
    mutationFn: () => bookingApi.cancelForMember.call({ params: { id }, body: { returnCredit } }),
    says: { success: 'Booking cancelled successfully', failure: 'Failed to cancel booking' },
    stale: CHANGED,
    onSuccess: onDone,
  })
}

/** Gives back the credit of a booking that had forfeited it. */
export function useReturnCredit({ id, onDone }: { id: number; onDone: () => void }) {
  return useAdminMutation({
    mutationFn: (body: ReturnCreditForm) => bookingApi.returnForfeitedCredit.call({ params: { id }, body }),
    says: { success: 'Credit given back', failure: 'Failed to give the credit back' },
    stale: CHANGED,
    onSuccess: onDone,
  })
}

/** Takes a class off: its members are told, and get their credits back. */
export function useCancelClass({ id, ifUpdatedAt, onDone }: { id: number; ifUpdatedAt: string; onDone: () => void }) {
  return useAdminMutation({
    mutationFn: () => bookingApi.editClass.call({ params: { id }, body: { isActive: false, ifUpdatedAt } }),
    says: { success: 'Class updated successfully', failure: 'Failed to update class', fixed: true },
    stale: CHANGED,
    onSuccess: onDone,
  })
}
