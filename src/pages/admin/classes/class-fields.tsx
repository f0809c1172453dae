import { useFormContext } from 'react-hook-form'
import { today } from '#foundation/instants.ts'
import { studio } from '#studio.ts'
import { DateField } from '#ui/form-date-field.tsx'
import { SelectField, TextArea, TextField, TimeField } from '#ui/form-fields.tsx'
import { isTime } from '#ui/time-field.tsx'
import { present } from '#ui/use-now.ts'

/** What a class has on both forms. */
export type ClassValues = {
  title: string
  description?: string | null | undefined
  date: string
  startTime: string
  endTime: string
  maxParticipants?: number | null | undefined
}

/** The fields of a class that creating and editing share. The forms that use it hold more. */
export function ClassFields({
  onStart,
  places,
}: {
  /** Told when the start was typed. */
  onStart?: (startTime: string) => void
  /** Said below the number of places. */
  places?: string
}) {
  const { watch } = useFormContext<ClassValues>()
  const [startTime, endTime] = watch(['startTime', 'endTime'])
  const now = today(present())
  const yesterday = Temporal.PlainDate.from(now).subtract({ days: 1 }).toString()
  const endsBefore = isTime(startTime) && isTime(endTime) && endTime <= startTime
  return (
    <>
      <TextField name="title" label="Title" />
      <TextArea
        name="description"
        label={
          <>
            Description <span className="font-normal text-ink-mute">(optional)</span>
          </>
        }
        rows={2}
      />
      <DateField name="date" label="Date" today={now} after={yesterday} />
      <div>
        <div className="grid grid-cols-2 gap-4">
          <TimeField
            name="startTime"
            rules={{ onChange: (event) => onStart?.(event.target.value) }}
            label="Start time"
          />
          <TimeField name="endTime" label="End time" />
        </div>
        {endsBefore && (
          <p role="status" className="mt-3 rounded-row bg-warn-tint p-3 text-[0.9375rem]/[1.45] text-warn">
            The end is not after the start. The class will count as {studio.session.minutes} minutes long.
          </p>
        )}
      </div>
      <SelectField
        name="maxParticipants"
        rules={{ valueAsNumber: true }}
        label="Max participants"
        help={places}
        options={[
          [2, '2 (duo)'],
          [1, '1 (one-on-one)'],
        ]}
      />
    </>
  )
}
