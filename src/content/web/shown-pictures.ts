import type { OwnPictures } from '#facts/contract.ts'
import type { UploadedPicture } from '#pictures/contract.ts'
import type { Place, SizeAndWidths } from '#pictures/rules.ts'
import type { PictureSource } from '#ui/picture-source.ts'
import { useFacts } from './facts.tsx'
import { pictures } from './pictures.ts'

/** A picture, and its crop for phones in places that have one. */
export type ShownPicture = PictureSource & { narrow?: PictureSource }

/** The site's own. The hero's depends on the hour (`room-at-hour.ts`); in the settings it is the morning's. */
const OURS: Readonly<Record<Place, ShownPicture>> = {
  hero: { ...pictures.heroWide, narrow: pictures.heroPortrait },
  closeUp: pictures.strap,
  oneOnOne: pictures.classOneOnOne,
  duo: pictures.classDuo,
  portrait: pictures.instructorPlaceholder,
  gallery1: pictures.galleryWindow,
  gallery2: pictures.galleryFootbar,
  gallery3: pictures.galleryStool,
  gallery4: pictures.galleryCarriage,
  gallery5: pictures.galleryShelf,
  gallery6: pictures.galleryWall,
  gallery7: pictures.galleryNiche,
  closing: { ...pictures.wideWall, narrow: pictures.wideWallPortrait },
}

/** The picture in a place: the owner's, or ours. */
export function pictureIn(place: Place, own: OwnPictures): ShownPicture {
  const picture = own[place]
  if (!picture) return OURS[place]
  const { id, alt, narrow } = picture
  return {
    ...ownSource(id, 'wide', picture, alt),
    ...(narrow && { narrow: ownSource(id, 'narrow', narrow, alt) }),
  }
}

const ownSource = (id: string, crop: string, { width, height, widths }: SizeAndWidths, alt: string): PictureSource => ({
  folder: `${id}/${crop}`,
  width,
  height,
  widths,
  alt,
  colour: 'var(--color-sand)',
  isOwn: true,
})

/** The portrait of a teacher who is not the lead instructor. */
export const portraitOf = (portrait: UploadedPicture, name: string): PictureSource =>
  ownSource(portrait.id, 'wide', portrait, name)

export function usePicture(place: Place): ShownPicture {
  return pictureIn(place, useFacts().pictures)
}
