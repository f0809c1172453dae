import { pictures } from '#content/web/pictures.ts'
import { ArrowLink } from '#ui/button.tsx'
import { Picture } from '#ui/picture.tsx'

/** Three looks into the room, side by side and equally high: the widths follow the pictures. */
const SHOWN = [
  { picture: pictures.galleryShelf, width: 'flex-[4]' },
  { picture: pictures.galleryNiche, width: 'flex-[2.8]' },
  { picture: pictures.galleryFootbar, width: 'flex-[4]' },
]

export function HomeGallery() {
  return (
    <div className="wrap py-section">
      <div className="flex h-[clamp(110px,27vw,380px)] gap-[clamp(8px,1.4vw,20px)]">
        {SHOWN.map(({ picture, width }) => (
          <div key={picture.folder} className={`overflow-hidden rounded-row bg-sand ${width}`}>
            <Picture of={picture} sizes="(min-width: 1376px) 490px, 36vw" />
          </div>
        ))}
      </div>
      <p className="mt-7">
        <ArrowLink to="/about#gallery">See the studio</ArrowLink>
      </p>
    </div>
  )
}
