// What other server code may call of this part.

import { createHash } from 'node:crypto'
import { and, eq, inArray, lt, notInArray } from 'drizzle-orm'
import { recordAdminChange } from '#audit/server/audit.ts'
import { refuse } from '#foundation/refusal.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { pictureRefusals, type UploadedPicture } from '../contract.ts'
import type { Upload } from '../rules.ts'
import { pictureFiles, pictures } from '../tables.ts'
import type { MadePicture } from './make-picture.ts'

/** How long an uploaded picture is kept that no page shows. Our choice. */
const UNUSED_DAYS = 30

/** The id of a picture: the same file for the same place is the same picture. */
export const pictureIdOf = (place: Upload, file: Buffer) =>
  createHash('sha256').update(`${place}:`).update(file).digest('hex').slice(0, 32)

/** Finds a picture that was uploaded before, and counts as its upload. */
export async function findUploaded(tx: Tx, id: string, now: Temporal.Instant): Promise<UploadedPicture | undefined> {
  const [found] = await tx.update(pictures).set({ uploadedAt: now }).where(eq(pictures.id, id)).returning()
  return found && { id, ...found.sizes }
}

/** Stores an uploaded picture; one that a concurrent request has stored already stays. */
export async function storePicture(
  tx: Tx,
  admin: { id: string },
  { id, place, sizes, files }: MadePicture & { id: string; place: Upload },
  now: Temporal.Instant,
): Promise<UploadedPicture> {
  const stored = await tx
    .insert(pictures)
    .values({ id, place, sizes, uploadedAt: now })
    .onConflictDoNothing()
    .returning({ id: pictures.id })
  if (stored.length > 0) {
    await tx.insert(pictureFiles).values(files.map((file) => ({ pictureId: id, ...file })))
    await recordAdminChange(tx, admin, { action: 'picture_uploaded', subject: { kind: 'studio', id: 'facts' } }, now)
  }
  return { id, ...sizes }
}

/** Uploaded pictures by id, with their places; locked, so that they are not tidied up in the meantime. */
export async function picturesForShare(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, UploadedPicture & { place: Upload }>> {
  if (ids.length === 0) return new Map()
  const found = await tx
    .select()
    .from(pictures)
    .where(inArray(pictures.id, [...ids]))
    .orderBy(pictures.id)
    .for('share')
  return new Map(found.map(({ id, place, sizes }) => [id, { id, place, ...sizes }]))
}

type EmailPicture = { id: string; alt: string; width: number; height: number }

const isOfEmail = (given: readonly { id: string }[]) =>
  and(
    eq(pictures.place, 'email'),
    inArray(
      pictures.id,
      given.map(({ id }) => id),
    ),
  )

/** The pictures of an email with their sizes, in the given order. Refuses one that is not there. */
export async function picturesOfEmail(
  reader: Reader,
  given: readonly { id: string; alt: string }[],
): Promise<EmailPicture[]> {
  if (given.length === 0) return []
  const found = await reader.select().from(pictures).where(isOfEmail(given))
  return given.map(({ id, alt }) => {
    const { sizes } = found.find((picture) => picture.id === id) ?? refuse(pictureRefusals.picture_not_found)
    return { id, alt: alt.trim(), width: sizes.width, height: sizes.height }
  })
}

/** Keeps the pictures of an email for good, because people read old emails. */
export async function keepPicturesOfEmail(tx: Tx, given: readonly { id: string }[]): Promise<void> {
  if (given.length > 0) await tx.update(pictures).set({ inEmail: true }).where(isOfEmail(given))
}

/** A file of a picture. An email's picture has one. */
export async function readPictureFile(
  reader: Reader,
  file: { id: string; crop: 'wide' | 'narrow'; width: number } | { id: string; crop: 'email' },
): Promise<Buffer | undefined> {
  const [found] = await reader
    .select({ content: pictureFiles.content })
    .from(pictureFiles)
    .where(
      and(
        eq(pictureFiles.pictureId, file.id),
        eq(pictureFiles.crop, file.crop),
        file.crop === 'email' ? undefined : eq(pictureFiles.width, file.width),
      ),
    )
  return found?.content
}

/** A picture, cropped to a size, as JPEG, because a PDF cannot hold WebP. Undefined if it is gone. */
export async function pictureForPaper(
  reader: Reader,
  { id, widths }: Pick<UploadedPicture, 'id' | 'widths'>,
  { width, height }: { width: number; height: number },
): Promise<Buffer | undefined> {
  const wideEnough = widths.find((each) => each >= width) ?? widths.at(-1)
  const file = wideEnough && (await readPictureFile(reader, { id, crop: 'wide', width: wideEnough }))
  if (!file) return undefined
  const { default: sharp } = await import('sharp')
  return await sharp(file).resize(width, height, { position: 'attention' }).jpeg({ quality: 85 }).toBuffer()
}

/**
 * Deletes pictures uploaded {@link UNUSED_DAYS} ago that have not been in use since. Those of sent letters stay.
 *
 * @param findUsed the ids in use, read after the others are locked: an edit that uses one of them has ended by then
 */
export async function deleteUnusedPictures(
  tx: Tx,
  findUsed: (since: Temporal.Instant) => Promise<readonly string[]>,
  now: Temporal.Instant,
): Promise<void> {
  const since = now.subtract({ hours: UNUSED_DAYS * 24 })
  const locked = await tx
    .select({ id: pictures.id })
    .from(pictures)
    .where(and(lt(pictures.uploadedAt, since), eq(pictures.inEmail, false)))
    .orderBy(pictures.id)
    .for('update')
  if (locked.length === 0) return
  const ids = locked.map(({ id }) => id)
  await tx.delete(pictures).where(and(inArray(pictures.id, ids), notInArray(pictures.id, [...(await findUsed(since))])))
}
