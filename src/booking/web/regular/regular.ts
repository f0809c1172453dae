import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { useMemberQuery } from '#accounts/web/session.ts'
import { many } from '#foundation/collections.ts'
import { formatDay, weekdayOf } from '#foundation/dates.ts'
import { toast, toastError } from '#ui/toast.ts'
import type { BeginRequest, CompanionForm } from '../../contract.ts'
import type { RegularBooking, RegularCode, RegularDate } from '../../contract-regular.ts'
import { bookingApi } from '../api.ts'
import { offerUndo } from '../just-cancelled.ts'

export const useRegularBookings = () => useMemberQuery(bookingApi.listRegularBookings.queryOptions())

/** `Every Friday at 08:00`. */
export const slotName = ({ day, startTime }: Pick<RegularBooking, 'day' | 'startTime'>) =>
  `Every ${day} at ${startTime}`
export const slotOfClass = ({ date, startTime }: { date: string; startTime: string }) =>
  slotName({ day: weekdayOf(date), startTime })

/** Why a date is not booked, for the member. */
export const WHY_NOT: Record<RegularCode, string> = {
  blocked: 'Your account is on hold',
  no_credit: 'No credit that is valid on that day',
  pass_on_hold: 'Your class pass is on hold',
  pass_paused: 'Your class pass is paused',
  health_missing: 'Your health information is not complete',
  overlapping_booking: 'You have booked another class at that time',
  tonight: 'Booked tonight, while you have a free credit',
  too_soon: 'Starts too soon to be booked for you',
  full: 'Full: you are on the waiting list',
  skipped: 'Not coming',
  closed: 'The studio is closed',
  already_booked: 'Booked',
}

/** `Every Friday at 08:00, with Bea`. */
export const slotForTwo = (regular: RegularBooking) => {
  const other = regular.companion ?? regular.bookedBy
  return other ? `${slotName(regular)}, with ${other.firstName}` : slotName(regular)
}

export const isBooked = ({ bookingId }: RegularDate) => bookingId !== null

/** `12 classes booked until Friday 26 February`. */
export function reachOf({ dates, bookedUntil }: Pick<RegularBooking, 'dates' | 'bookedUntil'>): string {
  if (bookedUntil === null) return 'No date is booked yet'
  return `${many(dates.filter(isBooked).length, 'class', 'classes')} booked until ${formatDay(bookedUntil)}`
}

export function useSetRegular({ onDone }: { onDone: (made: RegularBooking) => void }) {
  return useMemberMutation({
    mutationFn: (body: {
      classId: number
      withCompanion: boolean
      companion?: CompanionForm | undefined
      beginRequest: BeginRequest | undefined
    }): Promise<RegularBooking> => bookingApi.setRegularBooking.call({ body }),
    onDone,
    onError: (error) => toastError(error, 'Nothing was booked. Please try again.', 'Booking Failed'),
  })
}

export function useSkipDate() {
  return useMemberMutation({
    mutationFn: ({ id, classId }: { id: number; classId: number; date: string }) =>
      bookingApi.skipRegularDate.call({ params: { id }, body: { classId } }),
    onDone: ({ cancelled }, { date }) => {
      const credit = cancelled && !cancelled.bookedBy ? ' Your credit is back on your pass.' : ''
      toast({ title: 'Date Skipped', description: `${formatDay(date)} is not booked for you.${credit}` })
      if (cancelled) offerUndo(cancelled)
    },
    onError: (error) => toastError(error, 'The date could not be skipped. Please try again.', 'Not Skipped'),
  })
}

export function useEndRegular({ onSettled }: { onSettled: () => void }) {
  return useMemberMutation({
    mutationFn: ({ id, cancelBookings }: { id: number; cancelBookings: 'true' | 'false' }) =>
      bookingApi.endRegularBooking.call({ params: { id }, query: { cancelBookings } }),
    onDone: ({ cancelledBookingIds: { length } }) =>
      toast({
        title: 'Regular Booking Stopped',
        description: length > 0 ? `${many(length, 'booking')} cancelled.` : 'Classes already booked stay booked.',
      }),
    onError: (error) => toastError(error, 'It could not be stopped. Please try again.', 'Not Stopped'),
    onSettled,
  })
}
