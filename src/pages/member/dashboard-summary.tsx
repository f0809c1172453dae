import type { ReactNode } from 'react'
import type { Booking } from '#booking/contract.ts'
import type { PaidPlace } from '#booking/contract-companions.ts'
import type { RegularBooking } from '#booking/contract-regular.ts'
import type { WaitingEntry } from '#booking/contract-waiting.ts'
import { PaidPlaces } from '#booking/web/companions/paid-places.tsx'
import { useWithJustCancelled } from '#booking/web/just-cancelled.ts'
import { RegularPanel } from '#booking/web/regular/regular-panel.tsx'
import { UpcomingList } from '#booking/web/upcoming-list.tsx'
import { WaitingRows } from '#booking/web/waiting/waiting-rows.tsx'
import { formatDate } from '#foundation/dates.ts'
import type { Pass } from '#passes/contract.ts'
import { activePasses, creditsOf } from '#passes/web/passes.ts'
import { ButtonLink } from '#ui/button.tsx'
import { EmptyState } from '#ui/query-view.tsx'
import { useNow } from '#ui/use-now.ts'
import { ActivePasses, QuickActions } from './dashboard-parts.tsx'

export function DashboardSummary({
  isAdmin,
  upcoming,
  waiting,
  paid,
  regulars,
  passes,
  steps,
}: {
  isAdmin: boolean
  upcoming: Booking[]
  waiting: WaitingEntry[]
  paid: PaidPlace[]
  regulars: RegularBooking[]
  passes: Pass[]
  steps?: ReactNode
}) {
  const now = useNow().epochMilliseconds
  const active = activePasses(passes, now)
  const next = upcoming[0]
  const listed = useWithJustCancelled(upcoming)
  return (
    <>
      {steps}
      <dl className="mt-4 sm:mt-8 grid grid-cols-2 border-y border-line md:grid-cols-4">
        <Figure term="Credits remaining">{creditsOf(passes, now)}</Figure>
        <Figure term="Next class" note={next && formatDate(next.class.date)}>
          {next ? next.class.startTime : 'None booked'}
        </Figure>
        <Figure term="Active passes">{active.length}</Figure>
        <Figure term="This month">{upcoming.length}</Figure>
      </dl>
      <div className="mt-3 grid gap-4 sm:mt-12 sm:gap-10 lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:gap-x-16">
        <section aria-labelledby="actions" className="lg:col-start-2">
          <h2 id="actions" className="title mb-3 max-sm:sr-only sm:mb-4">
            Quick actions
          </h2>
          <QuickActions isAdmin={isAdmin} book="Book New Class" isBookPrimary={Boolean(next)} />
        </section>
        <div className="lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <section aria-labelledby="upcoming">
            <h2 id="upcoming" className="title mb-2 sm:mb-4">
              Upcoming classes
            </h2>
            {listed.length ? (
              <UpcomingList bookings={listed} />
            ) : (
              <EmptyState title="No upcoming classes booked">
                <ButtonLink to="/booking" variant={steps ? 'secondary' : 'primary'}>
                  Book Your First Class
                </ButtonLink>
              </EmptyState>
            )}
          </section>
          <PaidPlaces places={paid} />
          <WaitingRows entries={waiting} />
          <RegularPanel regulars={regulars} />
        </div>
        <section aria-labelledby="passes" className="lg:col-start-2">
          <h2 id="passes" className="title mb-3 sm:mb-4">
            Active passes
          </h2>
          <ActivePasses
            active={active}
            hasAny={passes.length > 0}
            bordered
            empty={
              <EmptyState title="No active passes">
                <ButtonLink to="/pricing" variant="secondary">
                  Buy a Pass
                </ButtonLink>
              </EmptyState>
            }
          />
        </section>
      </div>
    </>
  )
}

function Figure({ term, note, children }: { term: string; note?: string; children: ReactNode }) {
  return (
    <div className="py-1.5 pr-4 sm:py-6 max-md:nth-[n+3]:border-t max-md:nth-[n+3]:border-line md:border-l md:border-line md:px-4 lg:px-7 md:first:border-l-0 md:first:pl-0">
      <dt className="text-small text-ink-mute">{term}</dt>
      <dd className="figure mt-1 sm:mt-2 text-[clamp(1.5rem,1.1rem+2vw,2.75rem)]">
        {children}
        {note && <span className="mt-1 block font-sans text-small/snug tracking-normal text-ink-soft">{note}</span>}
      </dd>
    </div>
  )
}
