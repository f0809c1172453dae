import type { Sharp } from 'sharp'
import { Refusal, refuse } from '#foundation/refusal.ts'
import { pictureRefusals } from '../contract.ts'
import {
  cropsOf,
  decodedPixels,
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
/** The most pixels of a JPEG, whatever is decoded of it. Our choice. */
const MAX_JPEG_PIXELS = 16_384 ** 2

/** Tried in turn until a file weighs about as much as one of the site's own pictures. */
const QUALITIES = [82, 72, 62, 52, 42]
const lightBytes = (pixels: number) => 6000 + 0.045 * pixels

/**
 * Makes the files of a picture for a place: upright, cropped around what draws the eye, no metadata, as WebP. For an
 * email it is whole, as JPEG. The file's header is checked first, so that a decompression bomb is never decompressed.
 *
 * @throws a refusal when the file is no picture that is accepted
 */
export async function makePicture(place: Upload, file: Buffer): Promise<MadePicture> {
  const format = formatOf(file)
  if (format === 'heic') refuse(pictureRefusals.picture_is_heic)
  if (!format) refuse(pictureRefusals.picture_format_refused)
  try {
    return await makeFiles(place, file, format)
  } catch (error) {
    const isDamaged = error instanceof Refusal && error.code === 'picture_damaged'
    if (!isDamaged || format !== 'jpeg' || !(await lacksOnlyItsEnd(file))) throw error
    return await makeFiles(place, Buffer.concat([file, END_OF_JPEG]), format)
  }
}

/** Loaded when it is first needed: it is a large library. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

const OPTIONS = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const
const JPEG_OPTIONS = { ...OPTIONS, limitInputPixels: MAX_JPEG_PIXELS }
const LIMIT = { seconds: MAX_SECONDS }
/** Rows that a JPEG stores together, at most. */
const BLOCK = 16
const END_OF_JPEG = Buffer.from([0xff, 0xd9])

/**
 * Whether so little is missing at the end of a JPEG that browsers show all of it: the end of the finest scan of a
 * progressive one, otherwise less than a fiftieth of its rows or its last blocks.
 */
async function lacksOnlyItsEnd(file: Buffer): Promise<boolean> {
  const sharp = await loadSharp()
  try {
    const { width, height, isProgressive } = await sharp(file, { ...JPEG_OPTIONS, failOn: 'none' }).metadata()
    if (isProgressive) return endsInFinestScan(file)
    const rows = Math.min(Math.floor(height * 0.98), Math.floor((height - 1) / BLOCK) * BLOCK - BLOCK)
    const most = { left: 0, top: 0, width, height: rows }
    await sharp(file, JPEG_OPTIONS).timeout(LIMIT).extract(most).resize(64).raw().toBuffer()
    return true
  } catch {
    return false
  }
}

/** Whether the last scan of a progressive JPEG goes up to the finest detail, by its header (ITU T.81, B.2.3). */
function endsInFinestScan(file: Buffer): boolean {
  const scan = file.lastIndexOf(Buffer.from([0xff, 0xda]))
  const spectral = scan + 5 + 2 * (file[scan + 4] ?? 0)
  const [, last, precision] = file.subarray(spectral, spectral + 3)
  return scan >= 0 && last === 63 && precision !== undefined && (precision & 15) === 0
}

async function makeFiles(place: Upload, file: Buffer, format: string): Promise<MadePicture> {
  const sharp = await loadSharp()
  const open = () => sharp(file, format === 'jpeg' ? JPEG_OPTIONS : OPTIONS).timeout(LIMIT)
  const header = await readable(open().metadata())
  const refuseLarge = (crop: Size) => {
    const isReadSmaller = format === 'jpeg' && !header.isProgressive
    const decoded = isReadSmaller ? decodedPixels(header.autoOrient, crop) : header.width * header.height
    if (decoded > MAX_PIXELS) refuse(pictureRefusals.picture_too_large)
  }
  if (header.format !== (format === 'avif' ? 'heif' : format)) refuse(pictureRefusals.picture_format_refused)

  const upright = header.autoOrient
  if (place === 'email') {
    const size = emailSizeOf(upright)
    if (size.width < MIN_WIDTH) refuse(pictureRefusals.picture_too_small)
    refuseLarge(size)
    const content = await readable(cropped(open(), size).jpeg({ quality: 78, mozjpeg: true }).toBuffer())
    const { width } = size
    return { sizes: { ...size, widths: [width] }, files: [{ crop: 'email', width, content }] }
  }
  const { narrow, ...wide } = cropsOf(place)
  const sizes = { ...sizesOf(wide, upright), ...(narrow && { narrow: sizesOf(narrow, upright) }) }
  if (sizes.width < MIN_WIDTH) refuse(pictureRefusals.picture_too_small)

  const files: MadeFile[] = []
  const crops = [['wide', sizes] as const, ...(sizes.narrow ? [['narrow', sizes.narrow] as const] : [])]
  for (const [, size] of crops) refuseLarge(size)
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
