import { formatDay, weekdayOf } from '#foundation/dates.ts'
import { timeOf } from '#foundation/instants.ts'
import type { MailedBooking, MailedClass } from './mail.ts'
import { alertAt } from './rules.ts'

/** What a member should know at once, beside an email: by text, or by a notification on the phone. */
export type Alert = { userId: string } & (
  | { kind: 'class_moved'; class: MailedBooking; from: MailedClass; movedAt: string }
  | { kind: 'class_cancelled' | 'class_reminder'; class: MailedBooking }
  | { kind: 'teacher_changed'; class: MailedBooking; changedAt: string }
  /** `until`: an instant, ISO 8601. */
  | { kind: 'place_offered'; classId: number; class: MailedClass; until: string }
  | { kind: 'hold_ending'; placeId: number; class: MailedClass; until: string }
)

/** What an alert is about. A newer one on the same topic replaces one that is still queued. */
export function topicOf(alert: Alert): string {
  switch (alert.kind) {
    case 'place_offered':
      return `${alert.kind}:${alert.classId}`
    case 'hold_ending':
      return `${alert.kind}:${alert.placeId}`
    default:
      return `${alert.kind}:${alert.class.bookingId}`
  }
}

/** The event, of which a member gets one message. */
export function eventOf(alert: Alert): string {
  if (alert.kind === 'class_moved') return `${topicOf(alert)}:${alert.movedAt}`
  if (alert.kind === 'teacher_changed') return `${topicOf(alert)}:${alert.changedAt}`
  return `${topicOf(alert)}:${'until' in alert ? alert.until : alert.class.startsAt}`
}

/**
 * When to send an alert, and from when on it is of no use: from the class's start (the earlier one if it moved), or
 * the end of the offer or hold. Undefined if it is not to be sent.
 */
export function timesOf(alert: Alert, now: Temporal.Instant) {
  const starts = [alert.class, ...(alert.kind === 'class_moved' ? [alert.from] : [])].map(({ startsAt }) => startsAt)
  const startsAt = Temporal.Instant.from(starts.sort()[0] ?? '')
  const uselessAfter = 'until' in alert ? Temporal.Instant.from(alert.until) : startsAt
  const sendAfter = alertAt({ kind: alert.kind, startsAt, uselessAfter }, now)
  return sendAfter && { sendAfter, uselessAfter }
}

const when = ({ date, startTime }: Pick<MailedClass, 'date' | 'startTime'>) => `${formatDay(date)}, ${startTime}`

/** The text message. Plain letters only, because any other halves the length of a text. */
export function textOf(alert: Alert, studioName: string): string {
  return plain(`${studioName}: ${sentenceOf(alert)}`)
}

function sentenceOf(alert: Alert): string {
  const { title } = alert.class
  switch (alert.kind) {
    case 'class_moved':
      return `${title} on ${when(alert.from)} moves to ${when(alert.class)}. If you can't make it, cancel free of charge. Details are in our email.`
    case 'class_cancelled':
      return `${title} on ${when(alert.class)} is cancelled, sorry. Details are in our email.`
    case 'teacher_changed':
      return `your class on ${when(alert.class)} has another teacher. Details are in our email.`
    case 'class_reminder':
      return `${title} on ${when(alert.class)} is your next class.`
    case 'place_offered':
      return `a place is free in ${title} on ${when(alert.class)}. It is yours until ${timeOf(alert.until)}: book with the link in our email.`
    case 'hold_ending':
      return `the place you are holding in ${title} on ${when(alert.class)} ends at ${timeOf(alert.until)} unless your companion accepts.`
  }
}

/**
 * The notification on the phone, and the page that it opens. Nothing about health, and no name of another person: they
 * are read on locked screens.
 */
export function noticeOf(alert: Alert, studioName: string): { title: string; body: string; path: string } {
  const { title, date } = alert.class
  const time = `${title}, ${when(alert.class)}`
  switch (alert.kind) {
    case 'class_moved':
      return {
        title: 'Your class has moved',
        body: `${title} on ${when(alert.from)} is now on ${when(alert.class)}.`,
        path: '/dashboard',
      }
    case 'class_cancelled':
      return { title: 'Your class is cancelled', body: `${time}. Sorry. Details are in our email.`, path: '/dashboard' }
    case 'teacher_changed':
      return {
        title: 'Another teacher',
        body: `Your class on ${weekdayOf(date)} at ${alert.class.startTime} has another teacher.`,
        path: '/dashboard',
      }
    case 'class_reminder':
      return { title: `Your next class at ${studioName}`, body: `${time}.`, path: '/dashboard' }
    case 'place_offered':
      return {
        title: 'A place is free',
        body: `${time}. It is yours until ${timeOf(alert.until)}.`,
        path: `/booking?date=${date}&class=${alert.classId}`,
      }
    case 'hold_ending':
      return {
        title: `The place that you hold ends at ${timeOf(alert.until)}`,
        body: `${time}. Your companion has not accepted yet.`,
        path: '/dashboard',
      }
  }
}

const plain = (text: string) => text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/[–—]/g, '-')
