import { randomUUID } from 'node:crypto'
import { access, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { errnoOf } from '#platform/plain-fault.ts'
import type { RenderedMail } from './render-mail.ts'

/**
 * The local mailbox takes the place of a mail server in demo mode: one JSON file per mail, named after its job,
 * readable by its owner only (mails hold links that sign people in).
 */
const KeptMail = z.object({
  id: z.string(),
  /** When it arrived: ISO 8601. */
  at: z.string(),
  to: z.string(),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  attachments: z.array(z.object({ filename: z.string(), content: z.string(), contentType: z.string() })),
  unsubscribe: z.string().optional(),
})
export type KeptMail = z.output<typeof KeptMail>

const ID = /^[\w-]{1,100}$/

/** Keeps a mail. One that is kept already stays as it is, so a repeated delivery changes nothing. */
export async function keepInMailbox(dir: string, mail: RenderedMail, id: string, now: Temporal.Instant): Promise<void> {
  if (!ID.test(id)) throw new RangeError('a mail is kept under the id of its job')
  const file = join(dir, `${id}.json`)
  if (await exists(file)) return
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const { to, subject, html, text, attachments, unsubscribe } = mail
  const kept: KeptMail = { id, at: later(now), to, subject, html, text, attachments, unsubscribe }
  // Written beside and moved, so that nobody reads half a mail.
  const unfinished = join(dir, `${randomUUID()}.unfinished`)
  await writeFile(unfinished, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
  await rename(unfinished, file)
}

/** What is in the mailbox, newest first. */
export async function mailsIn(dir: string): Promise<KeptMail[]> {
  const names = await filesOf(dir)
  const mails = await Promise.all(names.filter((name) => name.endsWith('.json')).map((name) => read(join(dir, name))))
  return mails.sort((a, b) => Temporal.Instant.compare(b.at, a.at))
}

/** One mail, if it is there. */
export async function mailIn(dir: string, id: string): Promise<KeptMail | undefined> {
  const file = join(dir, `${id}.json`)
  return ID.test(id) && (await exists(file)) ? await read(file) : undefined
}

let last: Temporal.Instant | undefined
/** `now`, or a microsecond after the mail before: what arrives within one tick of the clock keeps its order. */
function later(now: Temporal.Instant): string {
  const next = last?.add({ microseconds: 1 })
  const lead = next?.since(now).total('milliseconds') ?? 0
  // A clock that was put back by more than a moment is believed.
  last = next && lead > 0 && lead < 100 ? next : now
  // Always as many digits, so that sorting the text sorts the time.
  return last.toString({ fractionalSecondDigits: 6 })
}

async function read(file: string): Promise<KeptMail> {
  return KeptMail.parse(JSON.parse(await readFile(file, 'utf8')))
}

async function filesOf(dir: string): Promise<string[]> {
  try {
    return await readdir(dir)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  }
}

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  )
}
