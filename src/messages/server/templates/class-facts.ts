import { createElement, Fragment, type ReactNode } from 'react'
import { formatLongDate } from '#foundation/dates.ts'
import type { MailedClass } from '../../mail.ts'
import { type Fact, facts, moment, place, type Site, together } from './layout.ts'

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
