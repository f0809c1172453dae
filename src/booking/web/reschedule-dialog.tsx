import arrowDown from '@lucide/icons/icons/arrow-down'
import { useEffect, useRef, useState } from 'react'
import { formatLongDate } from '#foundation/dates.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { FormError } from '#ui/field.tsx'
import { Icon } from '#ui/icon.tsx'
import type { Booking } from '../contract.ts'
import { CreditIsUsed } from './can-book.tsx'
import { rescheduleFailure, useRescheduleBooking } from './change-bookings.ts'
import { ClassPicker } from './class-picker.tsx'

/** Choose another class, review, confirm. Until then, and after a refusal, the booking stays. */
export default function RescheduleDialog({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const [to, setTo] = useState<StudioClass>()
  const [day, setDay] = useState(booking.class.date)
  const move = useRescheduleBooking({ onMoved: onClose })
  const step = useRef<HTMLDivElement>(null)
  const isFirstRender = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the step is what the focus follows
  useEffect(() => {
    if (!isFirstRender.current) step.current?.focus({ preventScroll: true })
    isFirstRender.current = false
  }, [to])

  if (!to) {
    return (
      <Dialog
        open
        wide
        onClose={onClose}
        title="Choose another time"
        description={`You keep ${booking.class.title}, ${formatLongDate(booking.class.date)} at ${booking.class.startTime}, until you confirm.`}
      >
        <div ref={step} tabIndex={-1} className="mt-7 outline-none">
          <ClassPicker
            day={day}
            onDay={setDay}
            onChoose={(chosen) => {
              move.reset()
              setTo(chosen)
            }}
          />
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog open wide onClose={onClose} title="Move your booking?">
      <div ref={step} tabIndex={-1} className="mt-6 outline-none">
        <div className="grid gap-2">
          <Place term="From" of={booking.class} />
          <Icon of={arrowDown} size={22} className="mx-5 text-sage" />
          <Place term="To" of={to} chosen />
        </div>
        <CreditIsUsed startsAt={to.startsAt} action="move to" />
        <p className="mt-5 text-base text-ink-soft">
          Your credit moves with your booking. You do not pay anything else.
        </p>
        <FormError>{move.error && `${rescheduleFailure(move.error)} Your booking is unchanged.`}</FormError>
      </div>
      <DialogActions>
        <Button variant="quiet" onClick={() => setTo(undefined)}>
          Choose another
        </Button>
        <Button busy={move.isPending} onClick={() => move.mutate({ booking, to })}>
          Move booking
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type Moment = { title: string; date: string; startTime: string; endTime: string; instructorName: string }

function Place({ term, of, chosen = false }: { term: string; of: Moment; chosen?: boolean }) {
  return (
    <dl className={`rounded-row px-5 py-4 ${chosen ? 'bg-sage-tint' : 'bg-linen'}`}>
      <dt className={`text-[0.875rem] ${chosen ? 'text-ink-soft' : 'text-ink-mute'}`}>{term}</dt>
      <dd className="flex flex-wrap items-baseline justify-between gap-x-6">
        <span>
          <span className="figure mr-3 text-[1.75rem]">{of.startTime}</span>
          <span className="text-ink-soft">to {of.endTime}</span>
        </span>
        <span className="text-ink-soft">{formatLongDate(of.date)}</span>
        <span className="w-full break-words">
          {of.title} with {of.instructorName}
        </span>
      </dd>
    </dl>
  )
}
