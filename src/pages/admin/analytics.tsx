import { formatPounds } from '../../foundation/money.ts'
import { useAnalytics } from '../../insights/web/admin-lists.ts'
import { Read } from '../../ui/read.tsx'
import { Figures } from './figures.tsx'

export default function AnalyticsTab() {
  return (
    <Read of={useAnalytics()} failed="The figures could not be loaded.">
      {(all) => (
        <>
          <Figures
            figures={[
              ['Registered Students', all.registeredStudents],
              ['Monthly Revenue', formatPounds(all.monthlyRevenue)],
              ['Total Revenue', formatPounds(all.totalRevenue)],
              ['Active Packages', all.activePackages],
            ]}
          />
          <h2 className="title mt-12 mb-4">Booking Analytics</h2>
          <Figures
            figures={[
              ['Total Bookings', all.totalBookings],
              ['Confirmed Bookings', all.confirmedBookings],
              ['Completed Classes', all.completedBookings],
            ]}
          />
          <h2 className="title mt-12 mb-4">Package Sales</h2>
          <Figures
            figures={[
              ['Total Packages', all.totalPackages],
              ['Active Packages', all.activePackages],
              [
                'Revenue per Student',
                formatPounds(all.registeredStudents ? Number(all.totalRevenue) / all.registeredStudents : 0),
              ],
            ]}
          />
        </>
      )}
    </Read>
  )
}
