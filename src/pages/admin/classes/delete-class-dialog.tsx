import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { classForAdmin } from '#booking/web/admin-bookings.ts'
import { bookingApi } from '#booking/web/api.ts'
import { bookingQueries } from '#booking/web/change-bookings.ts'
import { formatLongDate } from '#foundation/dates.ts'
import { memberQueries } from '#insights/web/api.ts'
import { passQueries } from '#passes/web/passes.ts'
import { timetableApi } from '#timetable/web/api.ts'
import { QueryView } from '#ui/query-view.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { ConfirmChange } from '../dialog-form.tsx'
import { Consequences, type Scope, ScopeChoice } from './scope.tsx'

/** Takes a class, or all alike, off the timetable; what that does to those who booked is said before. */
export function DeleteClassDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const found = useQuery(classForAdmin(id))
  const [scope, setScope] = useState<Scope>('one')
  const remove = useAdminMutation({
    mutationFn: () => bookingApi.deleteClass.call({ params: { id }, body: { applyToRecurring: scope === 'all' } }),
    says: { success: 'Class deleted successfully', failure: 'Failed to delete class' },
    stale: [timetableApi.listClasses, ...bookingQueries, ...passQueries, ...memberQueries, bookingApi.listUndoable],
    onSuccess: onClose,
  })
  const named = found.data?.class
  const count = found.data?.touches[scope].classes ?? 1
  return (
    <ConfirmChange
      title="Delete class?"
      text={
        named ? `${named.title}, ${formatLongDate(named.date)}, ${named.startTime}\u00a0-\u00a0${named.endTime}.` : ''
      }
      keep="Keep"
      confirm={count > 1 ? `Delete ${count} classes` : 'Delete class'}
      mutation={remove}
      disabled={!named}
      onClose={onClose}
    >
      <QueryView query={found} failed="The class could not be loaded.">
        {(shown) => (
          <div className="mt-6 grid gap-5">
            <ScopeChoice found={shown} scope={scope} onChange={setScope} />
            <Consequences found={shown} scope={scope} />
            <p className="text-[0.9375rem] text-ink-soft">
              You can undo this for a minute; emails are sent after that.
            </p>
          </div>
        )}
      </QueryView>
    </ConfirmChange>
  )
}
