import { useFieldArray, useFormContext } from 'react-hook-form'
import type { MessageForm } from '#mailings/contract.ts'
import { emailPicturePath, MAX_EMAIL_PICTURES } from '#pictures/rules.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/form-fields.tsx'
import { ChoosePicture, UploadError, usePictureUpload } from '../picture-upload.tsx'

/** The pictures of a message. The email shows them below the text, in this order. */
export function EmailPictures() {
  const { control, setFocus } = useFormContext<Pick<MessageForm, 'pictures'>>()
  const { fields, append, remove } = useFieldArray({ control, name: 'pictures', keyName: 'key' })
  const sending = usePictureUpload('email', ({ id }) => {
    if (fields.every((field) => field.id !== id)) append({ id, alt: '' })
  })
  const isFull = fields.length >= MAX_EMAIL_PICTURES
  const drop = (at: number) => {
    remove(at)
    if (fields.length > 1) setFocus(`pictures.${Math.max(0, at - 1)}.alt`)
  }
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <legend className="mb-2 text-small/snug font-medium">
        Pictures <span className="font-normal text-ink-mute">(optional)</span>
      </legend>
      {fields.map(({ key, id }, at) => (
        <div key={key} className="grid grid-cols-[88px_minmax(0,1fr)] items-start gap-x-4 gap-y-2">
          <img
            src={emailPicturePath(id)}
            alt=""
            width={88}
            height={88}
            className="size-22 rounded-field bg-sand object-cover"
          />
          <div className="grid gap-2">
            <TextField
              name={`pictures.${at}.alt`}
              label={`What picture ${at + 1} shows`}
              help="For people who cannot see it: one short sentence."
              maxLength={250}
            />
            <Button
              variant="quiet"
              small
              className="justify-self-start px-0"
              aria-label={`Remove picture ${at + 1}`}
              onClick={() => drop(at)}
            >
              Remove
            </Button>
          </div>
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-3">
        {isFull ? (
          <p className="text-small text-ink-mute">A message has at most {MAX_EMAIL_PICTURES} pictures.</p>
        ) : (
          <ChoosePicture label="Add a picture" sending={sending} />
        )}
        <p role="status" className="text-small text-ink-mute">
          {sending.isPending && 'Uploading…'}
        </p>
      </div>
      <UploadError error={sending.error} />
    </fieldset>
  )
}
