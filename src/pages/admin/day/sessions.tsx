import heartPulse from '@lucide/icons/icons/heart-pulse'
import notebookPen from '@lucide/icons/icons/notebook-pen'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { fullName } from '#accounts/rules.ts'
import type { Session } from '#booking/contract-classes.ts'
import { canAddAtDesk, canHaveCompanion } from '#booking/rules.ts'
import { sessionsOf, useShowNotes } from '#booking/web/admin-bookings.ts'
import { StatusBadge } from '#booking/web/badges.tsx'
import { HeldPlaces } from '#booking/web/companions/held-places.tsx'
import { useClashes } from '#calendar/web/own-calendar.ts'
import { addDays, formatDay } from '#foundation/dates.ts'
import { timeOf } from '#foundation/instants.ts'
import { writeTo } from '#mailings/web/messages.ts'
import { hasStarted } from '#timetable/rules.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { usePreload } from '#ui/late.tsx'
import { More } from '#ui/more.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { RowButton } from '#ui/rows.tsx'
import { useNow } from '#ui/use-now.ts'
import { TaughtBy } from '../classes/teachers.tsx'
import { MemberLink, PhoneLink, RECORD_SALE } from '../users/member-details.tsx'
import { AnotherTeacher } from './another-teacher.tsx'
import { Attendance } from './attendance.tsx'
import { ClassRow, DAY_LINK, Day, Flags, PrintButton, SessionNotes, TwoDays } from './day-parts.tsx'
import {
  AddCompanionDialog,
  BookForMemberDialog,
  CancelBookingDialog,
  CancelClassDialog,
  loadDialogs,
  MemberHealthDialog,
  MoveBookingDialog,
  NoteDialog,
  RecordSaleDialog,
} from './dialogs.ts'

/** A button in a row of buttons: on a large screen lower than a touch target. */
const IN_ROW = {
  variant: 'quiet',
  className: 'px-1.5 max-sm:[&>svg]:hidden sm:px-2.5 lg:min-h-9 lg:py-1 lg:text-caption',
} as const

export function Sessions({ query, day }: { query: UseQueryResult<Session[]>; day: string }) {
  usePreload(loadDialogs)
  return (
    <QueryView query={query} failed="The sessions could not be loaded.">
      {(sessions) => (
        <TwoDays
          sessions={sessions}
          day={day}
          links={(one, print) => <DayLinks {...one} onPrint={print} />}
          renderSession={renderSession}
        />
      )}
    </QueryView>
  )
}

const renderSession = (session: Session, label: string | undefined) => (
  <SessionRow key={session.class.id} session={session} label={label} />
)

type DayLinksProps = { name: string; date: string; sessions: readonly Session[]; onPrint: () => void }

function DayLinks({ name, date, sessions, onPrint }: DayLinksProps) {
  if (sessions.length === 0) return null
  return (
    <>
      {sessions.some(({ bookings }) => bookings.length > 0) && (
        <Link to={writeTo({ from: date, to: date })} className={DAY_LINK}>
          Message {name.toLowerCase()}’s people
        </Link>
      )}
      {name === 'Today' && <AnotherTeacher sessions={sessions} className={DAY_LINK} />}
      <PrintButton name={name} onPrint={onPrint} />
    </>
  )
}

/** Yesterday's attendance, for corrections. Loaded when opened, because reading it is recorded. */
export function Yesterday({ day }: { day: string }) {
  const before = addDays(day, -1)
  return (
    <QueryView query={useQuery(sessionsOf(before, before))} failed="The sessions could not be loaded.">
      {(sessions) => (
        <>
          {sessions.some(({ areNotesHidden, bookings }) => areNotesHidden && bookings.length > 0) && (
            <HiddenNotes day={before} />
          )}
          <Day name="Yesterday" date={before} sessions={sessions} renderSession={renderSession} />
        </>
      )}
    </QueryView>
  )
}

function HiddenNotes({ day }: { day: string }) {
  const show = useShowNotes(day)
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-5 gap-y-2 text-small text-ink-soft">
      <p>To see the health notes of a past day, please confirm your identity.</p>
      <Button variant="secondary" small runs={show}>
        Show health notes
      </Button>
    </div>
  )
}

