import { useFormContext } from 'react-hook-form'
import { many } from '#foundation/collections.ts'
import { Callout } from '#ui/callout.tsx'
import { SelectField } from '#ui/form-choices.tsx'
import { SeeTheEmail } from './see-the-email.tsx'
import { useTeachers } from './teachers.tsx'

/** Who teaches the class of a form; nothing while there is one teacher. */
export function TeacherField() {
  const { formState } = useFormContext<{ instructorName: string }>()
  const names = useTeachers(formState.defaultValues?.instructorName)
  if (names.length < 2) return null
  return <SelectField name="instructorName" label="Teacher" options={names.map((name) => [name, name])} />
}

/** The consequences of giving classes to another teacher. `members`: who has booked. */
export function GiveConsequences({ members, change }: { members: number } & Parameters<typeof SeeTheEmail>[0]) {
  return (
    <Callout role="status" tone={members > 0 ? 'warn' : 'plain'}>
      {members > 0
        ? `${many(members, 'member has', 'members have')} booked. We’ll tell each once who teaches instead of whom. Anyone who booked with another teacher can cancel until the class starts and get the credit back.`
        : 'No one has booked, so no emails will be sent.'}
      {members > 0 && <SeeTheEmail change={change} />}
    </Callout>
  )
}
