import { today } from '../../booking/web/week.ts'
import { formatDate, weekdayOf } from '../../foundation/london.ts'
import { useAllClasses } from '../../insights/web/admin-lists.ts'
import { Badge } from '../../ui/badge.tsx'
import { Read } from '../../ui/read.tsx'
import { Rows } from '../../ui/rows.tsx'
import { present } from '../../ui/use-now.ts'

export default function ClassesTab() {
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
