import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Undoable } from '#booking/contract-classes.ts'
import { bookingApi } from '#booking/web/api.ts'
import { many } from '#foundation/many.ts'
import { timetableApi } from '#timetable/web/api.ts'
import { Button } from '#ui/button.tsx'
import { useAdminMutation } from './admin-mutation.ts'
import { STALE } from './bookings/booking-changes.ts'

/** Classes deleted and days closed within the last minute, each with Undo until members are emailed. */
export function UndoBar() {
  const { data = [], dataUpdatedAt } = useQuery(bookingApi.listUndoable.queryOptions())
  const elapsedSeconds = useSecondsSince(dataUpdatedAt, data.length > 0)
  const open = data.filter(({ secondsLeft }) => secondsLeft > elapsedSeconds)
  if (open.length === 0) return null
  return (
    <ul aria-label="Can still be undone" className="sticky top-24 z-20 mb-6 grid gap-3">
      {open.map((one) => (
        <UndoRow key={one.id} undoable={one} seconds={one.secondsLeft - elapsedSeconds} />
      ))}
    </ul>
  )
}

function UndoRow({ undoable: { id, what, classes }, seconds }: { undoable: Undoable; seconds: number }) {
  const undo = useAdminMutation({
    mutationFn: () => bookingApi.undoCancellation.call({ params: { id } }),
    toasts: { success: ({ message }) => message, failure: 'Failed to undo' },
    stale: [...STALE, timetableApi.listClosures],
  })
  const counted = many(classes, 'class', 'classes')
  const text = what === 'closed' ? `Days closed, ${counted} cancelled.` : `${counted} deleted.`
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 rounded-row bg-white px-5 py-3 shadow-lift">
      <p role="status" className="text-[0.9375rem] font-medium">
        {text}{' '}
        <span className="font-normal text-ink-soft">
          No emails have been sent yet<span aria-hidden>: {many(seconds, 'second')} left</span>.
        </span>
      </p>
      <Button variant="secondary" small busy={undo.isPending} onClick={() => undo.mutate()}>
        Undo<span className="sr-only">: {text}</span>
      </Button>
    </li>
  )
}

/** Whole seconds since `moment` (this browser's clock), counted while `isRunning`. */
function useSecondsSince(moment: number, isRunning: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  return Math.max(0, Math.floor((now - moment) / 1000))
}
