import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { listUndoable, Undoable, undoCancellation } from '../../booking/contract-classes.ts'
import { call } from '../../foundation/call.ts'
import { many } from '../../foundation/many.ts'
import { closuresKey } from '../../timetable/web/closures.ts'
import { Button } from '../../ui/button.tsx'
import { present } from '../../ui/use-now.ts'
import { useAdminMutation } from './admin-mutation.ts'
import { CHANGED } from './bookings/booking-changes.ts'

export const undoKey = ['admin', 'undo'] as const

const undoable = queryOptions({
  queryKey: undoKey,
  queryFn: () => call<typeof listUndoable>({ method: 'GET', path: '/api/admin/cancellations' }),
})

/** Classes deleted and days closed within the last minute, each with Undo until members are emailed. */
export function UndoBar() {
  const { data = [] } = useQuery(undoable)
  const now = useSeconds(data.length > 0)
  const open = data.filter(({ until }) => secondsUntil(until, now) > 0)
  if (open.length === 0) return null
  return (
    <ul aria-label="Can still be undone" className="sticky top-24 z-20 mb-6 grid gap-3">
      {open.map((one) => (
        <UndoRow key={one.id} undoable={one} seconds={secondsUntil(one.until, now)} />
      ))}
    </ul>
  )
}

function UndoRow({ undoable: { id, what, classes }, seconds }: { undoable: Undoable; seconds: number }) {
  const undo = useAdminMutation({
    mutationFn: () =>
      call<typeof undoCancellation>({ method: 'POST', path: '/api/admin/cancellations/:id/undo' }, { params: { id } }),
    says: { success: ({ message }) => message, failure: 'Failed to undo' },
    stale: [...CHANGED, closuresKey],
  })
  const counted = many(classes, 'class', 'classes')
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 rounded-row bg-white px-5 py-3 shadow-lift">
      <p role="status" className="text-[0.9375rem] font-medium">
        {what === 'closed' ? `Days closed, ${counted} cancelled.` : `${counted} deleted.`}{' '}
        <span className="font-normal text-ink-soft">
          Nobody has been emailed yet<span aria-hidden>: {many(seconds, 'second')} left</span>.
        </span>
      </p>
      <Button variant="secondary" small busy={undo.isPending} onClick={() => undo.mutate()}>
        Undo
      </Button>
    </li>
  )
}

const secondsUntil = (until: string, now: Temporal.Instant) =>
  Math.ceil(now.until(Temporal.Instant.from(until)).total('seconds'))

/** The present instant, renewed every second while `runs`. */
function useSeconds(runs: boolean): Temporal.Instant {
  const [now, setNow] = useState(present)
  useEffect(() => {
    if (!runs) return
    const renew = () => setNow(present())
    renew()
    const timer = setInterval(renew, 1000)
    return () => clearInterval(timer)
  }, [runs])
  return now
}
