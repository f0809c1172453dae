import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { attentionApi } from '#attention/web/api.ts'
import { formatDate } from '#foundation/dates.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import { ComplaintAnswerForm, type DataComplaint } from '#privacy/contract-complaints.ts'
import { privacyApi } from '#privacy/web/api.ts'
import { TextArea } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { InlineForm } from '../dialog-form.tsx'

const complaintsOf = (id: string) => privacyApi.listDataComplaints.call({ params: { id } })

/** What the member complained of about their data, each with its days or its answer; nothing where there is nothing. */
export function MemberDataComplaints({ userId }: { userId: string }) {
  const complaints = useQuery(privacyApi.listDataComplaints.queryOptions({ params: { id: userId } }))
  return (
    <QueryView query={complaints} failed="Complaints about data could not be loaded.">
      {(made) =>
        made.length === 0 ? (
          <p className="text-[0.9375rem] text-ink-mute">None</p>
        ) : (
          <ul className="grid gap-6">
            {made.map((complaint) => (
              <li key={complaint.id}>
                <One complaint={complaint} userId={userId} />
              </li>
            ))}
          </ul>
        )
      }
    </QueryView>
  )
}

function One({ complaint, userId }: { complaint: DataComplaint; userId: string }) {
  const { madeAt, answerBy, answer, answeredAt } = complaint
  return (
    <>
      <p className="whitespace-pre-line [overflow-wrap:anywhere]">{complaint.complaint}</p>
      <p className="mt-1 text-[0.875rem] text-ink-mute">
        {formatInstantDate(madeAt)}
        {answeredAt ? `, answered ${formatInstantDate(answeredAt)}` : `, to be answered by ${formatDate(answerBy)}`}
      </p>
      {answer ? (
        <p className="mt-2 whitespace-pre-line text-ink-soft [overflow-wrap:anywhere]">{answer}</p>
      ) : (
        <Answer complaint={complaint} userId={userId} />
      )}
    </>
  )
}

function Answer({ complaint: { id }, userId }: { complaint: DataComplaint; userId: string }) {
  const form = useForm({ resolver: zodResolver(ComplaintAnswerForm), defaultValues: { answer: '' } })
  const send = useAdminMutation({
    mutationFn: (body: ComplaintAnswerForm) => privacyApi.answerDataComplaint.call({ params: { id }, body }),
    lookAgain: async () =>
      (await complaintsOf(userId)).find((complaint) => complaint.id === id && complaint.answeredAt !== null),
    says: { success: 'Answer sent', failure: 'Failed to send the answer' },
    stale: [privacyApi.listDataComplaints, attentionApi.listAttention],
  })
  return (
    <InlineForm form={form} mutation={send} submit="Send answer" className="mt-3">
      <TextArea
        name="answer"
        label="Answer"
        rows={3}
        help="What you found and what you did. It is emailed to the member and closes the complaint."
      />
    </InlineForm>
  )
}
