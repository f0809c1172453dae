import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { attentionApi } from '#attention/web/api.ts'
import { formatDate } from '#foundation/dates.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import { ComplaintAnswerForm, type DataComplaint } from '#privacy/contract-complaints.ts'
import { privacyApi } from '#privacy/web/api.ts'
import { buttonClass } from '#ui/button.tsx'
import { dialogButton } from '#ui/dialog-button.tsx'
import { TextArea } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { InlineForm } from '../dialog-form.tsx'
import { CHANNELS } from './complaint-channels.ts'

const RecordComplaint = dialogButton<{ userId: string }>(
  () => import('./record-complaint.tsx'),
  'Record a complaint',
  buttonClass({ variant: 'secondary', small: true }),
)

/** A member's complaints about their data, each with its deadline or its answer. */
export function MemberDataComplaints({ userId }: { userId: string }) {
  const complaints = useQuery(privacyApi.listDataComplaints.queryOptions({ params: { id: userId } }))
  return (
    <QueryView query={complaints} failed="Data protection complaints could not be loaded.">
      {(made) => (
        <>
          {made.length === 0 ? (
            <p className="text-small text-ink-mute">None</p>
          ) : (
            <ul className="grid gap-6">
              {made.map((complaint) => (
                <li key={complaint.id}>
                  <OneDataComplaint complaint={complaint} refetch={() => ofMember(userId)} />
                </li>
              ))}
            </ul>
          )}
          <div className="mt-4">
            <RecordComplaint userId={userId} />
          </div>
        </>
      )}
    </QueryView>
  )
}

const ofMember = (id: string) => privacyApi.listDataComplaints.call({ params: { id } })

/** A complaint with its deadline or its answer. `refetch`: the list it is from. */
export function OneDataComplaint({
  complaint,
  refetch,
  sendsEmail = true,
}: {
  complaint: DataComplaint
  refetch: () => Promise<DataComplaint[]>
  sendsEmail?: boolean
}) {
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
          <Answer complaint={complaint} refetch={refetch} sendsEmail={sendsEmail} />
        </div>
      )}
    </>
  )
}

function Answer({
  complaint: { id },
  refetch,
  sendsEmail,
}: {
  complaint: DataComplaint
  refetch: () => Promise<DataComplaint[]>
  sendsEmail: boolean
}) {
  const form = useForm({ resolver: zodResolver(ComplaintAnswerForm), defaultValues: { answer: '' } })
  const send = useAdminMutation({
    mutationFn: (body: ComplaintAnswerForm) => privacyApi.answerDataComplaint.call({ params: { id }, body }),
    checkIfDone: async () =>
      (await refetch()).find((complaint) => complaint.id === id && complaint.answeredAt !== null),
    toasts: { success: sendsEmail ? 'Answer sent' : 'Answer saved', failure: 'Failed to send the answer' },
    stale: [privacyApi.listDataComplaints, privacyApi.listOutsideComplaints, attentionApi.listAttention],
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
