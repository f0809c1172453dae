import type { Mails } from '../../mail.ts'
import { button, facts, paragraph, type Site, small, type WrittenMail } from './layout.ts'

export function healthUpdateNotice({ to, member }: Mails['health-update-notice'], site: Site): WrittenMail {
  return {
    subject: `${member.name} has saved health information`,
    preview: 'Please look at it before the next class.',
    heading: 'Health information was saved',
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph(
        'A member has filled in or changed their health information. Please look at it before their next class.',
      ),
      facts(['Member', member.name]),
      button('Open Health Updates', site('/admin?tab=Health%20Updates')),
      small('What it says is shown on the admin pages only, never in an email.'),
    ],
  }
}
