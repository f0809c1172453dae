import { useQuery } from '@tanstack/react-query'
import { fullName } from '#accounts/rules.ts'
import { slotName } from '#booking/web/regular/regular.ts'
import { staffBookingApi } from '#booking/web/staff-api.ts'
import { many } from '#foundation/collections.ts'
import { formatDate } from '#foundation/dates.ts'
import { Dialog } from '#ui/dialog.tsx'
import { EmptyState, QueryView } from '#ui/query-view.tsx'
import { RowButton, Rows } from '#ui/rows.tsx'
import type { OpenDialog } from '#ui/use-dialog.ts'
import { MemberLink } from '../users/member-details.tsx'
import { EndRegularDialog } from '../users/member-regular.tsx'

/** Which member has which weekly slot. `open` shows another dialog instead. */
export default function RegularHoldersDialog({ open, onClose }: { open: OpenDialog; onClose: () => void }) {
  return (
    <Dialog
      wide
      onClose={onClose}
      title="Regular bookings"
      description="Members we book every week. If places run short, the member who set it up first is booked first."
    >
      <QueryView
        query={useQuery(staffBookingApi.listRegularHolders.queryOptions())}
        failed="The regular bookings could not be loaded."
      >
        {(holders) =>
          holders.length === 0 ? (
            <EmptyState title="No regular bookings">
              <p className="text-ink-soft">Members set them up when they book. You can, on a member’s page.</p>
            </EmptyState>
          ) : (
            <div className="mt-6">
              <Rows
                label="Regular bookings"
                rows={holders}
                keyOf={({ id }) => id}
                groupOf={(holder) => ({ key: slotName(holder), heading: slotName(holder) })}
                columns={[
                  {
                    head: 'Member',
                    cell: ({ user, companion }) => (
                      <>
                        <MemberLink id={user.id}>{fullName(user)}</MemberLink>
                        {companion && (
                          <>
                            , with <MemberLink id={companion.id}>{fullName(companion)}</MemberLink>
                          </>
                        )}
                      </>
                    ),
                  },
                  {
                    head: 'Booked',
                    cell: ({ bookedDates }) => (
                      <span className="whitespace-nowrap">{many(bookedDates, 'class', 'classes')}</span>
                    ),
                  },
                  {
                    head: 'Until',
                    cell: ({ bookedUntil }) => (
                      <span className="whitespace-nowrap">{bookedUntil ? formatDate(bookedUntil) : 'Not booked'}</span>
                    ),
                  },
                ]}
                actions={(holder) => (
                  <RowButton
                    label="End"
                    name={`End ${slotName(holder)} of ${fullName(holder.user)}`}
                    variant="quiet"
                    onClick={() => {
                      const { isByPhone, ...user } = holder.user
                      open(EndRegularDialog, {
                        regular: holder,
                        user: { ...user, email: isByPhone ? null : undefined },
                      })
                    }}
                  />
                )}
              />
            </div>
          )
        }
      </QueryView>
    </Dialog>
  )
}
