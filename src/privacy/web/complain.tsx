import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { formatLongDate } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { studio } from '#studio.ts'
import { Button } from '#ui/button.tsx'
import { Form, TextArea } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { toast, toastError } from '#ui/toast.ts'
import { type DataComplaint, DataComplaintForm } from '../contract-complaints.ts'
import { privacyApi } from './api.ts'

export default function Complain() {
  const complaints = useQuery({ ...privacyApi.listOwnDataComplaints.queryOptions(), gcTime: 0 })
  return (
    <QueryView query={complaints} failed="Your complaints could not be loaded.">
      {(made) => (
        <>
          {made.map((complaint) => (
            <Made key={complaint.id} complaint={complaint} />
          ))}
          <ComplaintForm />
        </>
      )}
    </QueryView>
  )
}

const dayOf = (at: string) => formatLongDate(today(Temporal.Instant.from(at)))

function Made({ complaint: { complaint, madeAt, answerBy, answer, answeredAt } }: { complaint: DataComplaint }) {
  return (
    <div className="mb-5 border-b border-line pb-4">
      <p className="text-ink-mute">You wrote on {dayOf(madeAt)}:</p>
      <p className="whitespace-pre-line wrap-anywhere">{complaint}</p>
      {answer && answeredAt ? (
        <>
          <p className="mt-2 text-ink-mute">We answered on {dayOf(answeredAt)}:</p>
          <p className="whitespace-pre-line wrap-anywhere">{answer}</p>
        </>
      ) : (
        <p className="mt-2 font-medium">We answer by {formatLongDate(answerBy)}.</p>
      )}
    </div>
  )
}

function ComplaintForm() {
  const form = useForm({ resolver: zodResolver(DataComplaintForm), defaultValues: { complaint: '' } })
  const make = useMemberMutation({
    mutationFn: (body: DataComplaintForm) => privacyApi.makeDataComplaint.call({ body }),
    onDone: () => {
      toast({ title: 'Complaint received', description: 'We have emailed you a confirmation.' })
      form.reset()
    },
    onError: (error) => toastError(error, 'Your complaint could not be sent. Please try again.'),
  })
  return (
    <Form form={form} onSubmit={(sent) => make.mutate(sent)}>
      <TextArea
        name="complaint"
        label="What is wrong with how we handle your data?"
        rows={4}
        help={
          <>
            We’ll confirm it by email straight away, and answer within {studio.policies.complaintDays} days. You can
            also go to the{' '}
            <a href="https://ico.org.uk/make-a-complaint/" className="link">
              Information Commissioner’s Office
            </a>{' '}
            at any time.
          </>
        }
      />
      <Button type="submit" variant="secondary" small busy={make.isPending} className="mt-3">
        Send complaint
      </Button>
    </Form>
  )
}