/** `label`: 'Next, 09:30' of the next class. */
function SessionRow({ session, label }: { session: Session; label: string | undefined }) {
  const { class: studioClass, bookings, areNotesHidden, offers } = session
  const [cancelling, setCancelling] = useState(false)
  const [adding, setAdding] = useState(false)
  const now = useNow()
  const started = hasStarted(Temporal.Instant.from(studioClass.startsAt), now)
  const hasEnded = hasStarted(Temporal.Instant.from(studioClass.endsAt), now)
  const clash = useClashes(studioClass.date, studioClass.date)(studioClass)
  return (
    <ClassRow
      class={studioClass}
      label={label}
      details={
        <>
          <TaughtBy teacher={studioClass.instructorName} />
          {studioClass.reservedPlaces > 0 && (
            <Badge tone="info">{studioClass.reservedPlaces} kept for the waiting list</Badge>
          )}
          {offers.map(({ user, until }) => (
            <p key={user.id} className="basis-full text-small text-ink-soft">
              Offered to{' '}
              <MemberLink inText id={user.id}>
                {fullName(user)}
              </MemberLink>{' '}
              until {timeOf(until)}
            </p>
          ))}
          <HeldPlaces classId={studioClass.id} />
          {!studioClass.isActive && <Badge tone="sand">Inactive</Badge>}
          {clash && !hasEnded && <p className="basis-full text-small text-warn">{clash}</p>}
        </>
      }
      menu={
        <More
          of={`${studioClass.title}, ${formatDay(studioClass.date)}, ${studioClass.startTime}`}
          items={[
            bookings.length > 0 && {
              label: 'Message everyone',
              name: `Message everyone in ${studioClass.title} on ${formatDay(studioClass.date)} at ${studioClass.startTime}`,
              to: writeTo({ classId: studioClass.id }),
            },
          ]}
        />
      }
    >
      {bookings.length > 0 && (
        <ul className="col-span-full mt-2 grid gap-1.5">
          {bookings.map((booking) => (
            <Person
              key={booking.id}
              booking={booking}
              held={studioClass}
              started={started}
              areNotesHidden={areNotesHidden}
            />
          ))}
        </ul>
      )}
      <div className="col-span-full -mx-1.5 flex justify-between empty:hidden sm:-mx-2.5">
        {studioClass.isActive && !hasEnded && studioClass.availableSpots > 0 && (
          <RowButton
            {...IN_ROW}
            label="Add someone"
            name={`Add someone to ${studioClass.title} at ${studioClass.startTime}`}
            onClick={() => setAdding(true)}
          />
        )}
        {studioClass.isActive && !started && (
          <RowButton
            variant="quiet"
            className={`${IN_ROW.className} ml-auto`}
            danger
            label="Cancel class"
            name={`Cancel class at ${studioClass.startTime}, ${studioClass.title}`}
            onClick={() => setCancelling(true)}
          />
        )}
      </div>
      {adding && <BookForMemberDialog classId={studioClass.id} onClose={() => setAdding(false)} />}
      {cancelling && <CancelClassDialog class={studioClass} bookings={bookings} onClose={() => setCancelling(false)} />}
    </ClassRow>
  )
}

type SessionBooking = Session['bookings'][number]
type PersonProps = { booking: SessionBooking; held: Session['class']; started: boolean; areNotesHidden: boolean }

function Person({ booking, held, started, areNotesHidden }: PersonProps) {
  const [open, setOpen] = useState<'health' | 'note' | 'move' | 'cancel' | 'companion' | 'sale'>()
  const name = fullName(booking) || 'Member'
  // The member can undo this for some seconds, so it has no actions yet.
  const isCancelled = booking.status === 'cancelled'
  const close = () => setOpen(undefined)
  const now = useNow()
  const email = booking.isByPhone ? null : undefined
  return (
    <li className="relative flex flex-wrap items-center justify-between gap-x-3 rounded-row bg-linen px-4 pt-2 pb-1 lg:py-1 lg:pr-12">
      <div className="flex min-w-0 flex-1 basis-64 flex-wrap items-center gap-x-3 max-lg:pr-9 lg:basis-52">
        <MemberLink id={booking.userId} className="min-w-6 font-medium lg:min-h-7">
          {name}
        </MemberLink>
        {booking.bookedBy && (
          <span className="text-small text-ink-soft">Companion of {fullName(booking.bookedBy)}</span>
        )}
        {booking.status !== 'confirmed' && <StatusBadge status={booking.status} />}
        <PhoneLink phone={booking.phone} name={name} />
        {!areNotesHidden && !isCancelled && <Flags notes={booking.notes} />}
      </div>
      {!areNotesHidden && !isCancelled && <SessionNotes participant={booking} date={held.date} />}
      {isCancelled ? null : (
        <div className="-mx-1.5 flex flex-wrap items-center sm:-mx-2.5">
          {started && (
            <div className="my-1 mr-1 ml-1.5 sm:ml-2.5">
              <Attendance id={booking.id} name={name} status={booking.status} />
            </div>
          )}
          {!areNotesHidden && booking.notes && (
            <Button {...IN_ROW} small aria-label={`Note on ${name}’s session`} onClick={() => setOpen('note')}>
              <Icon of={notebookPen} /> Note
            </Button>
          )}
          <Button {...IN_ROW} small aria-label={`Health information of ${name}`} onClick={() => setOpen('health')}>
            <Icon of={heartPulse} /> Health
          </Button>
        </div>
      )}
      {!isCancelled && (
        <div className="absolute top-1 right-1">
          <More
            of={`${name} at ${held.startTime}`}
            items={[
              !started &&
                !booking.hasPassEnded && { label: 'Move', name: `Move ${name}`, onSelect: () => setOpen('move') },
              !started && {
                label: 'Cancel booking',
                name: `Cancel booking of ${name}`,
                onSelect: () => setOpen('cancel'),
              },
              !booking.bookedBy &&
                canHaveCompanion(booking.status, true) &&
                canAddAtDesk(held, now) && {
                  label: 'Add companion',
                  name: `Add companion of ${name}`,
                  onSelect: () => setOpen('companion'),
                },
              { label: RECORD_SALE, name: `${RECORD_SALE} to ${name}`, onSelect: () => setOpen('sale') },
            ]}
          />
        </div>
      )}
      {open === 'health' && <MemberHealthDialog id={booking.userId} name={name} onClose={close} />}
      {open === 'note' && <NoteDialog participant={booking} name={name} session={held} onClose={close} />}
      {open === 'companion' && <AddCompanionDialog booking={booking} onClose={close} />}
      {open === 'sale' && <RecordSaleDialog user={{ ...booking, id: booking.userId, email }} onClose={close} />}
      {open === 'move' && (
        <MoveBookingDialog booking={{ ...booking, name, email, classId: held.id, class: held }} onClose={close} />
      )}
      {open === 'cancel' && <CancelBookingDialog booking={{ ...booking, name, email, class: held }} onClose={close} />}
    </li>
  )
}
