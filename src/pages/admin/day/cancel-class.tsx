import type { Session } from '#booking/contract-classes.ts'
import { formatLongDate } from '#foundation/dates.ts'
import { many } from '#foundation/many.ts'
import { useCancelClass } from '../bookings/booking-changes.ts'
import { ConfirmChange } from '../dialog-form.tsx'

/** The studio cancels one class: what that will do is said before. */
export function CancelClassDialog({
  session,
  onClose,
}: {
  session: Pick<Session, 'class' | 'bookings'>
  onClose: () => void
}) {
  const { class: held, bookings } = session
  const cancel = useCancelClass({ id: held.id, ifUpdatedAt: held.updatedAt, onDone: onClose })
  const count = bookings.filter(({ status }) => status === 'confirmed').length
  return (
    <ConfirmChange
      title="Cancel this class?"
      text={`${held.title}, ${formatLongDate(held.date)} at ${held.startTime}. ${consequences(count)} Everybody on the waiting list is emailed too. The class becomes inactive; made active again in Classes, it starts empty.`}
      keep="Keep class"
      confirm="Cancel class"
      mutation={cancel}
      onClose={onClose}
    />
  )
}

function consequences(bookings: number): string {
  if (bookings === 0) return 'Nobody has booked it.'
  return `${many(bookings, 'booking is', 'bookings are')} cancelled and ${many(bookings, 'credit')} returned. ${many(bookings, 'member is', 'members are')} emailed.`
}
