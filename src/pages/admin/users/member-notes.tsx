import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { type MemberNote, NoteForm } from '#accounts/contract.ts'
import { accountsApi } from '#accounts/web/api.ts'
import { formatInstant, formatInstantDate } from '#foundation/instants.ts'
import { TextArea } from '#ui/form-fields.tsx'
import { RowButton } from '#ui/rows.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { InlineForm } from '../dialog-form.tsx'

export function MemberNotes({ userId, notes }: { userId: string; notes: MemberNote[] }) {
  const form = useForm({ resolver: zodResolver(NoteForm), defaultValues: { text: '' } })
  const add = useAdminMutation({
    mutationFn: (body: { text: string }) => accountsApi.addNote.call({ params: { id: userId }, body }),
    toasts: { success: 'Note added', failure: 'Failed to add note' },
    onSuccess: () => form.reset(),
  })
  const remove = useAdminMutation({
    mutationFn: (id: number) => accountsApi.deleteNote.call({ params: { id } }),
    toasts: { success: 'Note deleted', failure: 'Failed to delete note' },
  })
  return (
    <>
      <InlineForm form={form} mutation={add} submit="Add note" refusal={remove.refusal}>
        <TextArea
          name="text"
          label="New note"
          rows={2}
          help="Only admins see it, but it is part of the data that a member can ask for. Health information belongs in the questionnaire."
        />
      </InlineForm>
      {notes.length > 0 && (
        <ul className="mt-6 border-t border-line">
          {notes.map((note) => (
            <li key={note.id} className="border-b border-line py-4">
              <p className="whitespace-pre-line wrap-anywhere">{note.text}</p>
              <p className="mt-1 flex flex-wrap items-center justify-between gap-x-4 text-caption text-ink-mute">
                <span>
                  {note.author ?? 'A former admin'}, {formatInstantDate(note.writtenAt)}
                </span>
                <RowButton
                  label="Delete"
                  name={`Delete note of ${formatInstant(note.writtenAt)}`}
                  variant="quiet"
                  busy={remove.isPending && remove.variables === note.id}
                  onClick={() => remove.mutate(note.id)}
                />
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
