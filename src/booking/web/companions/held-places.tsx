import { useQuery } from '@tanstack/react-query'
import { fullName } from '#accounts/rules.ts'
import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { formatDay } from '#foundation/dates.ts'
import { studioDate, studioTime } from '#foundation/instants.ts'
import { Button } from '#ui/button.tsx'
import { toast, toastError } from '#ui/toast.ts'
import type { HeldPlace } from '../../contract-companions.ts'
import { staffBookingApi } from '../staff-api.ts'

/** The places of a class that are held for companions, for the owner, who can confirm or end each. */
export function HeldPlaces({ classId }: { classId: number }) {
  const { data = [] } = useQuery(staffBookingApi.listHeldPlaces.queryOptions())
  return data.filter((place) => place.classId === classId).map((place) => <HeldRow key={place.id} place={place} />)
}

function HeldRow({ place: { id, companion, member, heldUntil } }: { place: HeldPlace }) {
  const params = { id }
  const confirm = useMemberMutation({
    mutationFn: () => staffBookingApi.confirmHeldPlace.call({ params }),
    onDone: () => toast({ title: 'Place Confirmed', description: `${companion.firstName} is booked.` }),
    onError: (error) => toastError(error, 'The place could not be confirmed.', 'Not Confirmed'),
  })
  const end = useMemberMutation({
    mutationFn: () => staffBookingApi.endHeldPlace.call({ params }),
    onDone: () => toast({ title: 'Place Free Again', description: 'We’ll email both of them.' }),
    onError: (error) => toastError(error, 'The place could not be ended.', 'Not Ended'),
  })
  const until = Temporal.Instant.from(heldUntil)
  const name = fullName(companion)
  return (
    <div className="flex basis-full flex-wrap items-center gap-x-3 text-small text-ink-soft">
      <p className="wrap-anywhere">
        Held for {name}, companion of {fullName(member)}, until {studioTime(until)} on{' '}
        {formatDay(studioDate(until).toString())}
      </p>
      <Button
        variant="quiet"
        small
        busy={confirm.isPending}
        aria-label={`Confirm the place of ${name}`}
        onClick={() => confirm.mutate()}
      >
        Confirm
      </Button>
      <Button
        variant="quiet"
        small
        busy={end.isPending}
        aria-label={`End the place of ${name}`}
        onClick={() => end.mutate()}
      >
        End
      </Button>
    </div>
  )
}
