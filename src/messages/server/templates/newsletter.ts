import { createElement, type ReactNode } from 'react'
import { NEWSLETTER_CONFIRM } from '../../contract.ts'
import { CONFIRM_WITHIN_DAYS, type Piece, parseParagraphs } from '../../rules.ts'
import { unsubscribePath } from '../link-tokens.ts'
import { button, link, paragraph, pictureInText, small, type Templates } from './layout.ts'

export const newsletterMails = {
  'newsletter-confirm': ({ to, token, isConfirmed }, site, tokenOf) => {
    const unsubscribe = site(unsubscribePath(to, tokenOf))
    if (isConfirmed) {
      return {
        subject: `You are already on the list of ${site.facts.name}`,
        preview: 'You do not need to do anything.',
        heading: 'You are already on the list',
        greeting: 'Hello,',
        unsubscribe,
        body: [
          'We have just received a request to send our newsletter to this address. You are already on the list, so you do not need to do anything.',
          small('If you no longer want the newsletter: ', link('Unsubscribe', unsubscribe)),
        ],
      }
    }
    return {
      subject: `Please confirm the newsletter of ${site.facts.name}`,
      preview: 'Confirm your address to get the next newsletter.',
      heading: 'Please confirm your subscription',
      greeting: 'Hello,',
      unsubscribe,
      body: [
        'You have asked for our newsletter. We will send you new articles from the blog and changes to our timetable or passes.',
        button('Confirm subscription', site(`${NEWSLETTER_CONFIRM}?token=${encodeURIComponent(token)}`)),
        small(
          `The link works for ${CONFIRM_WITHIN_DAYS} days. If you did not ask for it, you can ignore this email and we will not write to you again. `,
          link('Forget my address now', unsubscribe),
        ),
      ],
    }
  },

  'unsubscribe-link': ({ to }, site, tokenOf) => {
    const unsubscribe = site(unsubscribePath(to, tokenOf))
    return {
      subject: `Unsubscribe from ${site.facts.name}`,
      preview: 'The link you asked for.',
      heading: 'No more news and offers?',
      greeting: 'Hello,',
      unsubscribe,
      body: [
        `Use this link to stop the newsletter and offers that ${site.facts.name} sends to this address.`,
        button('Unsubscribe', unsubscribe),
        small('If you did not ask for it, you can ignore this email.'),
      ],
    }
  },

  'studio-message': ({ subject, text, pictures, unsubscribe, isNewsletter }, site) => {
    const paragraphs = parseParagraphs(text)
    const reason = isNewsletter ? 'asked for the newsletter of' : 'agreed to news and offers from'
    return {
      subject,
      spoken: text,
      preview: (paragraphs[0] ?? []).flatMap((line) => line.map((piece) => piece.text)).join(' '),
      heading: subject,
      greeting: null,
      unsubscribe: unsubscribe ? site(unsubscribe) : undefined,
      body: [
        ...paragraphs.map((lines) => paragraph(...lines.flatMap(renderLine))),
        ...pictures.map((picture) => pictureInText(site(picture.path), picture)),
        unsubscribe &&
          small(
            `You get this email because you ${reason} ${site.facts.name}. `,
            link('Unsubscribe', site(unsubscribe)),
          ),
      ],
    }
  },
} satisfies Partial<Templates>

function renderLine(line: Piece[], index: number): ReactNode[] {
  const pieces = line.map(({ text, href }) => (href ? link(text, href) : text))
  return index === 0 ? pieces : [createElement('br', { key: index }), ...pieces]
}
