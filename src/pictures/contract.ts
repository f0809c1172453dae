import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { refusals } from '#foundation/refusal.ts'
import { MAX_BYTES, PLACES, UPLOADS } from './rules.ts'

export const pictureRefusals = refusals({
  picture_format_refused: [400, 'Please choose a picture in JPEG, PNG, WebP or AVIF format.'],
  picture_is_heic: [
    400,
    'This picture is in HEIC format, which browsers cannot show. Phones can send JPEG instead: choose the picture from Photos on the phone, or set Settings, Camera, Formats to Most Compatible.',
  ],
  picture_too_large: [413, 'This picture is too large. Please choose one of at most 15 MB and 50 megapixels.'],
  picture_too_small: [400, 'This picture is too small. Please choose one that is at least 320 pixels wide.'],
  picture_damaged: [400, 'This picture is damaged or incomplete. Please choose another copy of it.'],
  picture_not_found: [404, 'This picture is no longer here. Please upload it again.'],
})

export const PlaceName = z.enum(PLACES, 'Choose a place for the picture')

const Pixels = z.int().min(1)
const SizeAndWidths = z.object({ width: Pixels, height: Pixels, widths: z.array(Pixels) })

/** Served at `/pictures/{id}/wide/{width}.webp`, or `narrow` for phones; an email's at `…/email/picture.jpg`. */
export const UploadedPicture = SizeAndWidths.extend({
  id: z.string(),
  narrow: SizeAndWidths.optional(),
}).meta({ id: 'UploadedPicture' })
export type UploadedPicture = z.output<typeof UploadedPicture>

export const uploadPicture = endpoint('POST /api/admin/pictures', {
  summary:
    'Upload a picture for a place of the site, or for an email; the body is the file. Pages show it once the studio’s facts name its id',
  query: z.object({ place: z.enum(UPLOADS, 'Choose a place for the picture') }),
  upload: { maxBytes: MAX_BYTES, tooLarge: pictureRefusals.picture_too_large },
  response: UploadedPicture,
  status: 201,
  repeats: true,
  refusals: [
    pictureRefusals.picture_format_refused,
    pictureRefusals.picture_is_heic,
    pictureRefusals.picture_too_large,
    pictureRefusals.picture_too_small,
    pictureRefusals.picture_damaged,
  ],
})
