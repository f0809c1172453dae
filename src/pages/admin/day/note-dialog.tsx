import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { type Participant, SessionNoteForm } from '#booking/contract-day.ts'
import { staffBookingApi } from '#booking/web/staff-api.ts'
import { formatDay } from '#foundation/dates.ts'
import { TextArea } from '#ui/form-fields.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { FormDialog } from '../dialog-form.tsx'

type Props = {
  participant: Pick<Participant, 'id' | 'note'>
  name: string
  session: { date: string; startTime: string }
  onClose: () => void
}

/** Writes, changes or (emptied) deletes the note on a member's session. */
export function NoteDialog({ participant: { id, note }, name, session, onClose }: Props) {
  const form = useForm({ resolver: zodResolver(SessionNoteForm), defaultValues: { text: note?.text ?? '' } })
  const write = useAdminMutation({
    mutationFn: ({ text }: SessionNoteForm) =>
      staffBookingApi.writeSessionNote.call({ params: { id }, body: { text, ifWrittenAt: note?.writtenAt ?? null } }),
    toasts: { success: ({ message }) => message, failure: 'Failed to save the note' },
    onSuccess: onClose,
  })
  return (
    <FormDialog
      title={`Note on ${name}’s session`}
      description={`${formatDay(session.date)} at ${session.startTime}. Kept encrypted, like the health form.`}
      form={form}
      mutation={write}
      submit="Save note"
      onClose={onClose}
    >
      <TextArea
        name="text"
        label="Note"
        rows={5}
        help={`What you did, and what to do next time. ${name} gets it if they download their data.`}
      />
    </FormDialog>
  )
}
