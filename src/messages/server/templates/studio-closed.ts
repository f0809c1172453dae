import { formatDay } from '#foundation/dates.ts'
import { studio } from '#studio.ts'
import type { MailedClass, Mails } from '../../mail.ts'
import { calendarAttachment } from './calendar-attachment.ts'
import { when } from './class-facts.ts'
import { button, type Fact, facts, paragraph, type Site, small, subheading, type WrittenMail } from './layout.ts'
import { dayAndTime } from './words.ts'

const { studioCancellationGraceDays } = studio.policies

/** The studio is closed: one mail about all that somebody had booked in these days, and all that they waited for. */
export function studioClosed(data: Mails['studio-closed'], site: Site): WrittenMail {
  const { to, from, until, reason, booked, late = [], awaited } = data
  const days = from === until ? `on ${formatDay(from)}` : `from ${formatDay(from)} to ${formatDay(until)}`
  const returned = booked.filter(({ isCreditLost }) => !isCreditLost).length + late.length
  const credits = returned === 1 ? 'Your credit is back on your pass' : 'Your credits are back on your pass'
  const validity = `${credits}, and the pass stays valid for at least ${studioCancellationGraceDays} days, so that you can use what came back.`
  return {
    subject: subjectOf(data),
    preview:
      returned > 0 ? `${credits}.` : booked.length > 0 ? 'They cannot take place.' : 'Waiting has cost you nothing.',
    heading: booked.length + late.length > 0 ? 'We had to cancel your classes' : 'Classes you waited for are cancelled',
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph(`We are sorry, the studio is closed ${days}: ${reason}`),
      ...(booked.length > 0
        ? [paragraph(`These classes cannot take place. ${returned > 0 ? validity : ''}`.trim()), listOf(booked)]
        : []),
      ...(late.length > 0
        ? [
            paragraph(
              `You had cancelled ${booked.length > 0 ? 'these too' : 'these'}, too late to get your credit back. As they cannot take place, it comes back after all. ${booked.length > 0 ? '' : validity}`.trim(),
            ),
            listOf(late),
          ]
        : []),
      ...(awaited.length > 0
        ? [
            ...(booked.length + late.length > 0 ? [subheading('What you waited for')] : []),
            paragraph('These cannot take place, so their waiting lists have ended. Waiting has cost you nothing.'),
            listOf(awaited),
          ]
        : []),
      button('Choose another class', site('/booking')),
      ...(booked.length > 0
        ? [small('If the classes are in your calendar, open the attached files to take them out there too.')]
        : []),
    ],
    // One file holds one entry, and each has a name of its own.
    attachments: booked
      .flatMap((studioClass) => calendarAttachment(studioClass, 'CANCEL', site))
      .map((file, i) => ({ ...file, filename: `class-cancelled-${i + 1}.ics` })),
  }
}

const listOf = (classes: readonly MailedClass[]) =>
  facts(...classes.map((one): Fact => [`${one.title} with ${one.instructorName}`, when(one)]))

function subjectOf({ booked, late = [], awaited }: Mails['studio-closed']): string {
  if (booked.length === 0 && late[0]) return `We are closed: your credit for ${dayAndTime(late[0])} is back`
  const all = booked.length > 0 ? booked : awaited
  const [first, last] = [all[0], all.at(-1)]
  if (!first || !last) return 'The studio is closed, and classes are cancelled'
  const when =
    first.date === last.date
      ? `on ${formatDay(first.date)}`
      : `from ${formatDay(first.date)} to ${formatDay(last.date)}`
  if (booked.length === 1) return `We are sorry: your class on ${dayAndTime(first)} is cancelled`
  if (booked.length > 1) return `We are sorry: your ${booked.length} classes ${when} are cancelled`
  if (awaited.length === 1) return `${first.title} on ${dayAndTime(first)} is cancelled`
  return `${awaited.length} classes you waited for ${when} are cancelled`
}
