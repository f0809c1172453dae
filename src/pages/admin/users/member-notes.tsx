import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { type addNote, type deleteNote, type MemberNote, NoteForm } from '../../../accounts/contract.ts'
import { call } from '../../../foundation/call.ts'
import { formatInstantDate } from '../../../foundation/instants.ts'
import { memberPageOf } from '../../../insights/web/users.ts'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/field.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { Refused } from '../dialog-form.tsx'

/** What the studio notes on a member. */
export function MemberNotes({ userId, notes }: { userId: string; notes: MemberNote[] }) {
  const stale = [memberPageOf(userId).queryKey]
  const form = useForm({ resolver: zodResolver(NoteForm), defaultValues: { text: '' } })
  const add = useAdminMutation({
    mutationFn: (body: { text: string }) =>
      call<typeof addNote>({ method: 'POST', path: '/api/admin/users/:id/notes' }, { params: { id: userId }, body }),
    says: { success: 'Note added', failure: 'Failed to add note' },
    stale,
    onSuccess: () => form.reset(),
  })
  const remove = useAdminMutation({
    mutationFn: (id: number) =>
      call<typeof deleteNote>({ method: 'DELETE', path: '/api/admin/user-notes/:id' }, { params: { id } }),
    says: { success: 'Note deleted', failure: 'Failed to delete note' },
    stale,
  })
  return (
    <>
      <form noValidate onSubmit={form.handleSubmit((sent) => add.mutate(sent))}>
        <TextArea
          label="New note"
          rows={2}
          help="Seen by admins only, but part of the data a member may ask for. Health information belongs in the questionnaire."
          error={form.formState.errors.text?.message}
          {...form.register('text')}
        />
        <Refused refusal={add.refusal ?? remove.refusal} />
        <Button type="submit" variant="secondary" small busy={add.isPending} className="mt-3">
          Add note
        </Button>
      </form>
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
