import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { errnoOf } from '#platform/operator-error.ts'
import type { RenderedMail } from './render-mail.ts'

/** The demo's mailbox: a JSON file per mail, named after its job, for its owner only, as links sign people in. */
const StoredMail = z.object({
  id: z.string(),
  /** When it arrived: ISO 8601. */
  at: z.string(),
  to: z.string(),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  attachments: z.array(
    z.object({
      filename: z.string(),
      content: z.string(),
      contentType: z.string(),
      encoding: z.literal('base64').optional(),
    }),
  ),
  unsubscribe: z.string().optional(),
})
export type StoredMail = z.output<typeof StoredMail>

const ID = /^[\w-]{1,100}$/

/** Saves a mail unless its job has saved one already. */
export async function saveToMailbox(dir: string, mail: RenderedMail, id: string, now: Temporal.Instant): Promise<void> {
  if (!ID.test(id)) throw new RangeError('a mail is saved under the id of its job')
  if (existsSync(join(dir, `${id}.json`))) return
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const { to, subject, html, text, attachments, unsubscribe } = mail
  const kept: StoredMail = { id, at: nextTimestamp(now), to, subject, html, text, attachments, unsubscribe }
  // Renamed when complete, so that no reader gets half an email.
  const unfinished = join(dir, `${randomUUID()}.unfinished`)
  await writeFile(unfinished, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
  await rename(unfinished, join(dir, `${id}.json`))
}

/** All mails, newest first. */
export async function readMailbox(dir: string): Promise<StoredMail[]> {
  const names = (await unlessMissing(readdir(dir))) ?? []
  const mails = await Promise.all(names.filter((name) => name.endsWith('.json')).map((name) => read(join(dir, name))))
  return mails.filter((mail) => mail !== undefined).sort((a, b) => Temporal.Instant.compare(b.at, a.at))
}

/** One mail, if it exists. */
export async function mailIn(dir: string, id: string): Promise<StoredMail | undefined> {
  return ID.test(id) ? await read(join(dir, `${id}.json`)) : undefined
}

let last: Temporal.Instant | undefined
/** `now`, or a microsecond after the previous mail, so that mails within one clock tick keep their order. */
function nextTimestamp(now: Temporal.Instant): string {
  const next = last?.add({ microseconds: 1 })
  const lead = next?.since(now).total('milliseconds') ?? 0
  // A larger lead means that the clock was set back.
  last = next && lead > 0 && lead < 100 ? next : now
  // A fixed number of digits, so that sorting the text sorts the time.
  return last.toString({ fractionalSecondDigits: 6 })
}

async function read(file: string): Promise<StoredMail | undefined> {
  const json = await unlessMissing(readFile(file, 'utf8'))
  return json === undefined ? undefined : StoredMail.parse(JSON.parse(json))
}

async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}
