import heartPulse from '@lucide/icons/icons/heart-pulse'
import notebookPen from '@lucide/icons/icons/notebook-pen'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { CurrentUser } from '#accounts/contract.ts'
import { fullName } from '#accounts/rules.ts'
import SecondStepFirst from '#accounts/web/sign-in/second-step-first.tsx'
import type { DaySession, Participant } from '#booking/contract-day.ts'
import { StatusBadge } from '#booking/web/badges.tsx'
import { staffBookingApi } from '#booking/web/staff-api.ts'
import { today } from '#foundation/instants.ts'
import { hasStarted } from '#timetable/rules.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useNow } from '#ui/use-now.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { TaughtBy } from '../classes/teachers.tsx'
import { EmergencyContactPart, Part, PastNotes } from '../health/member-health.tsx'
import { PageHead } from '../page-head.tsx'
import { PhoneLink } from '../users/member-details.tsx'
import { type Answer, AttendanceButtons } from './attendance.tsx'
import { ClassRow, Flags, PrintButton, SessionNotes, TwoDays } from './day-parts.tsx'
import { NoteDialog } from './note-dialog.tsx'

/** A teacher's one screen: today's people and tomorrow's names. */
export default function TeacherDay({ user }: { user: CurrentUser }) {
  if (user.secondStep) return <SecondStepFirst user={user} />
  return (
    <div className="workroom">
      <PageHead title="Today and tomorrow" to="/dashboard" back="Dashboard" />
      <div className="mt-6">
        <Shown />
      </div>
    </div>
  )
}

function Shown() {
  const day = today(useNow())
  const query = useQuery({ ...staffBookingApi.listDay.queryOptions(), gcTime: 0 })
  // At midnight yesterday's people disappear.
  const fetchedOn = useRef(day)
  const { refetch } = query
  useEffect(() => {
    if (fetchedOn.current === day) return
    fetchedOn.current = day
    void refetch()
  }, [day, refetch])
  return (
    <QueryView query={query} failed="The sessions could not be loaded.">
      {(sessions) => (
        <TwoDays
          sessions={sessions}
          day={day}
          isTodayOnly
          links={(one, print) =>
            one.name === 'Today' && one.sessions.length > 0 && <PrintButton name={one.name} onPrint={print} />
          }
          renderSession={(session, label, isToday) => (
            <SessionRow key={session.class.id} session={session} label={label} isToday={isToday} />
          )}
        />
      )}
    </QueryView>
  )
}

type SessionRowProps = { session: DaySession; label: string | undefined; isToday: boolean }

function SessionRow({ session: { class: studioClass, bookings }, label, isToday }: SessionRowProps) {
  const started = hasStarted(Temporal.Instant.from(studioClass.startsAt), useNow())
  return (
    <ClassRow
      class={studioClass}
      label={label}
      details={
        <>
          <TaughtBy teacher={studioClass.instructorName} />
          {!isToday && bookings.length > 0 && (
            <p className="basis-full text-ink-soft wrap-anywhere">{bookings.map(fullName).join(', ')}</p>
          )}
        </>
      }
    >
      {isToday && bookings.length > 0 && (
        <ul className="col-span-2 mt-1 grid gap-1.5">
          {bookings.map((participant) => (
            <Person key={participant.id} participant={participant} held={studioClass} started={started} />
          ))}
        </ul>
      )}
    </ClassRow>
  )
}

type PersonProps = { participant: Participant; held: DaySession['class']; started: boolean }

function Person({ participant, held, started }: PersonProps) {
  const [open, setOpen] = useState<'health' | 'note'>()
  const close = () => setOpen(undefined)
  const { id, status } = participant
  const name = fullName(participant) || 'Member'
  const mark = useAdminMutation({
    mutationFn: (answer: Answer) =>
      staffBookingApi.markDayAttendance.call({ params: { id }, body: { status: answer } }),
    toasts: {
      success: (marked) => `${name} marked as ${marked.status === 'no_show' ? 'a no-show' : 'attended'}`,
      failure: 'Failed to mark attendance',
    },
  })
  return (
    <li className="rounded-row bg-linen px-4 pt-2 pb-1">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3">
        <p className="min-h-8 content-center font-medium wrap-anywhere">{name}</p>
        {status !== 'confirmed' && <StatusBadge status={status} />}
        <PhoneLink phone={participant.phone} name={name} />
        <Flags notes={participant.notes} />
        <SessionNotes participant={participant} date={held.date} />
      </div>
      <div className="-mx-3 flex flex-wrap items-center">
        {started && (
          <div className="my-1 mr-1 ml-3">
            <AttendanceButtons name={name} status={status} busy={mark.isPending} onMark={mark.mutate} />
          </div>
        )}
        {participant.notes && (
          <Button
            variant="quiet"
            small
            className="px-3"
            aria-label={`Note on ${name}’s session`}
            onClick={() => setOpen('note')}
          >
            <Icon of={notebookPen} /> Note
          </Button>
        )}
        <Button
          variant="quiet"
          small
          className="px-3"
          aria-label={`Health and emergency contact of ${name}`}
          onClick={() => setOpen('health')}
        >
          <Icon of={heartPulse} /> Health
        </Button>
      </div>
      {open === 'note' && <NoteDialog participant={participant} name={name} session={held} onClose={close} />}
      {open === 'health' && <HealthDialog id={id} name={name} onClose={close} />}
    </li>
  )
}

/** Flags, contact and notes of a member; opening it is recorded. */
function HealthDialog({ id, name, onClose }: { id: number; name: string; onClose: () => void }) {
  return (
    <Dialog
      wide
      onClose={onClose}
      title={`Health and emergency contact of ${name}`}
      description={`${name} can see that you have opened this.`}
    >
      <QueryView
        query={useQuery({ ...staffBookingApi.getDayHealth.queryOptions({ params: { id } }), gcTime: 0 })}
        failed="The health information could not be loaded."
      >
        {({ notes, emergencyContact, sessionNotes }) => (
          <>
            <EmergencyContactPart contact={emergencyContact} />
            <Part title="Please note">
              <Flags notes={notes} />
            </Part>
            <PastNotes notes={sessionNotes} />
          </>
        )}
      </QueryView>
    </Dialog>
  )
}
