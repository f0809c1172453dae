import { createElement, Fragment, type ReactNode } from 'react'
import { type HourOfRoom, hourOfRoom } from '#content/hour-of-room.ts'
import { formatDay, formatLongDate } from '#foundation/dates.ts'
import { studioDate, studioTime } from '#foundation/instants.ts'
import { studio } from '#studio.ts'
import type { MailedBooking, MailedClass, Mails } from '../../mail.ts'
import { type Fact, facts, keepOnOneLine, moment, place, type Site } from './layout.ts'

/** `Monday 7 December at 09:30`. */
export function dayAndTime({ date, startTime }: Pick<MailedClass, 'date' | 'startTime'>): string {
  return `${formatDay(date)} at ${startTime}`
}

/** An ISO 8601 instant at the studio: `09:30 on Monday 7 December`. */
export function momentOf(instant: string): string {
  const moment = Temporal.Instant.from(instant)
  return `${studioTime(moment)} on ${formatDay(studioDate(moment).toString())}`
}

/** From when on cancelling costs the credit: `09:30 on Monday 7 December`. */
export function lateFrom({ startsAt }: Pick<MailedClass, 'startsAt'>): string {
  const instant = Temporal.Instant.from(startsAt).subtract({ minutes: studio.policies.lateCancellationMinutes })
  return momentOf(instant.toString())
}

/** Until when cancelling brings the credit back, and to whom. `paidBy`: the member who paid, for a companion. */
export const creditBackBefore = (deadline: string, paidBy: string | undefined) =>
  `If you cancel before ${deadline}, ${paidBy ? `${paidBy} gets the` : 'you get your'} credit back.`

/** The cancellation terms shown in a confirmation. Empty once the class has started. */
export function cancellationNotice(
  booked: MailedBooking,
  ifCancelled: Mails['booking-confirmed']['ifCancelled'],
): string {
  if (ifCancelled === 'too_late') return ''
  if (ifCancelled === 'forfeited')
    return `The class starts within ${studio.policies.lateCancellationMinutes} minutes, so you will not get the credit back if you cancel. If you cannot come, please cancel on your dashboard so that someone else can take your place.`
  return `You can cancel or move the class on your dashboard. To get your credit back, cancel before ${lateFrom(booked)}. After that, you can still cancel until the class starts, but the credit is used and you can no longer move the class.`
}

/** The hour whose light the picture of the room shows. */
export function hourOf({ startsAt }: Pick<MailedClass, 'startsAt'>): HourOfRoom {
  return hourOfRoom(Date.parse(startsAt), studio.timeZone)
}

/** Which class, when, with whom and where; `before` is the class before the studio moved it. */
export function classFacts(
  mailed: MailedClass,
  site: Site,
  { before, more = [] }: { before?: MailedClass; more?: Fact[] } = {},
): ReactNode {
  return facts(
    ['Class', `${mailed.title} with ${mailed.instructorName}`],
    before ? ['Before', when(before)] : null,
    [before ? 'Now' : 'When', moment(when(mailed))],
    site.facts.address && ['Where', place(site.facts.address)],
    ...more,
  )
}

/** `Monday 7 December 2026, 09:30 to 10:15`; on a narrow screen, the time wraps as a whole. */
export function when({ date, startTime, endTime }: MailedClass): ReactNode {
  return createElement(
    Fragment,
    null,
    keepOnOneLine(`${formatLongDate(date)},`),
    ' ',
    keepOnOneLine(`${startTime} to ${endTime}`),
  )
}
