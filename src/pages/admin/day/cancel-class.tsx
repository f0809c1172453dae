import type { Session } from '#booking/contract-classes.ts'
import { many } from '#foundation/collections.ts'
import { formatLongDate } from '#foundation/dates.ts'
import { scheduleApi } from '#schedule/web/api.ts'
import { ConfirmChange } from '../dialog-form.tsx'
import { notificationsText } from '../messages/notification-text.ts'

type CancelClassProps = Pick<Session, 'class' | 'bookings'> & { onClose: () => void }

export function CancelClassDialog({ class: studioClass, bookings, onClose }: CancelClassProps) {
  const confirmed = bookings.filter(({ status }) => status === 'confirmed')
  const count = confirmed.length
  const credits = confirmed.filter(({ hasPassEnded }) => !hasPassEnded).length
  const consequences =
    count === 0
      ? 'No one has booked it.'
      : `${many(count, 'booking')} will be cancelled and ${many(credits, 'credit')} returned. ${notificationsText(confirmed.map(({ userId: id, isByPhone }) => ({ id, isByPhone })))}`
  return (
    <ConfirmChange
      title="Cancel this class?"
      text={`${studioClass.title}, ${formatLongDate(studioClass.date)} at ${studioClass.startTime}. ${consequences} We’ll also email everyone on the waiting list. The class becomes inactive. If you make it active again in Classes, it starts empty.`}
      keep="Keep class"
      confirm="Cancel class"
      mutationFn={() =>
        scheduleApi.editClass.call({
          params: { id: studioClass.id },
          body: { isActive: false, ifUpdatedAt: studioClass.updatedAt },
        })
      }
      toasts={{ success: 'Class updated successfully', failure: 'Failed to update class', fixed: true }}
      onClose={onClose}
    />
  )
}
