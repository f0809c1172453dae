import { useHealthUpdates } from '../../insights/web/admin-lists.ts'
import { Badge } from '../../ui/badge.tsx'
import { Read } from '../../ui/read.tsx'
import { Rows } from '../../ui/rows.tsx'
import { dayOf } from './days.ts'

export default function HealthUpdatesTab() {
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
