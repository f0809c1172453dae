import { preload } from 'react-dom'

/** The files of one picture: `/assets/pictures/<folder>/<width>.avif` and `.webp`, one of each per width. */
export type PictureFiles = {
  /** Carries a hash of the content, so that browsers may keep the files for ever. */
  folder: string
  /** Of the largest version, in pixels. */
  width: number
  height: number
  /** Ascending; the last is `width`. */
  widths: readonly number[]
  /** What is seen until the picture arrives: its mean colour. */
  colour: string
  /** And over it, in HTML that was written beforehand, a few blurred pixels of it: WebP in base64. */
  blur?: string
}

/** A picture a page can show: its files and what somebody is told who does not see it. */
export type PictureSource = PictureFiles & { alt: string }

type Format = 'avif' | 'webp'

/** Address of the largest version. */
export function addressOf({ folder, width }: PictureFiles, format: Format = 'webp'): string {
  return `/assets/pictures/${folder}/${width}.${format}`
}

/** Every width of one format, for `srcset`. */
export function srcSetOf({ folder, widths }: PictureFiles, format: Format): string {
  return widths.map((width) => `/assets/pictures/${folder}/${width}.${format} ${width}w`).join(', ')
}

/**
 * Has a page's first picture fetched before its markup is read, and before the fonts: said while the page is rendered.
 * Browsers that cannot show AVIF skip it.
 *
 * @param sizes the same as on the `Picture`, or the browser fetches two widths
 * @param media where the picture is shown at all, when a narrow screen gets another one
 */
export function preloadPicture(picture: PictureFiles, sizes: string, media?: string): void {
  preload(addressOf(picture, 'avif'), {
    as: 'image',
    type: 'image/avif',
    imageSrcSet: srcSetOf(picture, 'avif'),
    imageSizes: sizes,
    fetchPriority: 'high',
    media,
  })
}
