import { createElement, type ReactNode } from 'react'
import { studio } from '#studio.ts'
import type { Mails } from '../../mail.ts'
import { paragraphsOf } from '../../rules.ts'
import { link, paragraph, type Site, small, type WrittenMail } from './layout.ts'

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
