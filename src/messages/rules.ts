import { studio } from '#studio.ts'
import type { MailName } from './mail.ts'

/** A link to confirm works this many days; an address that was not confirmed by then is forgotten. Ours. */
export const CONFIRM_WITHIN_DAYS = 7

/** Requests to confirm that were made at this instant or before are out of date. */
export function lastForgotten(now: Temporal.Instant): Temporal.Instant {
  return now.subtract({ hours: CONFIRM_WITHIN_DAYS * 24 })
}

/** A mail that a server refuses for good is tried so often before it is given up: a "no" may be a slip. Ours. */
const TRIES_WHEN_REFUSED = 3

/** What was given up at this instant or before is removed. */
export function lastKeptUndelivered(now: Temporal.Instant): Temporal.Instant {
  return now.subtract({ hours: studio.policies.retention.undeliveredDays * 24 })
}

/** What a mail server answered, as far as it is known: SMTP's code, the command it answered, and its words. */
export type SmtpAnswer = { code?: number | undefined; command?: string | undefined; response?: string | undefined }

/**
 * What a mail server refuses for good: the address, or this mail. Null when trying again may help: it is busy or away
 * (4xx), or the fault is the studio's (login, sender, relaying and other policy, 5.7.x), which concerns every mail.
 */
export function refusedForGood({ code = 0, command, response = '' }: SmtpAnswer): 'address' | 'mail' | null {
  if (code < 500 || code > 599 || /\b5\.7\.\d/.test(response)) return null
  if (command === 'RCPT TO') return 'address'
  return command === 'DATA' ? 'mail' : null
}

/** Whether a mail is not tried again by itself. */
export function isGivenUp(refused: ReturnType<typeof refusedForGood>, attempt: { tries: number; isLast: boolean }) {
  return attempt.isLast || (refused !== null && attempt.tries >= TRIES_WHEN_REFUSED)
}

/** A stretch of a line; `href`: it is an address. */
export type Piece = { text: string; href?: string }
/** Without the full stop or bracket that ends the sentence it stands in. */
const ADDRESS = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}]/g

/** A plain text as mails show it: paragraphs (a blank line between them) of lines of stretches, in which addresses are links. */
export function paragraphsOf(text: string): Piece[][][] {
  const paragraphs = text
    .replace(/\r\n?/g, '\n')
    .split(/\n[^\S\n]*\n\s*/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
  return paragraphs.map((paragraph) => paragraph.split('\n').map((line) => piecesOf(line.trim())))
}

function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const { 0: href, index } of line.matchAll(ADDRESS)) {
    if (index > end) pieces.push({ text: line.slice(end, index) })
    pieces.push({ text: href, href })
    end = index + href.length
  }
  if (end < line.length || pieces.length === 0) pieces.push({ text: line.slice(end) })
  return pieces
}

/** Whether a mail proves who has its address (a link that signs in, or confirms), so that it never goes to another. */
export function diesWithItsAddress(mail: MailName): boolean {
  return [
    'verify-email',
    'set-password',
    'invitation',
    'email-changed',
    'email-change-undone',
    'newsletter-confirm',
    'unsubscribe-link',
  ].includes(mail)
}
