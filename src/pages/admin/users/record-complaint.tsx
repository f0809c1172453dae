import { type ReactNode, useState } from 'react'
import { today } from '#foundation/instants.ts'
import { ComplaintForm } from '#privacy/contract.ts'
import { MemberComplaintForm, RecordedComplaintForm } from '#privacy/contract-complaints.ts'
import { privacyApi } from '#privacy/web/api.ts'
import { studio } from '#studio.ts'
import { RadioCards } from '#ui/choices.tsx'
import { SelectField } from '#ui/form-choices.tsx'
import { DateField } from '#ui/form-date-field.tsx'
import { TextArea, TextField } from '#ui/form-fields.tsx'
import { useNow } from '#ui/use-now.ts'
import { ChangeDialog } from '../dialog-form.tsx'
import { RECORDED_CHANNELS } from './complaint-channels.ts'

const TOASTS = { success: 'Complaint recorded', failure: 'Failed to record the complaint' }

const KINDS = [
  ['data', 'Their personal data'],
  ['studio', 'Anything else'],
] as const

/** Records a complaint made by phone or letter. Without `userId` it is by a person without an account, about data. */
export default function RecordComplaint({ userId, onClose }: { userId?: string; onClose: () => void }) {
  const [kind, setKind] = useState('data')
  if (userId === undefined) return <ByOthers onClose={onClose} />
  const choice = (
    <div className="mt-6">
      <RadioCards
        label="What is it about?"
        name="kind"
        options={KINDS}
        checkedValue={kind}
        onChange={({ target }) => setKind(target.value)}
      />
    </div>
  )
  const props = { userId, choice, onClose }
  return kind === 'data' ? <AboutData {...props} /> : <AboutTheStudio {...props} />
}

type MemberProps = { userId: string; choice: ReactNode; onClose: () => void }

/** While it is open, data retention erases nothing of the member. */
function AboutTheStudio({ userId, choice, onClose }: MemberProps) {
  return (
    <ChangeDialog
      title={DIALOG.title}
      description="While it is open, we do not erase any of this member’s data, even after the privacy policy’s time limits."
      submit={DIALOG.submit}
      before={choice}
      schema={ComplaintForm}
      values={{ reason: '' }}
      mutationFn={(body) => privacyApi.openComplaint.call({ params: { id: userId }, body })}
      toasts={{ success: 'Complaint noted', failure: 'Failed to note complaint' }}
      onClose={onClose}
    >
      <TextArea name="reason" label="What the member complains about" rows={4} />
    </ChangeDialog>
  )
}

const DIALOG = {
  title: 'Record a complaint',
  description: `A complaint about personal data counts however it reaches you. It must be confirmed and answered within ${studio.policies.complaintDays} days.`,
  submit: 'Record complaint',
}

function AboutData({ userId, choice, onClose }: MemberProps) {
  const day = today(useNow())
  return (
    <ChangeDialog
      {...DIALOG}
      before={choice}
      schema={MemberComplaintForm}
      values={{ channel: 'phone', receivedOn: day, complaint: '' }}
      mutationFn={(body) => privacyApi.recordMemberComplaint.call({ params: { id: userId }, body })}
      toasts={TOASTS}
      onClose={onClose}
    >
      <Received />
    </ChangeDialog>
  )
}

function ByOthers({ onClose }: { onClose: () => void }) {
  const day = today(useNow())
  return (
    <ChangeDialog
      {...DIALOG}
      schema={RecordedComplaintForm}
      values={{ name: '', email: '', otherContact: '', channel: 'phone', receivedOn: day, complaint: '' }}
      mutationFn={(body) => privacyApi.recordOutsideComplaint.call({ body })}
      toasts={TOASTS}
      onClose={onClose}
    >
      <TextField name="name" label="Name" autoComplete="off" />
      <TextField
        name="email"
        label="Email"
        optional
        type="email"
        autoComplete="off"
        help="We’ll email them a confirmation, and your answer."
      />
      <TextField
        name="otherContact"
        label="Another way to answer them"
        optional
        autoComplete="off"
        help="A phone number, an address or their name on Instagram."
      />
      <Received />
    </ChangeDialog>
  )
}

function Received() {
  return (
    <>
      <SelectField name="channel" label="How it reached you" options={RECORDED_CHANNELS} />
      <DateField name="receivedOn" label="Day it reached you" />
      <TextArea name="complaint" label="What it is about" rows={4} help="In their words, if you can." />
    </>
  )
}
