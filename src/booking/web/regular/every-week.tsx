import repeat from '@lucide/icons/icons/repeat'
import { useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { late } from '#ui/late.tsx'
import type { Booking } from '../../contract.ts'
import { slotOfClass, useRegularBookings } from './regular.ts'

const [RegularDialog] = late(() => import('./regular-dialog.tsx'))

/** Makes a booking regular; renders nothing if its slot is, or the class does not repeat. `calm`: not on phones. */
export function EveryWeek({ booking, calm = false }: { booking: Booking; calm?: boolean }) {
  const [open, setOpen] = useState(false)
  const regulars = useRegularBookings()
  const { title, date, startTime } = booking.class
  const slot = slotOfClass(booking.class)
  const isRegular = regulars.data?.some(({ day, startTime }) => slot === `Every ${day} at ${startTime}`) ?? true
  if ((isRegular || !booking.isWeekly) && !open) return null
  return (
    <>
      <button
        type="button"
        aria-label={`${slot}: book ${title} every week`}
        title={slot}
        className={`inline-flex min-h-11 min-w-11 items-center justify-center text-ink-soft hover:text-ink ${calm ? 'max-sm:hidden' : 'max-sm:-mx-2'}`}
        onClick={() => setOpen(true)}
      >
        <Icon of={repeat} size={18} />
      </button>
      {open && (
        <RegularDialog
          of={{ classId: booking.classId, title, date, startTime }}
          companion={booking.companion ?? undefined}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
