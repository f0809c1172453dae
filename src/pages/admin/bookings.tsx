import { StatusBadge } from '../../booking/web/upcoming-list.tsx'
import { formatDate } from '../../foundation/london.ts'
import { formatPounds } from '../../foundation/money.ts'
import { useAllBookings } from '../../insights/web/admin-lists.ts'
import { Badge } from '../../ui/badge.tsx'
import { Read } from '../../ui/read.tsx'
import { Rows } from '../../ui/rows.tsx'

export default function BookingsTab() {
  return (
    <Read of={useAllBookings()} failed="The bookings could not be loaded." empty="No bookings yet">
      {(bookings) => (
        <Rows
          label="Bookings"
          rows={bookings}
          keyOf={(booking) => booking.id}
          columns={[
            { head: 'Member', cell: ({ user }) => `${user.firstName} ${user.lastName}` },
            { head: 'Class', cell: ({ class: c }) => c.title },
            { head: 'When', cell: ({ class: c }) => `${formatDate(c.date)}, ${c.startTime}` },
            { head: 'Participants', cell: (booking) => booking.participantCount, numeric: true },
            { head: 'Amount', cell: (booking) => formatPounds(booking.totalAmount), numeric: true },
            { head: 'Status', cell: (booking) => <StatusBadge status={booking.status} /> },
            {
              head: 'Payment',
              cell: ({ paymentStatus }) => (
                <Badge tone={paymentStatus === 'paid' ? 'ok' : paymentStatus === 'refunded' ? 'info' : 'err'}>
                  {paymentStatus}
                </Badge>
              ),
            },
          ]}
        />
      )}
    </Read>
  )
}
