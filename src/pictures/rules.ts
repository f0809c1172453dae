import { keysOf } from '#foundation/collections.ts'

/** Width to height. */
type Shape = readonly [width: number, height: number]
type Crop = { shape: Shape; maxWidth: number }

/**
 * The places of the site where the owner can show her own picture: the shape that it is cropped to, like our picture
 * there, and the largest width in pixels. `narrow` is another crop, for phones.
 */
const CROPS = {
  hero: { shape: [40, 21], maxWidth: 1600, narrow: { shape: [1000, 1288], maxWidth: 960 } },
  closeUp: { shape: [16, 9], maxWidth: 1600 },
  oneOnOne: { shape: [4, 3], maxWidth: 1280 },
  duo: { shape: [4, 3], maxWidth: 1280 },
  portrait: { shape: [4, 5], maxWidth: 960 },
  gallery1: { shape: [828, 1000], maxWidth: 960 },
  gallery2: { shape: [1000, 738], maxWidth: 960 },
  gallery3: { shape: [800, 853], maxWidth: 960 },
  gallery4: { shape: [960, 1224], maxWidth: 960 },
  gallery5: { shape: [1000, 738], maxWidth: 960 },
  gallery6: { shape: [1600, 560], maxWidth: 1600 },
  gallery7: { shape: [900, 960], maxWidth: 960 },
  closing: { shape: [1600, 761], maxWidth: 1600, narrow: { shape: [476, 761], maxWidth: 640 } },
} as const satisfies Record<string, Crop & { narrow?: Crop }>

export type Place = keyof typeof CROPS
/** In the order of the settings. */
export const PLACES = keysOf(CROPS)

/** What a picture can be uploaded for. An email is an email to many people. */
export const UPLOADS = [...PLACES, 'email'] as const
export type Upload = (typeof UPLOADS)[number]

export const cropsOf = (place: Place): Crop & { narrow?: Crop } => CROPS[place]

/** The widths that files are made in, in pixels. */
const WIDTHS = [320, 480, 640, 800, 960, 1280, 1600]

/** Limits of an uploaded file. Our choice. */
export const MAX_BYTES = 15 * 1024 * 1024
/** Of what is decoded. A camera said to have 50 megapixels makes up to 51.2 million. */
export const MAX_PIXELS = 52_000_000
/** The cropped picture must be at least this wide, or it would look blurred everywhere. */
export const MIN_WIDTH = 320

export type Size = { width: number; height: number }
/** A crop's largest size, and the widths it exists in: ascending, the last is `width`. */
export type SizeAndWidths = Size & { widths: number[] }

/** The size and widths of a crop of a picture, which is never enlarged. */
export function sizesOf({ shape: [across, down], maxWidth }: Crop, { width, height }: Size): SizeAndWidths {
  const widest = Math.min(maxWidth, width, Math.floor((height * across) / down))
  return {
    width: widest,
    height: Math.max(1, Math.min(height, Math.round((widest * down) / across))),
    widths: [...WIDTHS.filter((each) => each < widest), widest],
  }
}

/**
 * How many pixels of a JPEG are decoded for a crop: it can be read at a half, a quarter or an eighth of its size, but
 * not if it is progressive.
 */
export function decodedPixels(picture: Size, crop: Size): number {
  const scale = Math.min(picture.width / crop.width, picture.height / crop.height)
  const step = [8, 4, 2].find((each) => each <= scale) ?? 1
  return (picture.width * picture.height) / step ** 2
}

/** An email's column is 510 pixels wide; good screens have twice as many. */
const LETTER = { width: 1020, height: 1360 }
export const MAX_EMAIL_PICTURES = 5

/** The size of a picture in an email: whole, and never enlarged. */
export function emailSizeOf({ width, height }: Size): Size {
  const scale = Math.min(1, LETTER.width / width, LETTER.height / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** The public address of an email's picture, without the site's origin. */
export const emailPicturePath = (id: string) => `/pictures/${id}/email/picture.jpg`

type Format = 'jpeg' | 'png' | 'webp' | 'avif'

const ACCEPTED = new Set(['avif', 'avis'])
/** HEIF, in which phones store HEIC. AVIF names some of them too. */
const OF_PHONES = new Set([
  'heic',
  'heix',
  'heim',
  'heis',
  'hevc',
  'hevx',
  'hevm',
  'hevs',
  'heif',
  'mif1',
  'mif2',
  'msf1',
])

/** The format of a file by its first bytes, whatever its name; undefined if it is none that is accepted. */
export function formatOf(file: Uint8Array): Format | 'heic' | undefined {
  const text = (from: number, to: number) => String.fromCharCode(...file.subarray(from, to))
  if (text(0, 3) === '\xff\xd8\xff') return 'jpeg'
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp'
  if (text(4, 8) !== 'ftyp') return undefined
  // ISO base media: the brand, then those it is compatible with.
  const brands = [text(8, 12), ...(text(16, 64).match(/.{4}/gs) ?? [])]
  if (brands.some((brand) => ACCEPTED.has(brand))) return 'avif'
  return brands.some((brand) => OF_PHONES.has(brand)) ? 'heic' : undefined
}
