import { useState } from 'react'
import type { Session } from '#booking/contract-classes.ts'
import { hasStarted } from '#timetable/rules.ts'
import { useNow } from '#ui/use-now.ts'
import { useTeachers } from '../classes/teachers.tsx'
import { GiveClassesDialog } from './dialogs.ts'

/** Gives today's remaining classes to another teacher, as when one is ill; nothing while there is one teacher. */
export function AnotherTeacher({ sessions, className }: { sessions: readonly Session[]; className: string }) {
  const [open, setOpen] = useState(false)
  const now = useNow()
  const left = sessions.filter(
    ({ class: { isActive, startsAt } }) => isActive && !hasStarted(Temporal.Instant.from(startsAt), now),
  )
  const classes = left.map((session) => session.class)
  if (useTeachers().length < 2 || classes.length === 0) return null
  const membersOf = (classId: number) =>
    left
      .filter((session) => session.class.id === classId)
      .flatMap(({ bookings }) => bookings.filter(({ status }) => status === 'confirmed').map(({ userId }) => userId))
  return (
    <>
      <button type="button" className={className} onClick={() => setOpen(true)}>
        Another teacher today
      </button>
      {open && (
        <GiveClassesDialog
          title="Another teacher today"
          classes={classes}
          first={classes[0]?.instructorName}
          members={membersOf}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
