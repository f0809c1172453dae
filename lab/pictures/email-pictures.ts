import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { HOURS, type HourOfRoom } from '#content/hour-of-room.ts'

/** The part of a master (1920 x 1008) that changes with the hour. */
const STRIP = { left: 160, top: 124, width: 1600, height: 400 }
const MASTERS: Record<HourOfRoom, string> = {
  early: 'hero-early',
  morning: 'hero',
  noon: 'hero-noon',
  evening: 'hero-evening',
}

/**
 * Makes the strip at the top of an email for each hour, at twice its size. JPEG works in every mail program. Names
 * never change, because emails are read for years.
 */
export async function makeEmailPictures(project: string): Promise<void> {
  const folder = join(project, 'public/email-pictures')
  await mkdir(folder, { recursive: true })
  for (const hour of HOURS) {
    const strip = sharp(join(project, 'assets/pictures/masters', `${MASTERS[hour]}.webp`))
      .extract(STRIP)
      .resize(1200, 300)
    await writeFile(join(folder, `room-${hour}.jpg`), await strip.jpeg({ quality: 84, mozjpeg: true }).toBuffer())
  }
}
