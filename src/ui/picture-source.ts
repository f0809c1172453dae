import { preload } from 'react-dom'

/**
 * One picture's files: `/assets/pictures/<folder>/<width>.avif` and `.webp`, for each width. The owner's own are WebP
 * only, at `/pictures/<folder>/<width>.webp`.
 */
export type PictureFiles = {
  /** Contains a hash of the content, so the files can be cached for ever. */
  folder: string
  /** Pixels, of the largest version. */
  width: number
  height: number
  /** Ascending; the last is `width`. */
  widths: readonly number[]
  /** The mean colour, shown while the picture loads. */
  colour: string
  isOwn?: true
  /** A blurred preview in server-rendered HTML: WebP in base64. */
  blur?: string
}

export type PictureSource = PictureFiles & { alt: string }

type Format = 'avif' | 'webp'

export function addressOf({ folder, width, isOwn }: PictureFiles, format: Format = 'webp'): string {
  return isOwn ? `/pictures/${folder}/${width}.webp` : `/assets/pictures/${folder}/${width}.${format}`
}

export function srcSetOf(picture: PictureFiles, format: Format): string {
  return picture.widths.map((width) => `${addressOf({ ...picture, width }, format)} ${width}w`).join(', ')
}

/**
 * Preloads a page's first picture. Browsers without AVIF ignore it.
 *
 * @param sizes the same as on the `Picture`, or the browser fetches two widths
 * @param media where the picture is shown, if narrow screens get another one
 */
export function preloadPicture(picture: PictureFiles, sizes: string, media?: string): void {
  const format = picture.isOwn ? 'webp' : 'avif'
  preload(addressOf(picture, format), {
    as: 'image',
    type: `image/${format}`,
    imageSrcSet: srcSetOf(picture, format),
    imageSizes: sizes,
    fetchPriority: 'high',
    media,
  })
}
