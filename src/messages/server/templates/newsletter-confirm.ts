import { studio } from '#studio.ts'
import { NEWSLETTER_CONFIRM } from '../../contract.ts'
import type { Mails } from '../../mail.ts'
import { CONFIRM_WITHIN_DAYS } from '../../rules.ts'
import type { TokenOf } from '../link-tokens.ts'
import { unsubscribePath } from '../unsubscribe-link.ts'
import { button, link, paragraph, type Site, small, type WrittenMail } from './layout.ts'

export function newsletterConfirm(
  { to, token, isConfirmed }: Mails['newsletter-confirm'],
  site: Site,
  tokenOf: TokenOf,
): WrittenMail {
  const unsubscribe = site(unsubscribePath(to, tokenOf))
  const greeting = paragraph('Hello,')
  if (isConfirmed) {
    return {
      subject: `You are already on the list of ${studio.name}`,
      preview: 'There is nothing you need to do.',
      heading: 'You are already on the list',
      unsubscribe,
      body: [
        greeting,
        paragraph(
          'Somebody, probably you, has just asked for our newsletter at this address. You are on the list already, and the next one comes to you.',
        ),
        small('Would you rather not receive it? ', link('Unsubscribe', unsubscribe)),
      ],
    }
  }
  return {
    subject: `Please confirm the newsletter of ${studio.name}`,
    preview: 'One click, and the next letter comes to you.',
    heading: 'Please confirm your subscription',
    unsubscribe,
    body: [
      greeting,
      paragraph(
        'You have asked for our newsletter: new articles from the blog, and a note when the timetable or the passes change.',
      ),
      button('Confirm subscription', site(`${NEWSLETTER_CONFIRM}?token=${encodeURIComponent(token)}`)),
      small(
        `The link works for ${CONFIRM_WITHIN_DAYS} days. If you did not ask for it, you can ignore this email and will not hear from us again. `,
        link('Forget my address now', unsubscribe),
      ),
    ],
  }
}

export function unsubscribeLink({ to }: Mails['unsubscribe-link'], site: Site, tokenOf: TokenOf): WrittenMail {
  const unsubscribe = site(unsubscribePath(to, tokenOf))
  return {
    subject: `Unsubscribe from ${studio.name}`,
    preview: 'The link that you asked for.',
    heading: 'No more news and offers?',
    unsubscribe,
    body: [
      paragraph('Hello,'),
      paragraph(`This link ends the newsletter and offers that ${studio.name} sends to this address.`),
      button('Unsubscribe', unsubscribe),
      small('If you did not ask for it, you can ignore this email.'),
    ],
  }
}
