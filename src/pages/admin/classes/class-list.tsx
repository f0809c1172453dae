import { formatDate, weekdayOf } from '../../../foundation/dates.ts'
import { writeTo } from '../../../mailings/web/messages.ts'
import type { StudioClass } from '../../../timetable/contract.ts'
import { ActiveBadge } from '../../../timetable/web/active-badge.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Rows } from '../../../ui/rows.tsx'

/** Which class's dialog is open. */
export type OpenClass = { dialog: 'edit' | 'delete'; id: number }

export function ClassList({ classes, onOpen }: { classes: StudioClass[]; onOpen: (open: OpenClass) => void }) {
  return (
    <Rows
      label="Classes"
      rows={classes}
      keyOf={(c) => c.id}
      columns={[
        { head: 'Class', cell: (c) => c.title },
        { head: 'Date', cell: (c) => `${weekdayOf(c.date)} ${formatDate(c.date)}` },
        { head: 'Time', cell: (c) => <span className="whitespace-nowrap">{`${c.startTime} - ${c.endTime}`}</span> },
        { head: 'Booked', cell: (c) => `${c.bookedCount}/${c.maxParticipants}`, numeric: true },
        { head: 'Status', cell: ActiveBadge },
      ]}
      actions={(c) => {
        const which = `${c.title} on ${formatDate(c.date)} at ${c.startTime}`
        return (
          <>
            <Button
              variant="secondary"
              small
              aria-label={`Edit ${which}`}
              onClick={() => onOpen({ dialog: 'edit', id: c.id })}
            >
              Edit
            </Button>
            {c.bookedCount > 0 && (
              <ButtonLink variant="quiet" small to={writeTo({ classId: c.id })} aria-label={`Message ${which}`}>
                Message
              </ButtonLink>
            )}
            <Button
              variant="quiet"
              small
              aria-label={`Delete ${which}`}
              onClick={() => onOpen({ dialog: 'delete', id: c.id })}
            >
              Delete
            </Button>
          </>
        )
      }}
    />
  )
}
