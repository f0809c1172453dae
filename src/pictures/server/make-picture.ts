import type { Sharp } from 'sharp'
import { Refusal, refuse } from '#foundation/refusal.ts'
import { pictureRefusals } from '../contract.ts'
import {
  cropsOf,
  emailSizeOf,
  formatOf,
  MAX_PIXELS,
  MIN_WIDTH,
  type Size,
  type SizeAndWidths,
  sizesOf,
  type Upload,
} from '../rules.ts'

type MadeFile = { crop: 'wide' | 'narrow' | 'email'; width: number; content: Buffer }
export type MadePicture = { sizes: SizeAndWidths & { narrow?: SizeAndWidths }; files: MadeFile[] }

/** A picture that takes longer is refused. Our choice. */
const MAX_SECONDS = 8

/** Tried in turn until a file weighs about as much as one of the site's own pictures. */
const QUALITIES = [82, 72, 62, 52, 42]
const lightBytes = (pixels: number) => 6000 + 0.045 * pixels

/**
 * Makes the files of a picture for a place: upright, cropped around what catches the eye, without metadata, as WebP.
 * For an email it is whole, as JPEG. The file's header is checked first, so that a decompression bomb is never
 * decompressed.
 *
 * @throws a refusal when the file is no picture that is accepted
 */
export async function makePicture(place: Upload, file: Buffer): Promise<MadePicture> {
  const format = formatOf(file)
  if (format === 'heic') refuse(pictureRefusals.picture_is_heic)
  if (!format) refuse(pictureRefusals.picture_format_refused)
  // Loaded when it is first needed: it is a large library.
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  const open = () => sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).timeout({ seconds: MAX_SECONDS })

  const header = await readable(open().metadata())
  if (header.width * header.height > MAX_PIXELS) refuse(pictureRefusals.picture_too_large)
  if (header.format !== (format === 'avif' ? 'heif' : format)) refuse(pictureRefusals.picture_format_refused)

  const upright = header.autoOrient
  if (place === 'email') {
    const size = emailSizeOf(upright)
    if (size.width < MIN_WIDTH) refuse(pictureRefusals.picture_too_small)
    const content = await readable(cropped(open(), size).jpeg({ quality: 78, mozjpeg: true }).toBuffer())
    const { width } = size
    return { sizes: { ...size, widths: [width] }, files: [{ crop: 'email', width, content }] }
  }
  const { narrow, ...wide } = cropsOf(place)
  const sizes = { ...sizesOf(wide, upright), ...(narrow && { narrow: sizesOf(narrow, upright) }) }
  if (sizes.width < MIN_WIDTH) refuse(pictureRefusals.picture_too_small)

  const files: MadeFile[] = []
  const crops = [['wide', sizes] as const, ...(sizes.narrow ? [['narrow', sizes.narrow] as const] : [])]
  for (const [crop, size] of crops) {
    const { data, info } = await readable(cropped(open(), size).raw().toBuffer({ resolveWithObject: true }))
    for (const width of size.widths) {
      const height = Math.max(1, Math.round((width * size.height) / size.width))
      const content = await lightWebp(() => sharp(data, { raw: info }).resize(width, height), width * height)
      files.push({ crop, width, content })
    }
  }
  return { sizes, files }
}

const cropped = (picture: Sharp, { width, height }: Size) =>
  picture
    .autoOrient()
    .resize(width, height, { fit: 'cover', position: 'attention' })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')

async function lightWebp(open: () => Sharp, pixels: number): Promise<Buffer> {
  let content = Buffer.alloc(0)
  for (const quality of QUALITIES) {
    content = await open().webp({ quality }).toBuffer()
    if (content.length <= lightBytes(pixels)) break
  }
  return content
}

/** The library refuses damaged pictures, and pictures over its own limits. */
async function readable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const isTooLarge = error instanceof Error && /pixel limit|timeout/i.test(error.message)
    const refusal = isTooLarge ? pictureRefusals.picture_too_large : pictureRefusals.picture_damaged
    throw Object.assign(new Refusal(refusal), { cause: error })
  }
}
