import { useQuery } from '@tanstack/react-query'
import { fullName } from '#accounts/rules.ts'
import { attentionApi } from '#attention/web/api.ts'
import { sessionsOf, useAllBookings } from '#booking/web/admin-bookings.ts'
import { StatusBadge } from '#booking/web/badges.tsx'
import { SubscribeButton } from '#calendar/web/subscribe-button.tsx'
import { addDays, formatDate } from '#foundation/dates.ts'
import { formatInstant, today } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import { insightsApi } from '#insights/web/api.ts'
import { setUpApi } from '#setup/web/api.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import { Figures } from '#ui/figures.tsx'
import { EmptyState, QueryView } from '#ui/query-view.tsx'
import { Section } from '#ui/section.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { useDialog } from '#ui/use-dialog.ts'
import { useNow } from '#ui/use-now.ts'
import { CLOSE, CREATE } from '../quick-action.ts'
import { RECORD_SALE } from '../users/member-details.tsx'
import { RecordSaleDialog, SellDialog } from './dialogs.ts'
import { NeedsAttention } from './needs-attention.tsx'
import { Prompts } from './prompts.tsx'
import { Sessions, Yesterday } from './sessions.tsx'
import { SetUpList } from './set-up-list.tsx'

/** Recent Bookings shows this many. */
const RECENT = 5

/** The day, then the month. Shown together, so that a late reply does not move what is below it. */
export default function OverviewTab() {
  const day = today(useNow())
  const next = addDays(day, 1)
  const attention = useQuery(attentionApi.listAttention.queryOptions())
  const setUp = useQuery({ ...setUpApi.readSetUp.queryOptions(), gcTime: 0 })
  const sessions = useQuery(sessionsOf(day, next))
  const overview = useQuery({ ...insightsApi.getOverview.queryOptions(), gcTime: 0 })
  const recent = useAllBookings({ limit: RECENT })
  const { dialog, open } = useDialog()
  if ([setUp, attention, sessions, overview, recent].some(({ isPending }) => isPending)) {
    return <Spinner label="Loading sessions..." visible />
  }
  return (
    <>
      <SetUpList query={setUp} />
      <NeedsAttention query={attention} />
      <Sessions query={sessions} day={day} />
      <Section title="Quick Actions" gap="mb-3" className="mt-8">
        <div className="flex flex-wrap gap-2 max-sm:grid max-sm:grid-cols-2 max-sm:[&>.btn]:px-2 max-sm:[&>.btn]:text-small">
          <ButtonLink to="/admin?tab=Classes" state={CREATE}>
            Create New Class
          </ButtonLink>
          <ButtonLink variant="secondary" to="/admin?tab=Packages" state={CREATE}>
            Create New Package
          </ButtonLink>
          <ButtonLink variant="secondary" to="/admin?tab=Classes" state={CLOSE}>
            Close Days
          </ButtonLink>
          <ButtonLink variant="secondary" to="/admin?tab=Bookings">
            View All Bookings
          </ButtonLink>
          <Button variant="secondary" onClick={() => open(SellDialog, { sell: RECORD_SALE, Sale: RecordSaleDialog })}>
            {RECORD_SALE}
          </Button>
          <SubscribeButton isAdmin />
        </div>
        {dialog}
      </Section>
      <Disclosure label="Who came yesterday" className="mt-8 pb-2 lg:mt-4 lg:pb-1">
        <div className="pt-4">
          <Yesterday day={day} />
        </div>
      </Disclosure>
      <div>
        <QueryView query={overview} failed="The figures could not be loaded.">
          {(month) => (
            <Figures
              figures={[
                ['Total Users', month.totalUsers],
                ["This Month's Bookings", month.monthBookings],
                ['Confirmed This Month', month.monthConfirmed],
                ["This Month's Revenue", formatMoney(month.monthRevenue)],
              ]}
            />
          )}
        </QueryView>
      </div>
      <div className="mt-12 grid gap-x-14 gap-y-10 lg:grid-cols-2">
        <Section title="Recent Bookings">
          <RecentBookings query={recent} />
        </Section>
        <Prompts />
      </div>
    </>
  )
}

function RecentBookings({ query }: { query: ReturnType<typeof useAllBookings> }) {
  return (
    <QueryView query={query} failed="The bookings could not be loaded.">
      {({ rows }) =>
        rows.length === 0 ? (
          <EmptyState title="No bookings yet" />
        ) : (
          <ul className="border-t border-line">
            {rows.map((booking) => (
              <li key={booking.id} className="flex items-center justify-between gap-4 border-b border-line py-4">
                <div className="min-w-0">
                  <p className="font-medium wrap-anywhere">{fullName(booking.user)}</p>
                  <p className="text-small text-ink-soft">
                    {formatDate(booking.class.date)}, {booking.class.startTime}
                  </p>
                  <p className="text-caption text-ink-mute">Booked {formatInstant(booking.bookedAt)}</p>
                </div>
                <StatusBadge status={booking.status} />
              </li>
            ))}
          </ul>
        )
      }
    </QueryView>
  )
}
