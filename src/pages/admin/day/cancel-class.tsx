import type { Session } from '../../../booking/contract-classes.ts'
import { formatLongDate } from '../../../foundation/dates.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useCancelClass } from '../bookings/booking-changes.ts'

/** The studio cancels one class: what that will do is said before. */
export function CancelClassDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const { class: held, bookings } = session
  const cancel = useCancelClass({ onDone: onClose })
  const count = bookings.filter(({ status }) => status === 'confirmed').length
  return (
    <ConfirmDialog
      title="Cancel this class?"
      text={`${held.title}, ${formatLongDate(held.date)} at ${held.startTime}. ${consequences(count)} Who waits for it is mailed too. The class becomes inactive; made active again in Classes it starts empty.`}
      keep="Keep class"
      confirm="Cancel class"
      busy={cancel.isPending}
      onConfirm={() => cancel.mutate({ id: held.id, ifUpdatedAt: held.updatedAt })}
      onClose={onClose}
    >
      {cancel.refusal && (
        <p role="alert" className="mt-5 rounded-row bg-warn-tint p-4 text-[0.9375rem]/[1.45] text-warn">
          {cancel.refusal}
        </p>
      )}
    </ConfirmDialog>
  )
}

function consequences(bookings: number): string {
  if (bookings === 0) return 'Nobody has booked it.'
  const many = (word: string) => `${bookings} ${word}${bookings === 1 ? '' : 's'}`
  return `${many('booking')} cancelled, ${many('credit')} returned, ${many('member')} mailed.`
}
