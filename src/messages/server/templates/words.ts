import { createElement, Fragment, type ReactNode } from 'react'
import { type HourOfRoom, hourOfRoom } from '#content/hour-of-room.ts'
import { formatDay, formatLongDate } from '#foundation/dates.ts'
import { studioDate, studioTime } from '#foundation/instants.ts'
import { carriesLink } from '#foundation/person-names.ts'
import { studio } from '#studio.ts'
import type { MailedBooking, MailedClass, Mails } from '../../mail.ts'
import { type Fact, facts, moment, place, type Site, together } from './layout.ts'

/** `Monday 7 December at 09:30`. */
export function dayAndTime(mailed: Pick<MailedClass, 'date' | 'startTime'>): string {
  return `${formatDay(mailed.date)} at ${mailed.startTime}`
}

/** `09:30 on Monday 7 December`, at the studio, of an instant in ISO 8601. */
export function momentOf(instant: string): string {
  const moment = Temporal.Instant.from(instant)
  return `${studioTime(moment)} on ${formatDay(studioDate(moment).toString())}`
}

/** From when on cancelling costs the credit: `09:30 on Monday 7 December`. */
export function lateFrom(mailed: Pick<MailedClass, 'startsAt'>): string {
  const instant = Temporal.Instant.from(mailed.startsAt).subtract({ minutes: studio.policies.lateCancellationMinutes })
  return momentOf(instant.toString())
}

/** What leaving the class costs, for who has just taken a place in it; nothing can be left that has begun. */
export function wayOut(mailed: MailedBooking, ifCancelled: Mails['booking-confirmed']['ifCancelled']): string {
  if (ifCancelled === 'too_late') return ''
  if (ifCancelled === 'forfeited')
    return `The class starts within ${studio.policies.lateCancellationMinutes} minutes, so its credit is used even if you cancel. If you cannot come after all, please cancel on your dashboard, so that somebody else can.`
  return `On your dashboard you can cancel or move the class. Before ${lateFrom(mailed)} your credit comes back. From then on it is used, and you can cancel until the class starts, but no longer move it.`
}

/** In which light the room stands when it starts. */
export function hourOf(mailed: Pick<MailedClass, 'startsAt'>): HourOfRoom {
  return hourOfRoom(Date.parse(mailed.startsAt), studio.timeZone)
}

/** Passkeys by name, with the day each was added. A name that a mail program would turn into a link is left out. */
export function passkeyNames(passkeys: readonly { label: string; addedAt: string }[]): string {
  const named = passkeys.map(({ label, addedAt }) => {
    const day = formatLongDate(studioDate(Temporal.Instant.from(addedAt)).toString())
    return `“${carriesLink(label) ? 'Passkey' : label}” (added on ${day})`
  })
  return named.join(', ')
}

/** In place of advice that works only for the account's present address. */
export const RESTORE_ADDRESS =
  'You receive this because the account had this address until recently. If that change was not yours, restore your address first: the link is in our email “The email address of your account has changed”.'

/**
 * What a mail says of a class: which, when, with whom and where.
 *
 * @param options.before as it was before the studio moved it
 * @param options.more what else is to be said
 */
export function classFacts(
  mailed: MailedClass,
  site: Site,
  { before, more = [] }: { before?: MailedClass; more?: Fact[] } = {},
): ReactNode {
  return facts(
    ['Class', `${mailed.title} with ${mailed.instructorName}`],
    before ? ['Before', when(before)] : null,
    [before ? 'Now' : 'When', moment(when(mailed))],
    ['Where', place(site.facts.address)],
    ...more,
  )
}

/** `Monday 7 December 2026, 09:30 to 10:15`: where a line is too short for both, the time is the next. */
export function when({ date, startTime, endTime }: MailedClass): ReactNode {
  return createElement(
    Fragment,
    null,
    together(`${formatLongDate(date)},`),
    ' ',
    together(`${startTime} to ${endTime}`),
  )
}
