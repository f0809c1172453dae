import { isValidElement, type ReactNode } from 'react'

type Props = { children?: ReactNode; href?: string; alt?: string; 'data-skip-in-text'?: string }

/** The plain text of a mail: a blank line between paragraphs, and a link's address after its words. */
export const plainText = (mail: ReactNode): string =>
  textOf(mail)
    .replace(/ *\n */g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

function textOf(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(textOf).join('')
  if (typeof node === 'string' || typeof node === 'number') return String(node).replace(/[ \t\r\n]+/g, ' ')
  if (!isValidElement<Props>(node) || node.type === 'head' || node.props['data-skip-in-text']) return ''
  const { children, href = '', alt } = node.props
  if (node.type === 'ol') return block([children].flat().map((item, index) => `${index + 1}. ${textOf(item)}\n`))
  const text = textOf(children)
  switch (node.type) {
    case 'a':
      return text === href || /^(tel|mailto):/.test(href) ? text : `${text} ${href}`
    case 'br':
    case 'div':
      return `${text}\n`
    case 'hr':
      return block(['-'.repeat(40)])
    case 'img':
      return block([`Picture: ${alt}`])
    case 'h1':
    case 'h2':
    case 'p':
    case 'td':
      return block([text])
    default:
      return text
  }
}

const block = (lines: string[]) => `\n\n${lines.join('')}\n\n`
