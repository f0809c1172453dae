import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { fullName } from '#accounts/rules.ts'
import { DateText } from '#foundation/fields.ts'
import { today } from '#foundation/instants.ts'
import type { EmergencyContact, Questionnaire } from '#health/contract.ts'
import { isReadable } from '#health/rules.ts'
import { healthApi, READ_AGAIN } from '#health/web/health.ts'
import { openingAnswers, STEPS, toSend, WizardForm } from '#health/web/wizard-form.ts'
import { STEP_BODIES } from '#health/web/wizard-steps.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { DateField } from '#ui/form-date-field.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { keptAfterWrites } from '#ui/refetch-shown.ts'
import { useNow } from '#ui/use-now.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { DialogForm } from '../dialog-form.tsx'
import type { UserName } from './member-details.tsx'

type Props = { user: UserName; onClose: () => void }

/** The health form of a member without an email address, typed in from paper. Opening it reads what is kept. */
export default function PaperHealthForm({ user, onClose }: Props) {
  const health = useQuery({
    ...healthApi.getMemberHealth.queryOptions({ params: { id: user.id } }),
    ...READ_AGAIN,
    ...keptAfterWrites,
  })
  return (
    <Dialog
      wide
      onClose={onClose}
      title={`Health form of ${fullName(user)}`}
      description="Type in what they wrote and signed on paper. It is encrypted, and erased with their other data. Health Updates shows that you have opened it."
    >
      <QueryView query={health} failed="The health form could not be loaded.">
        {({ questionnaire, emergencyContact }) => (
          <PaperForm
            user={user}
            questionnaire={questionnaire && isReadable(questionnaire) ? questionnaire : undefined}
            contact={emergencyContact && isReadable(emergencyContact) ? emergencyContact : undefined}
            onClose={onClose}
          />
        )}
      </QueryView>
    </Dialog>
  )
}

const Form = WizardForm.extend({ signedOn: DateText('Please enter the day on which they signed') })

function PaperForm({
  user,
  questionnaire,
  contact,
  onClose,
}: Props & { questionnaire: Questionnaire | undefined; contact: EmergencyContact | undefined }) {
  const day = today(useNow())
  const form = useForm<z.input<typeof Form>, unknown, z.output<typeof Form>>({
    resolver: zodResolver(Form),
    defaultValues: { ...openingAnswers(questionnaire, contact), signedOn: day },
  })
  const save = useAdminMutation({
    mutationFn: ({ signedOn, ...answers }: z.output<typeof Form>) =>
      healthApi.savePaperForm.call({ params: { id: user.id }, body: { signedOn, ...toSend(answers) } }),
    toasts: { success: 'Health form saved', failure: 'Failed to save the health form' },
    onSuccess: onClose,
  })
  return (
    <DialogForm form={form} mutation={save} submit="Save health form" onClose={onClose}>
      <DateField name="signedOn" label="Signed on" max={day} />
      {STEPS.map(({ title }, step) => {
        const Body = STEP_BODIES[step]
        return (
          <fieldset key={title} className="grid gap-5 border-t border-line pt-5">
            <legend className="contents">
              <span className="display-3">{title}</span>
            </legend>
            {Body && <Body />}
          </fieldset>
        )
      })}
    </DialogForm>
  )
}
