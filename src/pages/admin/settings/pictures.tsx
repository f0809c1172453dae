import { useEffect, useId, useRef } from 'react'
import { useFormContext } from 'react-hook-form'
import { pictureIn } from '#content/web/shown-pictures.ts'
import type { OwnPictures } from '#facts/contract.ts'
import { PLACES, type Place } from '#pictures/rules.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/form-fields.tsx'
import { Picture } from '#ui/picture.tsx'
import { ChoosePicture, UploadError, usePictureUpload } from '../picture-upload.tsx'
import { Hint, Section } from './sections.tsx'
import type { Values } from './settings-values.ts'

const WORDS: Record<Place, { title: string; where: string }> = {
  hero: {
    title: 'First picture on the home page',
    where: 'Replaces ours at every hour of the day. Phones show a tall crop.',
  },
  closeUp: { title: 'Wide picture on the home page', where: 'On large screens, text covers its left half.' },
  oneOnOne: { title: 'One-on-one', where: 'On the home and classes pages.' },
  duo: { title: 'Duo', where: 'On the home and classes pages.' },
  portrait: { title: 'Portrait of the teacher', where: 'On the about page, under an arch.' },
  gallery1: { title: 'Gallery, picture 1', where: 'On the about, contact and sign-in pages.' },
  gallery2: { title: 'Gallery, picture 2', where: 'On the about and home pages.' },
  gallery3: { title: 'Gallery, picture 3', where: 'On the about page.' },
  gallery4: { title: 'Gallery, picture 4', where: 'On the about page, and on the home page under an arch.' },
  gallery5: { title: 'Gallery, picture 5', where: 'On the about and home pages.' },
  gallery6: { title: 'Gallery, picture 6', where: 'On the about page, wide.' },
  gallery7: { title: 'Gallery, picture 7', where: 'On the about and home pages.' },
  closing: { title: 'Last picture on the classes page', where: 'Text covers its left half.' },
}

const isOfGallery = (place: Place) => place.startsWith('gallery')

/**
 * The pictures of the gallery, or all others.
 *
 * @param props.saved the pictures that the site shows now
 */
export function Pictures({ saved, gallery = false }: { saved: OwnPictures; gallery?: boolean }) {
  return (
    <Section id={gallery ? 'gallery' : 'pictures'} title={gallery ? 'Gallery' : 'Pictures'}>
      <Hint>
        Ours are visualisations, and the site says so until every picture on a page is yours. JPEG, PNG, WebP or AVIF,
        at most 15 MB; the place where a photo was taken is removed.
      </Hint>
      <ul className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line">
        {PLACES.filter((place) => isOfGallery(place) === gallery).map((place) => (
          <PictureOf key={place} place={place} saved={saved[place]} />
        ))}
      </ul>
    </Section>
  )
}

function PictureOf({ place, saved }: { place: Place; saved: OwnPictures[Place] }) {
  const { watch, getValues, setValue, setFocus } = useFormContext<Values>()
  const heading = useId()
  const own = watch('pictures')
  const chosen = own[place]
  const { title, where } = WORDS[place]
  const isUploaded = useRef(false)
  const sending = usePictureUpload(place, (picture) => {
    isUploaded.current = true
    setValue('pictures', { ...getValues('pictures'), [place]: { ...picture, alt: '' } })
  })
  const id = chosen?.id
  useEffect(() => {
    if (id && isUploaded.current) setFocus(`pictures.${place}.alt`)
    isUploaded.current = false
  }, [id, place, setFocus])
  const remove = () => {
    const { [place]: _, ...others } = getValues('pictures')
    setValue('pictures', others)
  }
  const shown = pictureIn(place, own)
  const isUnsaved = chosen?.id !== saved?.id
  return (
    <li
      aria-labelledby={heading}
      className="grid grid-cols-[100px_minmax(0,1fr)] grid-rows-[auto_1fr] gap-x-4 gap-y-2 py-3.5 first:pt-0 last:pb-0 sm:gap-y-4 sm:py-6 sm:grid-cols-[200px_minmax(0,1fr)] sm:gap-x-6"
    >
      <div className="row-span-2 flex flex-col items-start gap-2 sm:flex-row">
        <div
          className="w-full min-w-0 sm:w-auto flex-1 overflow-hidden rounded-row bg-sand"
          style={{ aspectRatio: `${shown.width} / ${shown.height}` }}
        >
          <Picture of={shown} sizes="(min-width: 640px) 200px, 100px" />
        </div>
        {shown.narrow && (
          <div
            className="w-1/2 overflow-hidden sm:w-1/5 rounded-field bg-sand"
            style={{ aspectRatio: `${shown.narrow.width} / ${shown.narrow.height}` }}
          >
            <Picture of={shown.narrow} alt="" sizes="60px" />
          </div>
        )}
      </div>
      <div className="min-w-0">
        <h3 id={heading} className="font-medium">
          {title}
        </h3>
        <p className="text-small/snug text-ink-mute">
          {where} {chosen ? 'Shows your picture' : 'Shows our picture'}
          {isUnsaved && ' once you press Save'}.
        </p>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
        {chosen && (
          <TextField
            name={`pictures.${place}.alt`}
            label="What the picture shows"
            help="Screen readers read this out. One short sentence is enough."
            maxLength={250}
          />
        )}
        <div className="flex flex-wrap items-center gap-3">
          <ChoosePicture label="Replace" name={`Replace: ${title}`} sending={sending} />
          {chosen && (
            <Button variant="quiet" small disabled={sending.isPending} onClick={remove}>
              Use the original again
            </Button>
          )}
          <p role="status" className="text-small text-ink-mute">
            {sending.isPending && 'Uploading…'}
          </p>
        </div>
        <UploadError error={sending.error} />
      </div>
    </li>
  )
}
