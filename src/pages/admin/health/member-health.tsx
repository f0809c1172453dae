import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { PastNote } from '#booking/contract-day.ts'
import { staffBookingApi } from '#booking/web/staff-api.ts'
import { formatLongDate } from '#foundation/dates.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import type { EmergencyContact, Questionnaire, Unreadable } from '#health/contract.ts'
import { isReadable } from '#health/rules.ts'
import { healthApi, READ_AGAIN } from '#health/web/health.ts'
import { answerInWords, labelOf } from '#health/web/words.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { keptAfterWrites } from '#ui/refetch-shown.ts'
import { NoteDialog } from '../day/note-dialog.tsx'
import { PhoneLink } from '../users/member-details.tsx'

/** All health information of a member; opening it is recorded. Notes on sessions can be edited. */
export function MemberHealthDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const found = useQuery({
    ...healthApi.getMemberHealth.queryOptions({ params: { id } }),
    ...READ_AGAIN,
    ...keptAfterWrites,
  })
  const [edited, setEdited] = useState<PastNote>()
  if (edited) {
    const participant = { id: edited.bookingId, note: edited }
    return <NoteDialog participant={participant} name={name} session={edited} onClose={() => setEdited(undefined)} />
  }
  return (
    <Dialog
      wide
      onClose={onClose}
      title={`Health information of ${name}`}
      description="Health Updates shows that you have opened this."
    >
      <QueryView query={found} failed="The health information could not be loaded.">
        {({ questionnaire, emergencyContact }) => (
          <>
            <EmergencyContactPart contact={emergencyContact} />
            <Answers questionnaire={questionnaire} />
            <NotesOf id={id} onEdit={setEdited} />
          </>
        )}
      </QueryView>
    </Dialog>
  )
}

function NotesOf({ id, onEdit }: { id: string; onEdit: (note: PastNote) => void }) {
  return (
    <QueryView
      query={useQuery({
        ...staffBookingApi.listSessionNotes.queryOptions({ params: { id } }),
        ...READ_AGAIN,
        ...keptAfterWrites,
      })}
      failed="The session notes could not be loaded."
    >
      {(notes) => <PastNotes notes={notes} onEdit={onEdit} />}
    </QueryView>
  )
}

/** The notes on a member's sessions, newest first. */
export function PastNotes({ notes, onEdit }: { notes: readonly PastNote[]; onEdit?: (note: PastNote) => void }) {
  return (
    <Part title="Notes on sessions">
      {notes.length === 0 ? (
        <p className="text-ink-mute">None yet.</p>
      ) : (
        <ul className="grid gap-3">
          {notes.map((note) => (
            <li key={note.bookingId}>
              <p className="text-caption text-ink-mute">
                {formatLongDate(note.date)}, {note.startTime}
                {note.author && `, by ${note.author}`}
              </p>
              <p className="whitespace-pre-line wrap-anywhere">{note.text ?? 'This note cannot be read.'}</p>
              {onEdit && (
                <Button
                  variant="quiet"
                  small
                  className="px-0"
                  aria-label={`Edit the note on ${formatLongDate(note.date)}, ${note.startTime}`}
                  onClick={() => onEdit(note)}
                >
                  Edit note
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

export function EmergencyContactPart({ contact }: { contact: EmergencyContact | Unreadable | null }) {
  if (contact && !isReadable(contact)) return <Damaged title="Emergency contact" record={contact} />
  return (
    <Part title="Emergency contact">
      {contact ? (
        <p className="wrap-anywhere">
          {contact.name}, {contact.relationship} <PhoneLink phone={contact.phone} name={contact.name} />
          {contact.email && <span className="block text-ink-soft">{contact.email}</span>}
        </p>
      ) : (
        <p className="text-ink-mute">None given yet.</p>
      )}
    </Part>
  )
}

function Answers({ questionnaire }: { questionnaire: Questionnaire | Unreadable | null }) {
  if (questionnaire && !isReadable(questionnaire)) return <Damaged title="Questionnaire" record={questionnaire} />
  if (!questionnaire) {
    return (
      <Part title="Questionnaire">
        <p className="text-ink-mute">Not filled in yet.</p>
      </Part>
    )
  }
  const { updatedAt, marketingConsent, ...answers } = questionnaire
  const given = Object.entries(answers).filter(([, value]) => value !== null && value !== '' && value !== false)
  return (
    <Part title="Questionnaire">
      {given.length === 0 && (
        <p className="text-ink-mute">Nothing to note: every question was left blank or answered no.</p>
      )}
      <dl className="grid gap-4 sm:grid-cols-2">
        {given.map(([field, value]) => (
          <div key={field}>
            <dt className="text-caption text-ink-mute">{labelOf(field)}</dt>
            <dd className="whitespace-pre-line wrap-anywhere">{answerInWords(field, value)}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-5 text-caption text-ink-mute">Last updated {formatInstantDate(updatedAt)}</p>
    </Part>
  )
}

function Damaged({ title, record }: { title: string; record: Unreadable }) {
  return (
    <Part title={title}>
      <p className="text-err">{record.unreadable}.</p>
      <p className="mt-1 text-caption text-ink-mute">
        Saved {formatInstantDate(record.updatedAt)}. Please ask the member to fill it in again.
      </p>
    </Part>
  )
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-6">
      <h3 className="mb-2 font-medium">{title}</h3>
      {children}
    </section>
  )
}
