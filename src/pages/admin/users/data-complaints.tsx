import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { formatDate } from '#foundation/dates.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import type { Complaint } from '#privacy/contract.ts'
import { ComplaintAnswerForm, type DataComplaint } from '#privacy/contract-complaints.ts'
import { privacyApi } from '#privacy/web/api.ts'
import { TextArea } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { RowButton } from '#ui/rows.tsx'
import { Section } from '#ui/section.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { InlineForm, Refused } from '../dialog-form.tsx'
import { CHANNELS } from './complaint-channels.ts'

/**
 * A member's complaints: the open one about the studio, and those about their data, each with its deadline or answer.
 * Renders nothing without any.
 */
export function MemberComplaints({ userId }: { userId: string }) {
  const params = { id: userId }
  const complaint = useQuery(privacyApi.getComplaint.queryOptions({ params }))
  const aboutData = useQuery(privacyApi.listDataComplaints.queryOptions({ params }))
  if (!complaint.error && !aboutData.error && !complaint.data && !aboutData.data?.length) return null
  return (
    <Section title="Complaints" level="h3" gap="mb-3">
      <QueryView query={complaint} failed="The complaint could not be loaded.">
        {(open) => open && <OpenComplaint userId={userId} complaint={open} />}
      </QueryView>
      <QueryView query={aboutData} failed="Data protection complaints could not be loaded.">
        {(made) => (
          <ul className="grid gap-6">
            {made.map((complaint) => (
              <li key={complaint.id}>
                <OneDataComplaint complaint={complaint} />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Section>
  )
}

/** While it is open, data retention erases nothing of the member. */
function OpenComplaint({ userId, complaint }: { userId: string; complaint: Complaint }) {
  const close = useAdminMutation({
    mutationFn: () => privacyApi.closeComplaint.call({ params: { id: userId } }),
    toasts: { success: 'Complaint closed', failure: 'Failed to close complaint' },
  })
  return (
    <div className="mb-6">
      <p className="whitespace-pre-line wrap-anywhere">{complaint.reason}</p>
      <p className="mt-1 flex flex-wrap items-center justify-between gap-x-4 text-caption text-ink-mute">
        <span>
          {complaint.openedBy ?? 'A former admin'}, {formatInstantDate(complaint.openedAt)}
        </span>
        <RowButton label="Close complaint" variant="quiet" runs={close} />
      </p>
      <Refused refusal={close.refusal} />
    </div>
  )
}

/** A complaint with its deadline or its answer. */
export function OneDataComplaint({ complaint, sendsEmail = true }: { complaint: DataComplaint; sendsEmail?: boolean }) {
  const { channel, madeAt, answerBy, answeredAt, answer } = complaint
  return (
    <>
      <p className="whitespace-pre-line wrap-anywhere">{complaint.complaint}</p>
      <p className="mt-1 text-caption text-ink-mute">
        {CHANNELS[channel]}, {formatInstantDate(madeAt)}
        {answeredAt ? `, answered ${formatInstantDate(answeredAt)}` : `, to be answered by ${formatDate(answerBy)}`}
      </p>
      {answer ? (
        <p className="mt-2 whitespace-pre-line text-ink-soft wrap-anywhere">{answer}</p>
      ) : (
        <div className="mt-4">
          <Answer complaint={complaint} sendsEmail={sendsEmail} />
        </div>
      )}
    </>
  )
}

function Answer({ complaint: { id }, sendsEmail }: { complaint: DataComplaint; sendsEmail: boolean }) {
  const form = useForm({ resolver: zodResolver(ComplaintAnswerForm), defaultValues: { answer: '' } })
  const send = useAdminMutation({
    mutationFn: (body: ComplaintAnswerForm) => privacyApi.answerDataComplaint.call({ params: { id }, body }),
    toasts: { success: sendsEmail ? 'Answer sent' : 'Answer saved', failure: 'Failed to send the answer' },
  })
  return (
    <InlineForm form={form} mutation={send} submit={sendsEmail ? 'Send answer' : 'Save answer'}>
      <TextArea
        name="answer"
        label="Answer"
        rows={3}
        help={
          sendsEmail
            ? 'What you found and what you did. We’ll email it to them and close the complaint.'
            : 'What you found and did. We have no email address: call or write to them, tell them that they can also go to the ICO, then save it here.'
        }
      />
    </InlineForm>
  )
}
