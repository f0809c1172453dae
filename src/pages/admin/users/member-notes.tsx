import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { type MemberNote, NoteForm } from '#accounts/contract.ts'
import { accountsApi } from '#accounts/web/api.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import { insightsApi } from '#insights/web/api.ts'
import { Button } from '#ui/button.tsx'
import { TextArea } from '#ui/form-fields.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { InlineForm } from '../dialog-form.tsx'

/** What the studio notes on a member. */
export function MemberNotes({ userId, notes }: { userId: string; notes: MemberNote[] }) {
  const stale = [insightsApi.getMemberPage]
  const form = useForm({ resolver: zodResolver(NoteForm), defaultValues: { text: '' } })
  const add = useAdminMutation({
    mutationFn: (body: { text: string }) => accountsApi.addNote.call({ params: { id: userId }, body }),
    says: { success: 'Note added', failure: 'Failed to add note' },
    stale,
    onSuccess: () => form.reset(),
  })
  const remove = useAdminMutation({
    mutationFn: (id: number) => accountsApi.deleteNote.call({ params: { id } }),
    says: { success: 'Note deleted', failure: 'Failed to delete note' },
    stale,
  })
  return (
    <>
      <InlineForm form={form} mutation={add} submit="Add note" refusal={remove.refusal}>
        <TextArea
          name="text"
          label="New note"
          rows={2}
          help="Seen by admins only, but part of the data a member may ask for. Health information belongs in the questionnaire."
        />
      </InlineForm>
      {notes.length > 0 && (
        <ul className="mt-6 border-t border-line">
          {notes.map((note) => (
            <li key={note.id} className="border-b border-line py-4">
              <p className="whitespace-pre-line [overflow-wrap:anywhere]">{note.text}</p>
              <p className="mt-1 flex flex-wrap items-center justify-between gap-x-4 text-[0.875rem] text-ink-mute">
                <span>
                  {note.author ?? 'A former admin'}, {formatInstantDate(note.writtenAt)}
                </span>
                <Button
                  variant="quiet"
                  small
                  busy={remove.isPending && remove.variables === note.id}
                  aria-label={`Delete note of ${formatInstantDate(note.writtenAt)}`}
                  onClick={() => remove.mutate(note.id)}
                >
                  Delete
                </Button>
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
