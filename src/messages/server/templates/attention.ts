import type { Mails } from '../../mail.ts'
import { button, paragraph, type Site, small, subheading, type WrittenMail } from './layout.ts'

/** More than this many are only counted. */
const MOST = 20

/** For the owner, once a day while there is something. */
export function attention({ to, items }: Mails['attention'], site: Site): WrittenMail {
  const things = items.length === 1 ? 'One thing needs' : `${items.length} things need`
  return {
    subject: `${things} your attention`,
    preview: items.map(({ title }) => title).join('. '),
    heading: `${things} your attention`,
    body: [
      paragraph(`Hello ${to.firstName},`),
      ...items.slice(0, MOST).flatMap(({ title, text }) => [subheading(title), paragraph(text)]),
      ...(items.length > MOST ? [paragraph(`And ${items.length - MOST} more.`)] : []),
      button('Open Overview', site('/admin')),
      small('This email comes once a day, for as long as something is left.'),
    ],
  }
}
