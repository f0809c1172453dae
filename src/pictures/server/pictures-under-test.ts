import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import type { Person } from '#testing/person.ts'
import { uploadPicture } from '../contract.ts'
import type { Upload } from '../rules.ts'

type Wish = { width?: number; height?: number; colour?: string; orientation?: number }

/** A photo as a phone takes it: a plain colour with a place and a device in its EXIF. */
export function photo({ width = 1800, height = 1200, colour = '#b8a78e', orientation = 1 }: Wish = {}): Sharp {
  return sharp({ create: { width, height, channels: 3, background: colour } }).withMetadata({
    orientation,
    exif: {
      IFD0: { Model: 'Telephone 12' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '53/1 59/1 31/1', GPSLongitudeRef: 'W', GPSLongitude: '1/1 32/1 28/1' },
    },
  })
}

export const jpeg = (wish?: Wish): Promise<Buffer> => photo(wish).jpeg().toBuffer()

/** A PNG of one bit a pixel: a few kilobytes, whatever its size. With fewer `rows` than its height it is cut short. */
export function blackPng(width: number, height: number, rows = height): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(rows * (1 + Math.ceil(width / 8))))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

export const upload = (who: Person, place: Upload, file: Buffer) => who.call(uploadPicture, { query: { place }, file })

/** A file of the site as a browser gets it. */
export async function fetchFile(origin: string, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(origin + path, { headers })
  return { status: response.status, headers: response.headers, content: Buffer.from(await response.arrayBuffer()) }
}
