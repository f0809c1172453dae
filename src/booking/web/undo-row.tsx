import { type RefObject, useLayoutEffect, useRef } from 'react'
import { formatDay } from '#foundation/dates.ts'
import { nameOfClass } from '#timetable/rules.ts'
import { Button } from '#ui/button.tsx'
import type { Booking } from '../contract.ts'
import { CREDIT_WORDS } from '../rules.ts'
import { useUndoCancel } from './change-bookings.ts'

/** A button that disappears after it was pressed hands its focus on to the section it is in. */
export function useHandOnFocus(button: RefObject<HTMLButtonElement | null>): void {
  useLayoutEffect(() => {
    const here = button.current
    return () => {
      const section = here?.closest('section')
      if (!section || document.activeElement !== here) return
      section.tabIndex = -1
      section.focus({ preventScroll: true })
    }
  }, [button])
}

/** A booking that was cancelled a moment ago, with Undo. It hands its focus on to the section it is in. */
export function JustCancelled({ booking }: { booking: Booking }) {
  const undo = useUndoCancel()
  const button = useRef<HTMLButtonElement>(null)
  const { title, date, startTime } = booking.class
  useHandOnFocus(button)
  useLayoutEffect(() => {
    // The Cancel button that had the focus is gone.
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <div className="min-w-0 flex-1 basis-40">
        <p className="line-clamp-2 wrap-break-word text-ink-mute line-through">
          {title}, {formatDay(date)}, {startTime}
        </p>
        <p className="text-small text-ink-soft">Cancelled. {CREDIT_WORDS[booking.paymentStatus]}.</p>
      </div>
      <Button
        ref={button}
        variant="secondary"
        busy={undo.isPending}
        aria-label={`Undo cancelling ${nameOfClass(booking.class)}`}
        // Ignores the second press of a double click on Cancel.
        onClick={({ detail }) => detail < 2 && undo.mutate(booking)}
      >
        Undo
      </Button>
    </div>
  )
}
