import type {
  cancelForMember,
  markAttendance,
  ReturnCreditForm,
  returnForfeitedCredit,
} from '../../../booking/contract.ts'
import type { editClass } from '../../../booking/contract-classes.ts'
import { bookingsKey } from '../../../booking/web/stale.ts'
import { call } from '../../../foundation/call.ts'
import { passesKey } from '../../../passes/web/passes.ts'
import { classesKey } from '../../../timetable/web/classes.ts'
import { useAdminMutation } from '../admin-mutation.ts'

/** A place taken or given back moves classes, bookings, credits and every figure made of them. */
export const CHANGED = [bookingsKey, classesKey, passesKey, ['admin']] as const

type Attendance = { id: number; status: 'completed' | 'no_show' }

/** Says whether a member came. */
export function useMarkAttendance() {
  return useAdminMutation({
    mutationFn: ({ id, status }: Attendance) =>
      call<typeof markAttendance>(
        { method: 'PUT', path: '/api/admin/bookings/:id/attendance' },
        { params: { id }, body: { status } },
      ),
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
    mutationFn: () =>
      call<typeof cancelForMember>(
        { method: 'PUT', path: '/api/admin/bookings/:id/cancel' },
        { params: { id }, body: { returnCredit } },
      ),
    says: { success: 'Booking cancelled successfully', failure: 'Failed to cancel booking' },
    stale: CHANGED,
    onSuccess: onDone,
  })
}

/** Gives back the credit of a booking that had forfeited it. */
export function useReturnCredit({ id, onDone }: { id: number; onDone: () => void }) {
  return useAdminMutation({
    mutationFn: (body: ReturnCreditForm) =>
      call<typeof returnForfeitedCredit>(
        { method: 'POST', path: '/api/admin/bookings/:id/return-credit' },
        { params: { id }, body },
      ),
    says: { success: 'Credit given back', failure: 'Failed to give the credit back' },
    stale: CHANGED,
    onSuccess: onDone,
  })
}

/** Takes a class off: its members are told, and get their credits back. */
export function useCancelClass({ id, ifUpdatedAt, onDone }: { id: number; ifUpdatedAt: string; onDone: () => void }) {
  return useAdminMutation({
    mutationFn: () =>
      call<typeof editClass>(
        { method: 'PUT', path: '/api/classes/:id' },
        { params: { id }, body: { isActive: false, ifUpdatedAt } },
      ),
    says: { success: 'Class updated successfully', failure: 'Failed to update class', fixed: true },
    stale: CHANGED,
    onSuccess: onDone,
  })
}
