import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { formatInstantDate } from '#foundation/instants.ts'
import { ComplaintForm } from '#privacy/contract.ts'
import { privacyApi } from '#privacy/web/api.ts'
import { Button } from '#ui/button.tsx'
import { TextArea } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { InlineForm, Refused } from '../dialog-form.tsx'

/** A complaint that is still open: as long as it is, the nightly retention erases nothing of the member. */
export function MemberComplaint({ userId }: { userId: string }) {
  const params = { id: userId }
  const close = useAdminMutation({
    mutationFn: () => privacyApi.closeComplaint.call({ params }),
    says: { success: 'Complaint closed', failure: 'Failed to close complaint' },
    stale: [privacyApi.getComplaint],
  })
  const complaint = useQuery(privacyApi.getComplaint.queryOptions({ params }))
  return (
    <QueryView query={complaint} failed="The complaint could not be loaded.">
      {(open) =>
        open ? (
          <>
            <p className="whitespace-pre-line [overflow-wrap:anywhere]">{open.reason}</p>
            <p className="mt-1 flex flex-wrap items-center justify-between gap-x-4 text-[0.875rem] text-ink-mute">
              <span>
                {open.openedBy ?? 'A former admin'}, {formatInstantDate(open.openedAt)}
              </span>
              <Button variant="quiet" small busy={close.isPending} onClick={() => close.mutate()}>
                Close complaint
              </Button>
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
    says: { success: 'Complaint noted', failure: 'Failed to note complaint' },
    stale: [privacyApi.getComplaint],
    onSuccess: () => form.reset(),
  })
  return (
    <InlineForm form={form} mutation={open} submit="Note complaint">
      <TextArea
        name="reason"
        label="Open complaint"
        rows={2}
        help="While it is open, none of this member’s data is erased under the privacy policy’s time limits."
      />
    </InlineForm>
  )
}
