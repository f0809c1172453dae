import type { MailFacts } from '#facts/rules.ts'
import type { MailJob, MailName } from '../mail.ts'
import type { TokenOf } from './link-tokens.ts'
import type { Attachment, Site } from './templates/layout.ts'

/** A mail ready to be sent. `to` is the bare address. */
export type RenderedMail = {
  to: string
  /** The sender's name; null before the owner has confirmed the studio's. */
  fromName: string | null
  replyTo: string | null
  subject: string
  html: string
  text: string
  attachments: Attachment[]
  /** A link that unsubscribes with a POST (RFC 8058). */
  unsubscribe?: string
}

/** Some mail programs lay out newer document types in their own way. */
const DOCTYPE =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">'

/** Loaded with the first mail, so that the server starts faster. */
async function loadRenderer() {
  const [{ renderToStaticMarkup }, elements, { plainText }, { templates }] = await Promise.all([
    import('react-dom/server'),
    import('./templates/layout.ts'),
    import('./templates/plain-text.ts'),
    import('./templates/templates.ts'),
  ])
  return { renderToStaticMarkup, plainText, ...elements, templates }
}
let loading: ReturnType<typeof loadRenderer> | undefined
function renderer() {
  loading ??= loadRenderer().catch((error) => {
    loading = undefined // so that the next mail tries again
    throw error
  })
  return loading
}

const greetingOf = ({ firstName }: { firstName: string }) => (firstName ? `Hello ${firstName},` : 'Hello,')

/**
 * Renders a mail as HTML and as plain text, with its attachments.
 *
 * @param appUrl the base of links, without a trailing slash
 * @param options.isOutdated something has changed since the mail was queued; the mail mentions it first
 */
export async function renderMail(
  job: MailJob,
  appUrl: string,
  { facts, tokenOf, isOutdated = false }: { facts: MailFacts; tokenOf: TokenOf; isOutdated?: boolean },
): Promise<RenderedMail> {
  const { renderToStaticMarkup, plainText, layout, outdatedNote, templates } = await renderer()
  const site: Site = Object.assign((path: string) => `${appUrl}${path}`, { facts })
  const write = <M extends MailName>({ mail, data }: MailJob<M>) => templates[mail](data, site, tokenOf)
  const mail = write(job)
  const { to } = job.data
  const { greeting = 'firstName' in to ? greetingOf(to) : null, attachments = [], unsubscribe } = mail
  // A package's name may contain a line break, a header may not.
  const subject = mail.subject.replace(/\s+/g, ' ')
  const body = [isOutdated && outdatedNote(site), greeting, ...mail.body]
  // The class may have moved to another hour.
  const hour = isOutdated ? undefined : mail.hour
  const page = layout({ ...mail, subject, body, hour }, site)
  return {
    to: to.email,
    fromName: facts.email === null ? null : facts.name,
    replyTo: facts.email,
    subject,
    html: DOCTYPE + renderToStaticMarkup(page),
    text: plainText(page),
    attachments,
    unsubscribe,
  }
}

/** What to say on the phone instead of a mail: its subject and its gist, without links. */
export async function spokenMail(job: MailJob, facts: MailFacts): Promise<{ subject: string; gist: string }> {
  const { templates } = await renderer()
  const site: Site = Object.assign((path: string) => path, { facts })
  const write = <M extends MailName>({ mail, data }: MailJob<M>) => templates[mail](data, site, () => '')
  const { subject, preview, spoken = preview } = write(job)
  return { subject, gist: spoken }
}
