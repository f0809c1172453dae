import { useForm } from 'react-hook-form'
import { many } from '#foundation/collections.ts'
import { formatDate, weekdayOf } from '#foundation/dates.ts'
import type { GiveForm } from '#schedule/contract-bulk.ts'
import { scheduleApi } from '#schedule/web/api.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { RadioCards } from '#ui/form-choices.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { FormDialog } from '../dialog-form.tsx'
import { GiveConsequences } from './teacher-field.tsx'
import { useTeachers } from './teachers.tsx'

export type GivenClass = Pick<StudioClass, 'id' | 'title' | 'date' | 'startTime' | 'instructorName'>

type Typed = { teacher: string; from: string }

/**
 * Gives classes to another teacher. If they are with several teachers, it asks whose are meant.
 *
 * @param members who has booked each class, by id
 */
export function GiveClassesDialog({
  title,
  classes,
  first,
  members,
  onClose,
  onDone,
}: {
  title: string
  classes: readonly GivenClass[]
  /** Whose classes are meant at first; all if left out. */
  first?: string | undefined
  members: (classId: number) => readonly string[]
  onClose: () => void
  onDone?: () => void
}) {
  const form = useForm<Typed>({ defaultValues: { teacher: '', from: first ?? ALL } })
  const { teacher, from } = form.watch()
  const teachers = useTeachers()
  const now = [...new Set(classes.map(({ instructorName }) => instructorName))]
  const meant = classes.filter(({ instructorName }) => from === ALL || instructorName === from)
  const given = meant.filter(({ instructorName }) => instructorName !== teacher)
  const others = teachers.filter((name) => meant.some(({ instructorName }) => instructorName !== name))
  const body: GiveForm = { classIds: given.map(({ id }) => id), instructorName: teacher }
  const give = useAdminMutation({
    mutationFn: (_: Typed) => scheduleApi.giveClassesInBulk.call({ body }),
    toasts: {
      success: (answer) => `${many(answer.classes, 'class is', 'classes are')} with ${teacher}`,
      failure: 'Failed to give the classes to another teacher',
    },
    onSuccess: () => {
      onClose()
      onDone?.()
    },
  })
  return (
    <FormDialog
      title={title}
      form={form}
      mutation={give}
      submit={teacher ? `Give ${many(given.length, 'class', 'classes')} to ${teacher}` : 'Give'}
      disabled={!teacher || given.length === 0}
      onClose={onClose}
    >
      {now.length > 1 && (
        <RadioCards
          name="from"
          label="Whose classes?"
          options={[...now.map((name) => [name, name] as const), [ALL, 'All of them'] as const]}
        />
      )}
      <RadioCards name="teacher" label="Who teaches?" options={others.map((name) => [name, name])} />
      <ul className="grid gap-1 rounded-row bg-linen p-4 text-small/normal">
        {meant.map((c) => (
          <li key={c.id}>
            {weekdayOf(c.date)} {formatDate(c.date)}, {c.startTime}: {c.title} with {c.instructorName}
          </li>
        ))}
      </ul>
      {teacher && given.length > 0 && (
        <GiveConsequences
          members={new Set(given.flatMap(({ id }) => members(id))).size}
          change={{ change: 'give', give: body }}
        />
      )}
    </FormDialog>
  )
}

const ALL = ''
