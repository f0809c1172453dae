import { Controller, useFormContext } from 'react-hook-form'
import { today } from '#foundation/instants.ts'
import { studio } from '#studio.ts'
import { SelectField } from '#ui/choices.tsx'
import { DateField } from '#ui/date-field.tsx'
import { TextArea, TextField } from '#ui/field.tsx'
import { isTime, TimeField } from '#ui/time-field.tsx'
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
  const { register, control, watch, formState } = useFormContext<ClassValues>()
  const { errors } = formState
  const [startTime, endTime] = watch(['startTime', 'endTime'])
  const now = today(present())
  const yesterday = Temporal.PlainDate.from(now).subtract({ days: 1 }).toString()
  const endsBefore = isTime(startTime) && isTime(endTime) && endTime <= startTime
  return (
    <>
      <TextField label="Title" error={errors.title?.message} {...register('title')} />
      <TextArea
        label={
          <>
            Description <span className="font-normal text-ink-mute">(optional)</span>
          </>
        }
        rows={2}
        error={errors.description?.message}
        {...register('description')}
      />
      <Controller
        control={control}
        name="date"
        render={({ field }) => (
          <DateField
            label="Date"
            value={field.value}
            onChange={field.onChange}
            today={now}
            after={yesterday}
            error={errors.date?.message}
          />
        )}
      />
      <div>
        <div className="grid grid-cols-2 gap-4">
          <TimeField
            label="Start time"
            error={errors.startTime?.message}
            {...register('startTime', { onChange: (event) => onStart?.(event.target.value) })}
          />
          <TimeField label="End time" error={errors.endTime?.message} {...register('endTime')} />
        </div>
        {endsBefore && (
          <p role="status" className="mt-3 rounded-row bg-warn-tint p-3 text-[0.9375rem]/[1.45] text-warn">
            The end is not after the start. The class will count as {studio.session.minutes} minutes long.
          </p>
        )}
      </div>
      <SelectField
        label="Max participants"
        help={places}
        options={[
          [2, '2 (duo)'],
          [1, '1 (one-on-one)'],
        ]}
        error={errors.maxParticipants?.message}
        {...register('maxParticipants', { valueAsNumber: true })}
      />
    </>
  )
}
