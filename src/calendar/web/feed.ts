import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { sentenceOf } from '#foundation/call.ts'
import { toast } from '#ui/toast.ts'
import { calendarApi } from './api.ts'

/** Creates a new address. The reply is the only place that shows it. */
export function useNewAddress() {
  return useMemberMutation({
    mutationFn: () => calendarApi.createCalendar.call(),
    // After an error too: it may have been created although the reply was lost, and then the old one has ended.
    stale: [calendarApi.getCalendar],
    onError: (error) => toast({ title: 'Error', description: sentenceOf(error, NOT_MADE), tone: 'error' }),
  })
}

/** Ends the address without a new one. */
export function useEndAddress() {
  return useMemberMutation({
    mutationFn: () => calendarApi.endCalendar.call(),
    stale: [calendarApi.getCalendar],
    onSuccess: ({ message }) => toast({ title: 'Success', description: message }),
    onError: (error) => toast({ title: 'Error', description: sentenceOf(error, NOT_ENDED), tone: 'error' }),
  })
}

const NOT_MADE = 'The address could not be made. Please try again.'
const NOT_ENDED = 'The address could not be ended. Please try again.'
