import { type MouseEvent, useRef, useState } from 'react'
import { pictures } from '#content/web/pictures.ts'
import { late } from '#ui/late.tsx'
import { Picture } from '#ui/picture.tsx'
import { addressOf, type PictureSource } from '#ui/picture-source.ts'

const [Lightbox, fetchLightbox] = late(() => import('./about-lightbox.tsx'))

type Shown = { picture: PictureSource; place: string; sizes: string }

const HALF = '(min-width: 1376px) 520px, (min-width: 768px) 40vw, 92vw'
const THIRD = '(min-width: 1376px) 420px, (min-width: 768px) 33vw, 46vw'

/** Twelve columns; two on a phone. */
const SHOWN: readonly Shown[] = [
  { picture: pictures.galleryWindow, place: 'col-span-2 row-span-3 md:col-span-5 md:row-span-4', sizes: HALF },
  { picture: pictures.galleryFootbar, place: 'row-span-2 md:col-span-4', sizes: THIRD },
  { picture: pictures.galleryStool, place: 'row-span-2 md:col-span-3', sizes: THIRD },
  { picture: pictures.galleryCarriage, place: 'row-span-2 md:col-span-3', sizes: THIRD },
  { picture: pictures.galleryShelf, place: 'row-span-2 md:col-span-4', sizes: THIRD },
  {
    picture: pictures.galleryWall,
    place: 'col-span-2 md:col-span-8 md:row-span-2',
    sizes: '(min-width: 1376px) 830px, (min-width: 768px) 61vw, 92vw',
  },
  { picture: pictures.galleryNiche, place: 'col-span-2 row-span-2 md:col-span-4', sizes: THIRD },
]

/** Without script, each picture is a link to its largest version. */
export function AboutGallery() {
  const [open, setOpen] = useState<number>()
  const opener = useRef<HTMLElement>(null)
  const onClick = (event: MouseEvent<HTMLAnchorElement>, i: number) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    opener.current = event.currentTarget
    setOpen(i)
  }
  return (
    <>
      <ul className="grid auto-rows-[29vw] grid-cols-2 gap-[clamp(10px,1.4vw,20px)] md:auto-rows-[clamp(80px,11.6vw,168px)] md:grid-cols-12">
        {SHOWN.map(({ picture, place, sizes }, i) => (
          <li key={picture.folder} className={place}>
            <a
              href={addressOf(picture)}
              aria-haspopup="dialog"
              data-early=""
              onClick={(event) => onClick(event, i)}
              onPointerEnter={fetchLightbox}
              onFocus={fetchLightbox}
              className="group block h-full overflow-hidden rounded-row bg-sand focus-visible:rounded-row"
            >
              <Picture
                of={picture}
                sizes={sizes}
                className="h-full w-full object-cover transition-transform duration-[1.1s] ease-calm group-hover:scale-[1.025]"
              />
            </a>
          </li>
        ))}
      </ul>
      {open !== undefined && (
        <Lightbox
          pictures={SHOWN.map(({ picture }) => picture)}
          start={open}
          onClose={() => {
            setOpen(undefined)
            opener.current?.focus({ preventScroll: true })
          }}
        />
      )}
    </>
  )
}
