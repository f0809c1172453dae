import { type CSSProperties, createElement, type ReactNode } from 'react'

// The few elements that mails are made of, written as React Email writes them. Its own package cannot be taken in part
// and brings a syntax highlighter and a CSS compiler into the process: 50 MB and 0.4 s at the first mail.

export type Style = CSSProperties & { msoPaddingAlt?: string; msoTextRaise?: string }

/** How an element looks: written out for every program, and by a name for those that know more than one light. */
export type Look = { className: string; style: Style }

const language = { dir: 'ltr', lang: 'en-GB' }
const bare = { border: 0, cellPadding: '0', cellSpacing: '0', role: 'presentation' }

/** Left out of the plain text. */
export const notInText = { 'data-skip-in-text': 'true' }

/** Outlook knows no width, no padding and no centring but a table's. */
function table(attributes: object, cell: object, children: ReactNode[], above: ReactNode = null): ReactNode {
  const inside = createElement('tr', null, createElement('td', cell, ...children))
  return createElement('table', attributes, createElement('tbody', null, above, inside))
}

/** The whole of a mail on its colour, which some programs take from a body but not from a cell. */
export function page({ className, style }: Look, head: ReactNode[], ...children: ReactNode[]): ReactNode {
  return createElement(
    'html',
    language,
    createElement(
      'head',
      null,
      createElement('meta', { content: 'text/html; charset=UTF-8', httpEquiv: 'Content-Type' }),
      createElement('meta', { name: 'x-apple-disable-message-reformatting' }),
      ...head,
    ),
    createElement(
      'body',
      { ...language, className, style: { ...style, margin: 0, padding: 0 } },
      table(
        { ...bare, width: '100%', align: 'center' },
        { ...language, className, style: { ...style, margin: 0, padding: '24px 12px' } },
        children,
      ),
    ),
  )
}

const PREVIEW_LENGTH = 200
/** A blank and characters without width, which no program takes for the end of the text. */
const BLANKS = '\u00A0\u200C\u200B\u200D\uFEFF'

/** What an inbox shows beside the subject, with so many blanks behind it that it does not go on with the heading. */
export function preview(text: string): ReactNode {
  const style = { display: 'none', overflow: 'hidden', lineHeight: '1px', opacity: 0, maxHeight: 0, maxWidth: 0 }
  const shown = text.slice(0, PREVIEW_LENGTH)
  const missing = PREVIEW_LENGTH - shown.length
  const blanks = missing > 0 && createElement('div', null, BLANKS.repeat(missing))
  return createElement('div', { style, ...notInText }, shown, blanks)
}

/** A column in the middle, `maxWidth` pixels wide where there is room; `head` is a row of its own above the sheet. */
export function container(style: Style, head: ReactNode, sheet: Look, ...children: ReactNode[]): ReactNode {
  return table({ align: 'center', width: '100%', ...bare, style }, sheet, children, head)
}

/**
 * A row filled by a picture that says nothing. Its height is not told beforehand: where pictures are blocked, most programs then
 * show nothing in its place, and a slim band of the row's colour is left, as high as the corners are round.
 *
 * @param options.width as shown where there is room, in pixels
 */
export function pictureRow(
  { src, width, corners }: { src: string; width: number; corners: number },
  { className, style }: Look,
): ReactNode {
  const borderRadius = `${corners}px ${corners}px 0 0`
  const shown = { display: 'block', width: '100%', height: 'auto', border: 0, borderRadius } as const
  // Lazy, or React asks for it in the head as well, as a page would.
  const picture = createElement('img', { src, alt: '', width, loading: 'lazy', style: shown })
  const cell = {
    className,
    align: 'center',
    height: corners,
    style: { ...style, borderRadius, fontSize: 0, lineHeight: 0 },
  }
  return createElement('tr', notInText, createElement('td', cell, picture))
}

