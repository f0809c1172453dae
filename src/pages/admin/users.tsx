import { useAllUsers } from '../../insights/web/admin-lists.ts'
import { Badge } from '../../ui/badge.tsx'
import { Read } from '../../ui/read.tsx'
import { Rows } from '../../ui/rows.tsx'
import { dayOf } from './days.ts'

export default function UsersTab() {
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
