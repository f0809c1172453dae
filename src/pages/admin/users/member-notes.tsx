import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { type MemberNote, NoteForm } from '#accounts/contract.ts'
import { accountsApi } from '#accounts/web/api.ts'
import { formatInstant, formatInstantDate } from '#foundation/instants.ts'
import { insightsApi } from '#insights/web/api.ts'
import { ComplaintForm } from '#privacy/contract.ts'
import { privacyApi } from '#privacy/web/api.ts'
import { TextArea } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { RowButton } from '#ui/rows.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { InlineForm, Refused } from '../dialog-form.tsx'

export function MemberNotes({ userId, notes }: { userId: string; notes: MemberNote[] }) {
  const stale = [insightsApi.getMemberPage]
  const form = useForm({ resolver: zodResolver(NoteForm), defaultValues: { text: '' } })
  const add = useAdminMutation({
    mutationFn: (body: { text: string }) => accountsApi.addNote.call({ params: { id: userId }, body }),
    toasts: { success: 'Note added', failure: 'Failed to add note' },
    stale,
    onSuccess: () => form.reset(),
  })
  const remove = useAdminMutation({
    mutationFn: (id: number) => accountsApi.deleteNote.call({ params: { id } }),
    toasts: { success: 'Note deleted', failure: 'Failed to delete note' },
    stale,
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

/** An open complaint; while it is open, data retention erases nothing of the member. */
export function MemberComplaint({ userId }: { userId: string }) {
  const params = { id: userId }
  const close = useAdminMutation({
    mutationFn: () => privacyApi.closeComplaint.call({ params }),
    toasts: { success: 'Complaint closed', failure: 'Failed to close complaint' },
    stale: [privacyApi.getComplaint],
  })
  const complaint = useQuery(privacyApi.getComplaint.queryOptions({ params }))
  return (
    <QueryView query={complaint} failed="The complaint could not be loaded.">
      {(open) =>
        open ? (
          <>
            <p className="whitespace-pre-line wrap-anywhere">{open.reason}</p>
            <p className="mt-1 flex flex-wrap items-center justify-between gap-x-4 text-caption text-ink-mute">
              <span>
                {open.openedBy ?? 'A former admin'}, {formatInstantDate(open.openedAt)}
              </span>
              <RowButton
                label="Close complaint"
                variant="quiet"
                busy={close.isPending}
                onClick={() => close.mutate()}
              />
            </p>
            <Refused refusal={close.refusal} />
          </>
        ) : (
          <NoteComplaint userId={userId} />
        )
      }
    </QueryView>
  )
}

function NoteComplaint({ userId }: { userId: string }) {
  const form = useForm({ resolver: zodResolver(ComplaintForm), defaultValues: { reason: '' } })
  const open = useAdminMutation({
    mutationFn: (body: ComplaintForm) => privacyApi.openComplaint.call({ params: { id: userId }, body }),
    toasts: { success: 'Complaint noted', failure: 'Failed to note complaint' },
    stale: [privacyApi.getComplaint],
    onSuccess: () => form.reset(),
  })
  return (
    <InlineForm form={form} mutation={open} submit="Note complaint">
      <TextArea
        name="reason"
        label="What the member complains about"
        rows={2}
        help="While it is open, we do not erase any of this member’s data, even after the privacy policy’s time limits."
      />
    </InlineForm>
  )
}