export function section(attributes: object, ...children: ReactNode[]): ReactNode {
  return table({ align: 'center', width: '100%', ...bare, ...attributes }, {}, children)
}

/** Each side of the margin is named as well: some programs know only one of the two. */
export function text({ className, style }: Look, below: number, ...children: ReactNode[]): ReactNode {
  const margin = below === 0 ? 0 : `0 0 ${below}px`
  const sides = { marginTop: 0, marginRight: 0, marginBottom: below, marginLeft: 0 }
  return createElement('p', { className, style: { ...style, margin, ...sides } }, ...children)
}

export function rule({ className, style }: Look): ReactNode {
  return createElement('hr', { className, style: { width: '100%', border: 'none', ...style } })
}

/** A program that opens links in itself would leave the mail. */
export function anchor(href: string, { className, style }: Look, label: string): ReactNode {
  return createElement(
    'a',
    { href, className, style: { textDecorationLine: 'none', ...style }, target: '_blank' },
    label,
  )
}

/** For Outlook, which knows no padding of a link: so many blanks, raised by so much. */
// biome-ignore lint/security/noDangerouslySetInnerHtml: React writes no comments, and these two are constants
const beside = (__html: string) => createElement('span', { dangerouslySetInnerHTML: { __html } })
const [PADDING_Y, PADDING_X] = [13, 24]
const BLANKS_BESIDE = 3
const blankWidth = `mso-font-width:${(PADDING_X / BLANKS_BESIDE / 2) * 100}%`
const pt = (px: number) => `${(px * 3) / 4}`
const before = `<!--[if mso]><i style="${blankWidth};mso-text-raise:${pt(2 * PADDING_Y)}px" hidden>${'&#8202;'.repeat(BLANKS_BESIDE)}</i><![endif]-->`
const after = `<!--[if mso]><i style="${blankWidth}" hidden>${'&#8202;'.repeat(BLANKS_BESIDE)}&#8203;</i><![endif]-->`

/** A link that looks like a button, in Outlook too. Several stand in a row as far as there is room, and each on a line of the plain text. */
export function linkButton(href: string, { className, style }: Look, label: string): ReactNode {
  const block: Style = { lineHeight: '100%', textDecoration: 'none', display: 'inline-block', maxWidth: '100%' }
  const padding = {
    padding: `${PADDING_Y}px ${PADDING_X}px`,
    paddingTop: PADDING_Y,
    paddingRight: PADDING_X,
    paddingBottom: PADDING_Y,
    paddingLeft: PADDING_X,
  }
  const inside: Style = { maxWidth: '100%', display: 'inline-block', lineHeight: '120%', msoPaddingAlt: '0px' }
  const anchored = createElement(
    'a',
    { href, className, style: { ...block, msoPaddingAlt: '0px', ...style, ...padding }, target: '_blank' },
    beside(before),
    createElement('span', { style: { ...inside, msoTextRaise: `${pt(PADDING_Y)}px` } }, label),
    beside(after),
  )
  const place: Style = { display: 'inline-block', maxWidth: '100%', margin: '0 12px 12px 0', verticalAlign: 'top' }
  return createElement('div', { className: 'action', style: place }, anchored)
}

/** The studio's two arches, drawn by borders: where a program knows no round corners, nothing is missing from the words. */
export function arches({ className, style }: Look): ReactNode {
  const arch = (width: number, height: number, above: number, inside?: ReactNode) => {
    const border = { border: '1.5px solid', borderBottomWidth: 0, borderRadius: `${width / 2}px ${width / 2}px 0 0` }
    const place = { display: 'block', boxSizing: 'border-box', width, height, margin: `${above}px auto 0` } as const
    return createElement('span', { className, style: { ...place, ...border, ...style } }, inside)
  }
  const floor = { display: 'inline-block', width: 30, borderBottom: '1.5px solid', marginRight: 12, ...style }
  return createElement('span', { className, style: floor }, arch(24, 27, 0, arch(12, 20, 5)))
}
