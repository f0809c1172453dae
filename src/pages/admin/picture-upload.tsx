import upload from '@lucide/icons/icons/upload'
import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { errorMessage } from '#foundation/call.ts'
import type { UploadedPicture } from '#pictures/contract.ts'
import { MAX_BYTES, type Upload } from '#pictures/rules.ts'
import { picturesApi } from '#pictures/web/api.ts'
import { buttonClass } from '#ui/button.tsx'
import { FieldError } from '#ui/field.tsx'
import { Icon } from '#ui/icon.tsx'
import { ACCEPTED_FORMATS, shrinkPicture } from './settings/shrink-picture.ts'

/** Uploads a picture that the owner chooses, for a place of the site or an email. */
export function usePictureUpload(place: Upload, onUploaded: (picture: UploadedPicture) => void) {
  async function send(file: File) {
    const picture = await shrinkPicture(file)
    if (picture.size > MAX_BYTES) throw new TooLarge()
    return await picturesApi.uploadPicture.call({ query: { place }, file: picture })
  }
  return useMemberMutation({
    mutationFn: send,
    onSuccess: onUploaded,
    onError: () => {},
  })
}

/** A button that opens the file chooser. */
export function ChoosePicture({
  label,
  name = label,
  sending,
}: {
  label: string
  name?: string
  sending: { isPending: boolean; mutate: (file: File) => void }
}) {
  return (
    <label
      className={buttonClass(
        { variant: 'secondary', small: true },
        'relative cursor-pointer has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-sage-deep',
      )}
    >
      <input
        type="file"
        accept={ACCEPTED_FORMATS}
        aria-label={name}
        disabled={sending.isPending}
        className="absolute inset-0 w-full cursor-pointer opacity-0"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // Choosing the same file again must be a change.
          target.value = ''
          if (file) sending.mutate(file)
        }}
      />
      <Icon of={upload} size={18} /> {label}
    </label>
  )
}

/** Why an upload failed. */
export function UploadError({ error }: { error: Error | null }) {
  if (!error) return null
  return (
    <div role="alert">
      <FieldError>
        {error instanceof TooLarge
          ? 'This picture is too large. Please choose one of at most 15 MB and 50 megapixels.'
          : errorMessage(error, 'The picture could not be uploaded. Please try again.')}
      </FieldError>
    </div>
  )
}

class TooLarge extends Error {}
