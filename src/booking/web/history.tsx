import { sentenceOf } from '#foundation/call.ts'
import { Dialog } from '#ui/dialog.tsx'
import { EmptyState, ReadFailed } from '#ui/query-view.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { HistoryLines } from './badges.tsx'
import { useBookings } from './bookings.ts'

export default function HistoryDialog({ onClose }: { onClose: () => void }) {
  const { data, isPending, error, refetch } = useBookings()
  return (
    <Dialog open onClose={onClose} title="Booking History">
      <div className="mt-6">
        {isPending && <Spinner label="Loading your bookings" />}
        {error && <ReadFailed title={sentenceOf(error, 'Your bookings could not be loaded.')} onAgain={refetch} />}
        {data?.length === 0 && <EmptyState title="No bookings yet" />}
        {data && data.length > 0 && <HistoryLines bookings={data} />}
      </div>
    </Dialog>
  )
}
