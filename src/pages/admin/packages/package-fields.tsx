import { NumberField, SelectField, TextArea, TextField, Tick } from '#ui/form-fields.tsx'

/** The fields of a package. */
export function PackageFields() {
  return (
    <>
      <TextField name="name" label="Name" />
      <TextArea
        name="description"
        label="Description"
        help="Left empty, the page says how many classes it is for."
        rows={2}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="price" label="Price (£)" inputMode="decimal" />
        <SelectField
          name="maxParticipants"
          rules={{ valueAsNumber: true }}
          label="Max participants"
          options={[
            [2, '2 (duo)'],
            [1, '1 (one-on-one)'],
          ]}
        />
        <NumberField name="classCount" label="Class count" min={1} />
        <NumberField name="validityMonths" label="Validity (months)" min={1} />
      </div>
      <div>
        <Tick name="isLimitedOffer" label="Limited offer" />
        <Tick name="purchaseOncePerUser" label="Can be bought once per member" />
      </div>
    </>
  )
}
