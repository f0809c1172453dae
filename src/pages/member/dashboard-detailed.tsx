import type { ReactNode } from 'react'
import type { Booking } from '#booking/contract.ts'
import { HistoryLines, participants } from '#booking/web/badges.tsx'
import { CancelButton } from '#booking/web/booking-actions.tsx'
import { PaidPlaces } from '#booking/web/companions/paid-places.tsx'
import { useWithJustCancelled } from '#booking/web/just-cancelled.ts'
import { RegularPanel } from '#booking/web/regular/regular-panel.tsx'
import { JustCancelled } from '#booking/web/undo-row.tsx'
import { UpcomingList } from '#booking/web/upcoming-list.tsx'
import { WaitingRows } from '#booking/web/waiting/waiting-rows.tsx'
import { formatLongDate } from '#foundation/dates.ts'
import { activePasses } from '#passes/web/passes.ts'
import { ButtonLink } from '#ui/button.tsx'
import { Section } from '#ui/section.tsx'
import { useNow } from '#ui/use-now.ts'
import { WholeWords } from '#ui/whole-words.tsx'
import { ActivePasses, type DashboardData, QuickActions } from './dashboard-parts.tsx'

/** Agreed with the studio. */
const HISTORY_SHOWN = 5

/** The detailed layout: passes, the next class and quick actions as cards, then the lists. */
export function DashboardDetailed({
  isAdmin,
  upcoming,
  waiting,
  paid,
  regulars,
  passes,
  bookings,
  steps,
}: DashboardData & { bookings: Booking[] }) {
  const active = activePasses(passes, useNow().epochMilliseconds)
  const next = upcoming[0]
  const listed = useWithJustCancelled(upcoming)
  const [first] = listed
  return (
    <>
      {steps}
      <div className="mt-3 grid gap-3 sm:mt-8 sm:gap-5 md:grid-cols-2 lg:grid-cols-3">
        <Card title="Next Class">
          {first?.status === 'cancelled' && (
            <div className="mt-2 border-b border-line pb-2">
              <JustCancelled booking={first} />
            </div>
          )}
          {next ? (
            <>
              <p className="mt-2 flex flex-wrap items-baseline gap-x-3 sm:mt-3">
                <span className="figure text-[2rem]">
                  {next.class.startTime} - {next.class.endTime}
                </span>
                <span className="text-small text-ink-mute">{participants(next)}</span>
              </p>
              <p className="font-medium wrap-break-word">
                <WholeWords text={next.class.title} />
              </p>
              <p className="mb-2 text-ink-soft sm:mb-4">{formatLongDate(next.class.date)}</p>
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1 sm:gap-y-2">
                <CancelButton booking={next} strict />
              </div>
            </>
          ) : (
            <Empty text="No upcoming classes" to="/booking" action="Book a Class" filled={!steps} />
          )}
        </Card>
        <Card title="Quick Actions">
          <QuickActions isAdmin={isAdmin} book="Book a Class" isBookPrimary={Boolean(next)} className="mt-3 sm:mt-5" />
        </Card>
        <Card title="Active Passes" className="md:max-lg:col-span-2">
          <ActivePasses
            active={active}
            hasAny={passes.length > 0}
            empty={<Empty text="No active passes" to="/pricing" action="Buy a Pass" />}
          />
        </Card>
      </div>
      <Section title="Upcoming Bookings" gap="mb-2 sm:mb-4" className="mt-4 sm:mt-14">
        {listed.length ? (
          <UpcomingList bookings={listed} badge />
        ) : (
          <Empty text="No upcoming bookings" to="/booking" action="Book Your First Class" />
        )}
      </Section>
      <PaidPlaces places={paid} />
      <WaitingRows entries={waiting} />
      <RegularPanel regulars={regulars} />
      {bookings.length > 0 && (
        <Section title="Booking History" gap="mb-2 sm:mb-4" className="mt-4 sm:mt-14">
          <HistoryLines bookings={bookings.slice(0, HISTORY_SHOWN)} />
        </Section>
      )}
    </>
  )
}

function Card({ title, className = '', children }: { title: string; className?: string; children: ReactNode }) {
  return (
    <section className={`card px-5 py-2.5 sm:p-7 ${className}`}>
      <h2 className="text-small font-medium text-ink-mute">{title}</h2>
      {children}
    </section>
  )
}

/** `filled`: the primary action of an empty page. */
function Empty({ text, to, action, filled = false }: { text: string; to: string; action: string; filled?: boolean }) {
  return (
    <div className="flex flex-col items-start gap-5 py-5">
      <p className="text-ink-soft">{text}</p>
      <ButtonLink to={to} variant={filled ? 'primary' : 'secondary'}>
        {action}
      </ButtonLink>
    </div>
  )
}
