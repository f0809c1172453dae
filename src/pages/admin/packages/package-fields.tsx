import { useFormContext } from 'react-hook-form'
import type { PackageDialogForm } from '#packages/contract.ts'
import { SelectField, Tick } from '#ui/choices.tsx'
import { TextArea, TextField } from '#ui/field.tsx'

/** The fields of a package. */
export function PackageFields() {
  const { register, formState } = useFormContext<PackageDialogForm>()
  const { errors } = formState
  return (
    <>
      <TextField label="Name" error={errors.name?.message} {...register('name')} />
      <TextArea
        label="Description"
        help="Left empty, the page says how many classes it is for."
        rows={2}
        error={errors.description?.message}
        {...register('description')}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField label="Price (£)" inputMode="decimal" error={errors.price?.message} {...register('price')} />
        <SelectField
          label="Max participants"
          options={[
            [2, '2 (duo)'],
            [1, '1 (one-on-one)'],
          ]}
          error={errors.maxParticipants?.message}
          {...register('maxParticipants', { valueAsNumber: true })}
        />
        <TextField
          label="Class count"
          type="number"
          inputMode="numeric"
          min={1}
          error={errors.classCount?.message}
          {...register('classCount', { valueAsNumber: true })}
        />
        <TextField
          label="Validity (months)"
          type="number"
          inputMode="numeric"
          min={1}
          error={errors.validityMonths?.message}
          {...register('validityMonths', { valueAsNumber: true })}
        />
      </div>
      <div>
        <Tick label="Limited offer" {...register('isLimitedOffer')} />
        <Tick label="Can be bought once per member" {...register('purchaseOncePerUser')} />
      </div>
    </>
  )
}
