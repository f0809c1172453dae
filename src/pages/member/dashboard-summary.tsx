import type { ReactNode } from 'react'
import { PaidPlaces } from '#booking/web/companions/paid-places.tsx'
import { useWithJustCancelled } from '#booking/web/just-cancelled.ts'
import { RegularPanel } from '#booking/web/regular/regular-panel.tsx'
import { UpcomingList } from '#booking/web/upcoming-list.tsx'
import { WaitingRows } from '#booking/web/waiting/waiting-rows.tsx'
import { formatDate } from '#foundation/dates.ts'
import { activePasses, creditsOf } from '#passes/web/passes.ts'
import { ButtonLink } from '#ui/button.tsx'
import { EmptyState } from '#ui/query-view.tsx'
import { Section } from '#ui/section.tsx'
import { useNow } from '#ui/use-now.ts'
import { ActivePasses, type DashboardData, QuickActions } from './dashboard-parts.tsx'

export function DashboardSummary({ isAdmin, upcoming, waiting, paid, regulars, passes, steps }: DashboardData) {
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
        <Section title="Quick actions" gap="mb-3 max-sm:sr-only sm:mb-4" className="lg:col-start-2">
          <QuickActions isAdmin={isAdmin} book="Book New Class" isBookPrimary={Boolean(next)} />
        </Section>
        <div className="lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <Section title="Upcoming classes" gap="mb-2 sm:mb-4">
            {listed.length ? (
              <UpcomingList bookings={listed} />
            ) : (
              <EmptyState title="No upcoming classes booked">
                <ButtonLink to="/booking" variant={steps ? 'secondary' : 'primary'}>
                  Book Your First Class
                </ButtonLink>
              </EmptyState>
            )}
          </Section>
          <PaidPlaces places={paid} />
          <WaitingRows entries={waiting} />
          <RegularPanel regulars={regulars} />
        </div>
        <Section title="Active passes" gap="mb-3 sm:mb-4" className="lg:col-start-2">
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
        </Section>
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
