import sharp from 'sharp'

export type Difference = {
  /** Share of different pixels, 0 to 1. */
  share: number
  /** The newer picture in grey with differences in red, as PNG. */
  picture: Buffer
}

/** Tolerated difference of a colour, of 255: fonts vary a little. */
const TOLERANCE = 16
const RED = [200, 30, 20] as const

/**
 * Compares two pictures from their upper left corner.
 *
 * @returns undefined if they are the same
 */
export async function differenceOf(before: Buffer, after: Buffer): Promise<Difference | undefined> {
  if (before.equals(after)) return undefined
  const [older, newer] = await Promise.all([pixelsOf(before), pixelsOf(after)])
  const width = Math.max(older.width, newer.width)
  const height = Math.max(older.height, newer.height)
  const shown = Buffer.alloc(width * height * 3)
  let different = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [a, b] = [indexIn(older, x, y), indexIn(newer, x, y)]
      const isSame = a !== undefined && b !== undefined && isAlike(older.data, a, newer.data, b)
      if (!isSame) different++
      const grey = b === undefined ? 255 : 190 + (newer.data[b + 1] ?? 0) / 4
      const place = (y * width + x) * 3
      for (let channel = 0; channel < 3; channel++) shown[place + channel] = isSame ? grey : (RED[channel] as number)
    }
  }
  if (different === 0) return undefined
  const picture = await sharp(shown, { raw: { width, height, channels: 3 } })
    .png({ palette: true, colours: 32 })
    .toBuffer()
  return { share: different / (width * height), picture }
}

type Pixels = { data: Buffer; width: number; height: number }

async function pixelsOf(picture: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(picture)
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

const indexIn = ({ width, height }: Pixels, x: number, y: number) =>
  x < width && y < height ? (y * width + x) * 3 : undefined

function isAlike(older: Buffer, a: number, newer: Buffer, b: number): boolean {
  for (let channel = 0; channel < 3; channel++)
    if (Math.abs((older[a + channel] ?? 0) - (newer[b + channel] ?? 0)) > TOLERANCE) return false
  return true
}
