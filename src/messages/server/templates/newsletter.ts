import { createElement, type ReactNode } from 'react'
import { studio } from '#studio.ts'
import { NEWSLETTER_CONFIRM } from '../../contract.ts'
import type { Mails } from '../../mail.ts'
import { CONFIRM_WITHIN_DAYS, paragraphsOf } from '../../rules.ts'
import { type TokenOf, unsubscribePath } from '../link-tokens.ts'
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

/** What the owner wrote, as they wrote it: paragraphs, lines and addresses, and no markup. */
export function studioMessage(data: Mails['studio-message'], site: Site): WrittenMail {
  const { subject, text, unsubscribe, isNewsletter } = data
  const paragraphs = paragraphsOf(text)
  const first = paragraphs[0] ?? []
  return {
    subject,
    preview: first.flatMap((line) => line.map((piece) => piece.text)).join(' '),
    heading: subject,
    ...(unsubscribe && { unsubscribe: site(unsubscribe) }),
    body: [
      ...paragraphs.map((lines) => paragraph(...lines.flatMap(lineOf))),
      ...(unsubscribe
        ? [
            small(
              isNewsletter
                ? `You get this email because you asked for the newsletter of ${studio.name}. `
                : `You get this email because you agreed to news and offers from ${studio.name}. `,
              link('Unsubscribe', site(unsubscribe)),
            ),
          ]
        : []),
    ],
  }
}

type Line = ReturnType<typeof paragraphsOf>[number][number]

function lineOf(line: Line, index: number): ReactNode[] {
  const pieces = line.map(({ text, href }) => (href ? link(text, href) : text))
  return index === 0 ? pieces : [createElement('br', { key: index }), ...pieces]
}
