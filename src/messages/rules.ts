import { studioDate, studioTime } from '#foundation/instants.ts'
import { studio } from '#studio.ts'
import type { MailJob, MailName } from './mail.ts'

/** A confirmation link works for this many days; then the unconfirmed address is deleted. Our choice. */
export const CONFIRM_WITHIN_DAYS = 7

/** Unconfirmed requests made at or before this instant have expired. */
export function confirmationCutoff(now: Temporal.Instant): Temporal.Instant {
  return now.subtract({ hours: CONFIRM_WITHIN_DAYS * 24 })
}

/** Undelivered mail given up at or before this instant is deleted. */
export function undeliveredCutoff(now: Temporal.Instant): Temporal.Instant {
  return now.subtract({ hours: studio.policies.retention.undeliveredDays * 24 })
}

/** SMTP's code, the command it answered, and the server's words, as far as they are known. */
export type SmtpResponse = { code?: number | undefined; command?: string | undefined; response?: string | undefined }

/**
 * What a mail server refuses permanently: the address, or this mail. Null when retrying may help: the server is busy
 * (4xx), or the fault is in the studio's own settings (login, sender, relaying and other policy, 5.7.x).
 */
export function permanentRefusal({ code = 0, command, response = '' }: SmtpResponse): 'address' | 'mail' | null {
  if (code < 500 || code > 599 || /\b5\.7\.\d/.test(response)) return null
  if (command === 'RCPT TO') return 'address'
  return command === 'DATA' ? 'mail' : null
}

/** Even a permanent refusal may be a mistake, so such an email is tried three times. Our choice. */
const TRIES_WHEN_REFUSED = 3

/** Whether to stop retrying a mail. */
export function isGivenUp(refused: ReturnType<typeof permanentRefusal>, attempt: { tries: number; isLast: boolean }) {
  return attempt.isLast || (refused !== null && attempt.tries >= TRIES_WHEN_REFUSED)
}

/** Part of a line; with `href`, a link. */
export type Piece = { text: string; href?: string }
/** Without the punctuation that ends the sentence around it. */
const ADDRESS = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}]/g

/** Splits plain text into paragraphs (separated by blank lines), lines and parts; web addresses become links. */
export function parseParagraphs(text: string): Piece[][][] {
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

const BOUND_TO_ADDRESS = new Set<MailName>([
  'verify-email',
  'set-password',
  'invitation',
  'confirm-new-email',
  'email-changed',
  'email-change-undone',
  'newsletter-confirm',
  'unsubscribe-link',
  'companion-invited',
])
/** Whether a mail proves who owns its address, by a link that signs in or confirms, so it must go to no other. */
export const isBoundToAddress = (mail: MailName) => BOUND_TO_ADDRESS.has(mail)

/**
 * Messages that are of no use once their class has started: neither by email nor on the phone, because they offer or
 * remind; or only on the phone, as the owner would ring about what is over.
 */
const UNTIL_CLASS: Partial<Record<MailName, 'email' | 'call'>> = {
  'class-reminder': 'email',
  'companion-invited': 'email',
  'place-free': 'email',
  'place-offered': 'email',
  'awaited-class-cancelled': 'call',
  'awaited-class-moved': 'call',
  'booking-cancelled': 'call',
  'booking-confirmed': 'call',
  'booking-rescheduled': 'call',
  'class-cancelled': 'call',
  'class-moved': 'call',
  'place-from-waiting-list': 'call',
  'skipped-on-waiting-list': 'call',
  'teacher-changed': 'call',
}

/** Whether a message is of no use any more, because its class has started. */
export function isPastItsClass({ mail, data }: MailJob, channel: 'email' | 'call', now: Temporal.Instant): boolean {
  const until = UNTIL_CLASS[mail]
  if (!until || (until === 'call' && channel === 'email')) return false
  const about = 'class' in data ? [data.class] : []
  const all = 'taught' in data ? data.taught : about
  const hasStarted = ({ startsAt }: { startsAt: string }) =>
    Temporal.Instant.compare(Temporal.Instant.from(startsAt), now) <= 0
  return all.length > 0 && all.every(hasStarted)
}

/** What reaches members at once, beside an email. */
export const TEXT_KINDS = ['class_moved', 'class_cancelled', 'place_offered', 'hold_ending'] as const
export const ALERT_KINDS = [...TEXT_KINDS, 'teacher_changed', 'class_reminder'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]
/** Every alert is a notification on the phone; texts cost money, so they are for what cannot wait. */
export const isText = (kind: AlertKind): kind is (typeof TEXT_KINDS)[number] => TEXT_KINDS.some((text) => text === kind)

/**
 * `unknown`: the provider's answer was lost; `left_out`: no mobile number, switched off, or by the time it
 * was due too late or no longer true; `over_limit`: the month's texts were used up.
 */
export const TEXT_STATES = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'failed',
  'unknown',
  'left_out',
  'over_limit',
] as const

/** `startsAt`: the class's start, the earlier one if it moved. */
export type AlertTimes = { kind: AlertKind; startsAt: Temporal.Instant; uselessAfter: Temporal.Instant }

/**
 * When to send an alert: now, in the morning, or undefined for never. Moved and cancelled classes and another teacher
 * only within 48 hours of the start, and at night only within 6. Source: docs/studio-rules.md#text-messages
 */
export function alertAt(
  { kind, startsAt, uselessAfter }: AlertTimes,
  now: Temporal.Instant,
): Temporal.Instant | undefined {
  const { withinHours, atNightWithinHours } = studio.policies.texts
  const isOfClass = kind === 'class_moved' || kind === 'class_cancelled' || kind === 'teacher_changed'
  const hoursLeft = now.until(startsAt).total('hours')
  if (isOfClass && hoursLeft > withinHours) return undefined
  const at = isOfClass && hoursLeft <= atNightWithinHours ? now : notAtNight(now)
  return Temporal.Instant.compare(at, uselessAfter) < 0 ? at : undefined
}

/** The instant, or if it is in quiet hours, their end. */
function notAtNight(now: Temporal.Instant): Temporal.Instant {
  const { from, until } = studio.policies.quietHours
  const time = studioTime(now)
  if (time >= until && time < from) return now
  const day = time < until ? studioDate(now) : studioDate(now).add({ days: 1 })
  return day.toZonedDateTime({ timeZone: studio.timeZone, plainTime: until }).toInstant()
}
