import { StatusBadge } from '../../booking/web/upcoming-list.tsx'
import { today } from '../../booking/web/week.ts'
import { formatDate, londonDate, weekdayOf } from '../../foundation/london.ts'
import { formatPounds } from '../../foundation/money.ts'
import {
  useAllBookings,
  useAllClasses,
  useAllPackages,
  useAllUsers,
  useHealthUpdates,
} from '../../insights/web/admin-lists.ts'
import { Badge } from '../../ui/badge.tsx'
import { Read } from '../../ui/read.tsx'
import { Rows } from '../../ui/rows.tsx'
import { present } from '../../ui/use-now.ts'
import type { AdminTab } from './admin.tsx'
import { AnalyticsTab, OverviewTab } from './admin-figures.tsx'

const PANELS: Record<AdminTab, () => React.ReactNode> = {
  Overview: OverviewTab,
  Analytics: AnalyticsTab,
  Users: UsersTab,
  Classes: ClassesTab,
  Packages: PackagesTab,
  Bookings: BookingsTab,
  'Health Updates': HealthUpdatesTab,
}

export default function AdminPanel({ tab }: { tab: AdminTab }) {
  const Panel = PANELS[tab]
  return <Panel />
}

const dayOf = (instant: string) => formatDate(londonDate(Temporal.Instant.from(instant)).toString())

function UsersTab() {
  return (
    <Read of={useAllUsers()} failed="The users could not be loaded." empty="No users yet">
      {(users) => (
        <Rows
          label="Users"
          rows={users}
          keyOf={(user) => user.id}
          columns={[
            {
              head: 'Name',
              cell: (user) => (
                <span className="inline-flex flex-wrap items-center gap-2">
                  {user.firstName} {user.lastName} {user.isAdmin && <Badge tone="info">Admin</Badge>}
                </span>
              ),
            },
            { head: 'E-mail', cell: (user) => user.email },
            { head: 'Username', cell: (user) => `@${user.username}` },
            { head: 'Joined', cell: (user) => dayOf(user.createdAt) },
            { head: 'Bookings', cell: (user) => user.bookingsCount, numeric: true },
            { head: 'Credits remaining', cell: (user) => user.totalCredits, numeric: true },
          ]}
        />
      )}
    </Read>
  )
}

function ClassesTab() {
  const from = today(present())
  const to = Temporal.PlainDate.from(from).add({ weeks: 8 }).toString()
  return (
    <Read of={useAllClasses(from, to)} failed="The classes could not be loaded." empty="No classes in the next 8 weeks">
      {(classes) => (
        <Rows
          label="Classes of the next 8 weeks"
          rows={classes}
          keyOf={(c) => c.id}
          columns={[
            { head: 'Class', cell: (c) => c.title },
            { head: 'Date', cell: (c) => `${weekdayOf(c.date)} ${formatDate(c.date)}` },
            { head: 'Time', cell: (c) => `${c.startTime} - ${c.endTime}` },
            { head: 'Booked', cell: (c) => `${c.bookedCount}/${c.maxParticipants}`, numeric: true },
            {
              head: 'Status',
              cell: (c) => (c.isActive ? <Badge tone="ok">Active</Badge> : <Badge tone="sand">Inactive</Badge>),
            },
          ]}
        />
      )}
    </Read>
  )
}

function PackagesTab() {
  return (
    <Read of={useAllPackages()} failed="The packages could not be loaded." empty="No packages yet">
      {(packages) => (
        <Rows
          label="Packages"
          rows={packages}
          keyOf={(sold) => sold.id}
          columns={[
            {
              head: 'Package',
              cell: (sold) => (
                <span className="inline-flex flex-wrap items-center gap-2">
                  {sold.name} {sold.isLimitedOffer && <Badge tone="clay">Limited Offer</Badge>}
                  {!sold.isActive && <Badge tone="sand">Hidden</Badge>}
                </span>
              ),
            },
            { head: 'Price', cell: (sold) => formatPounds(sold.price), numeric: true },
            { head: 'Classes', cell: (sold) => sold.classCount, numeric: true },
            { head: 'Validity (months)', cell: (sold) => sold.validityMonths, numeric: true },
            { head: 'Participants', cell: (sold) => `up to ${sold.maxParticipants} participants` },
          ]}
        />
      )}
    </Read>
  )
}

function BookingsTab() {
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

function HealthUpdatesTab() {
  return (
    <Read
      of={useHealthUpdates()}
      failed="Failed to load health updates"
      empty="No health updates yet"
      loading="Loading health updates..."
    >
      {(updates) => (
        <Rows
          label="Health updates"
          rows={updates}
          keyOf={(update) => update.id}
          columns={[
            { head: 'Member', cell: ({ user }) => `${user.firstName} ${user.lastName}` },
            { head: 'E-mail', cell: ({ user }) => user.email },
            {
              head: 'Update',
              cell: ({ updateType }) =>
                updateType === 'questionnaire_updated' ? 'Health Questionnaire' : 'Emergency Contact',
            },
            { head: 'Date', cell: (update) => dayOf(update.createdAt) },
            {
              head: 'Status',
              cell: (update) =>
                update.notificationSent ? <Badge tone="ok">Notified</Badge> : <Badge tone="warn">New</Badge>,
            },
          ]}
        />
      )}
    </Read>
  )
}
