import type { HtmlToTextOptions } from 'html-to-text'
import type { StudioFacts } from '#facts/contract.ts'
import type { MailJob, MailName } from '../mail.ts'
import type { TokenOf } from './link-tokens.ts'
import type { Attachment, Site } from './templates/layout.ts'

/** A mail ready to be sent. `to` is the bare address. */
export type RenderedMail = {
  to: string
  /** Where answers go. */
  replyTo: string
  subject: string
  html: string
  text: string
  attachments: Attachment[]
  /** An address that ends mails like this one by a POST (RFC 8058). */
  unsubscribe?: string
}

/** XHTML, for programs that lay out anything newer in their own way. */
const DOCTYPE =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">'

/** Headings as written, each cell on a line of its own, and an address or a phone number once. */
const AS_TEXT: HtmlToTextOptions = {
  wordwrap: false,
  selectors: [
    { selector: '[data-skip-in-text=true]', format: 'skip' },
    { selector: 'a', options: { linkBrackets: false, hideLinkHrefIfSameAsText: true } },
    { selector: 'td', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'h1', options: { uppercase: false } },
    { selector: 'h2', options: { uppercase: false } },
    { selector: 'a[href^="tel:"]', format: 'anchor', options: { ignoreHref: true } },
  ],
}

/**
 * Writes a mail: HTML in the studio's look, the same as plain text, and what is attached.
 *
 * @param appUrl where links lead, without a trailing slash
 * @param options.facts what the studio says of itself now
 * @param options.isOvertaken something has changed since it was queued, and the mail says so
 */
export async function renderMail(
  job: MailJob,
  appUrl: string,
  { facts, tokenOf, isOvertaken = false }: { facts: StudioFacts; tokenOf: TokenOf; isOvertaken?: boolean },
): Promise<RenderedMail> {
  // A start need not wait for them.
  const [{ renderToStaticMarkup }, { convert }, { layout, overtakenNote }, { templates }] = await Promise.all([
    import('react-dom/server'),
    import('html-to-text'),
    import('./templates/layout.ts'),
    import('./templates/templates.ts'),
  ])
  const site: Site = Object.assign((path: string) => `${appUrl}${path}`, { facts })
  const write = <M extends MailName>({ mail, data }: MailJob<M>) => templates[mail](data, site, tokenOf)
  const mail = write(job)
  // A package's name may hold a line break, a header may not.
  const subject = mail.subject.replace(/\s+/g, ' ')
  // Its class may be at another hour by now, or at none.
  const now = isOvertaken ? { body: [overtakenNote(site), ...mail.body], hour: undefined } : {}
  const html = DOCTYPE + renderToStaticMarkup(layout({ ...mail, subject, ...now }, site))
  const text = convert(html, AS_TEXT)
  const { attachments = [], unsubscribe } = mail
  return {
    to: job.data.to.email,
    replyTo: facts.email,
    subject,
    html,
    text,
    attachments,
    ...(unsubscribe && { unsubscribe }),
  }
}
