const FORMATS = ['image/jpeg', 'image/png', 'image/webp', 'image/avif']
/** What a file input offers. A phone that has only HEIC converts it. */
export const ACCEPTED_FORMATS = FORMATS.join(',')

/** Smaller files are sent as they are. */
const LIGHT_BYTES = 1_500_000
/** No place shows more, on either side. */
const LONGEST_SIDE = 2560

/**
 * A copy of a large photo that is quick to send over a phone's connection: at most 2,560 pixels, as JPEG. A file that
 * the browser cannot read is returned as it is, for the server to refuse.
 */
export async function shrinkPicture(file: File): Promise<Blob> {
  if (file.size <= LIGHT_BYTES || !FORMATS.includes(file.type)) return file
  const picture = await createImageBitmap(file).catch(() => undefined)
  if (!picture) return file
  const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round(picture.height * scale)
  const drawing = canvas.getContext('2d')
  if (!drawing) return file
  drawing.fillStyle = '#fff'
  drawing.fillRect(0, 0, canvas.width, canvas.height)
  drawing.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  const copy = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.92))
  return copy && copy.size < file.size ? copy : file
}
