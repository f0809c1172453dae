import { Dialog } from '#ui/dialog.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { HistoryLines } from './badges.tsx'
import { useBookings } from './bookings.ts'

export default function HistoryDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Booking History">
      <div className="mt-6">
        <QueryView
          query={useBookings()}
          loading="Loading your bookings"
          failed="Your bookings could not be loaded."
          empty="No bookings yet"
        >
          {(bookings) => <HistoryLines bookings={bookings} />}
        </QueryView>
      </div>
    </Dialog>
  )
}
