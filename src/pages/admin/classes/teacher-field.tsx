import { useFormContext } from 'react-hook-form'
import { useFacts } from '#content/web/facts.tsx'
import { teacherNames, teacherToSay } from '#facts/rules.ts'
import { many } from '#foundation/collections.ts'
import { Callout } from '#ui/callout.tsx'
import { SelectField } from '#ui/form-choices.tsx'
import { SeeTheEmail } from './see-the-email.tsx'

/** The names to choose from: the teachers in the settings, and who has it now. */
export function useTeachers(now?: string): string[] {
  const names = teacherNames(useFacts())
  return now && !names.includes(now) ? [...names, now] : names
}

export const useTaughtBy = (teacher: string) => teacherToSay(useFacts(), teacher)

/** The teacher of a class, where it need be said. */
export function TaughtBy({ teacher, className = '' }: { teacher: string; className?: string }) {
  const name = useTaughtBy(teacher)
  return name && <p className={`text-small text-ink-mute wrap-anywhere ${className}`}>with {name}</p>
}

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
