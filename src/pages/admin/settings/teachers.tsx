import { useFieldArray, useFormContext } from 'react-hook-form'
import { portraitOf } from '#content/web/shown-pictures.ts'
import type { StudioFacts } from '#facts/contract.ts'
import { Button } from '#ui/button.tsx'
import { TextArea, TextField } from '#ui/form-fields.tsx'
import { Picture } from '#ui/picture.tsx'
import { ChoosePicture, UploadError, usePictureUpload } from '../picture-upload.tsx'
import { Hint, Section } from './sections.tsx'
import type { Values } from './settings-values.ts'

const NOBODY: StudioFacts['teachers'][number] = { name: '', role: 'Teacher', text: '', portrait: null }

/** Who teaches beside the lead instructor. */
export function Teachers() {
  const { control } = useFormContext<Values>()
  const { fields, append, remove } = useFieldArray({ control, name: 'teachers' })
  return (
    <Section id="teachers" title="Other teachers">
      <Hint>
        You can give classes to them, and the about page shows them below the lead instructor. Classes keep the name
        they were given to.
      </Hint>
      {fields.map(({ id }, place) => (
        <fieldset key={id} className="grid grid-cols-[minmax(0,1fr)] gap-5 border-b border-line pb-5">
          <legend className="sr-only">Teacher {place + 1}</legend>
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField name={`teachers.${place}.name`} label="Name" />
            <TextField name={`teachers.${place}.role`} label="Role" />
          </div>
          <TextArea
            name={`teachers.${place}.text`}
            label="About them"
            optional
            rows={4}
            help="Leave an empty line between paragraphs."
          />
          <Portrait place={place} />
          <Button
            variant="quiet"
            small
            className="justify-self-start"
            aria-label={`Remove teacher ${place + 1}`}
            onClick={() => remove(place)}
          >
            Remove
          </Button>
        </fieldset>
      ))}
      <Button variant="secondary" small className="justify-self-start" onClick={() => append(NOBODY)}>
        Add a teacher
      </Button>
    </Section>
  )
}

function Portrait({ place }: { place: number }) {
  const { watch, setValue } = useFormContext<Values>()
  const field = `teachers.${place}.portrait` as const
  const portrait = watch(field)
  const name = watch(`teachers.${place}.name`)
  const sending = usePictureUpload('portrait', (picture) => setValue(field, picture, { shouldDirty: true }))
  return (
    <div className="flex flex-wrap items-center gap-3">
      {portrait && (
        <div className="w-20 overflow-hidden rounded-row bg-sand">
          <Picture of={portraitOf(portrait, name)} sizes="80px" />
        </div>
      )}
      <ChoosePicture
        label={portrait ? 'Replace portrait' : 'Add a portrait'}
        name={`${portrait ? 'Replace' : 'Add'} the portrait of teacher ${place + 1}`}
        sending={sending}
      />
      {portrait && (
        <Button
          variant="quiet"
          small
          aria-label={`Remove the portrait of teacher ${place + 1}`}
          onClick={() => setValue(field, null, { shouldDirty: true })}
        >
          Remove portrait
        </Button>
      )}
      <p role="status" className="text-small text-ink-mute">
        {sending.isPending && 'Uploading…'}
      </p>
      <UploadError error={sending.error} />
    </div>
  )
}
