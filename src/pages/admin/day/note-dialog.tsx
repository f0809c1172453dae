import { type Participant, SessionNoteForm } from '#booking/contract-day.ts'
import { staffBookingApi } from '#booking/web/staff-api.ts'
import { formatDay } from '#foundation/dates.ts'
import { TextArea } from '#ui/form-fields.tsx'
import { ChangeDialog } from '../dialog-form.tsx'

type Props = {
  participant: Pick<Participant, 'id' | 'note'>
  name: string
  session: { date: string; startTime: string }
  onClose: () => void
}

/** Writes, changes or (emptied) deletes the note on a member's session. */
export function NoteDialog({ participant: { id, note }, name, session, onClose }: Props) {
  return (
    <ChangeDialog
      title={`Note on ${name}’s session`}
      description={`${formatDay(session.date)} at ${session.startTime}. Kept encrypted, like the health form.`}
      schema={SessionNoteForm}
      values={{ text: note?.text ?? '' }}
      mutationFn={({ text }) =>
        staffBookingApi.writeSessionNote.call({ params: { id }, body: { text, ifWrittenAt: note?.writtenAt ?? null } })
      }
      toasts={{ success: ({ message }) => message, failure: 'Failed to save the note' }}
      submit="Save note"
      onClose={onClose}
    >
      <TextArea
        name="text"
        label="Note"
        rows={5}
        help={`What you did, and what to do next time. ${name} gets it if they download their data.`}
      />
    </ChangeDialog>
  )
}
