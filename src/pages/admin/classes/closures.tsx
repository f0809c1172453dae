import { useState } from 'react'
import { bookingApi } from '#booking/web/api.ts'
import type { Closure } from '#timetable/contract.ts'
import { timetableApi } from '#timetable/web/api.ts'
import { daysOf, useClosures } from '#timetable/web/classes.ts'
import { Button } from '#ui/button.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { CHANGED } from '../bookings/booking-changes.ts'
import { ConfirmChange } from '../dialog-form.tsx'

/** Days that are closed, each with the way to open it again; nothing while there are none. */
export function Closures() {
  const closures = useClosures()
  const [opening, setOpening] = useState<Closure>()
  if (closures.length === 0) return null
  return (
    <section aria-labelledby="closures" className="mb-8 rounded-row bg-linen px-5 py-4">
      <h2 id="closures" className="font-medium">
        Closed days
      </h2>
      <ul className="mt-1">
        {closures.map((closure) => (
          <li key={closure.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-1.5">
            <p className="min-w-0 wrap-anywhere">
              {daysOf(closure)} <span className="text-ink-soft">· {closure.reason}</span>
            </p>
            <Button variant="secondary" small onClick={() => setOpening(closure)}>
              Open again<span className="sr-only">: {daysOf(closure)}</span>
            </Button>
          </li>
        ))}
      </ul>
      {opening && <OpenDaysDialog closure={opening} onClose={() => setOpening(undefined)} />}
    </section>
  )
}

function OpenDaysDialog({ closure, onClose }: { closure: Closure; onClose: () => void }) {
  const open = useAdminMutation({
    mutationFn: () => bookingApi.openDays.call({ params: { id: closure.id } }),
    says: { success: ({ message }) => message, failure: 'Failed to open the days' },
    stale: [...CHANGED, timetableApi.listClosures],
    onSuccess: onClose,
  })
  return (
    <ConfirmChange
      title="Open these days again?"
      text={`${daysOf(closure)}. Their classes come back empty: members who had booked have their credits back and can book again. Nobody is emailed.`}
      keep="Keep closed"
      confirm="Open again"
      mutation={open}
      onClose={onClose}
    />
  )
}
