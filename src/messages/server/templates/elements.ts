import { type CSSProperties, createElement, type ReactNode } from 'react'

// React renders emails. The package react-email would load a syntax highlighter and Tailwind's compiler into the
// process that serves requests. Templates call createElement, because Node strips types but does not compile JSX.

export type Style = CSSProperties & { msoPaddingAlt?: string; msoTextRaise?: string }

/** Inline styles for every mail program, and a class name for those that support dark mode. */
export type Look = { className: string; style: Style }

const language = { dir: 'ltr', lang: 'en-GB' }
const bare = { border: 0, cellPadding: '0', cellSpacing: '0', role: 'presentation' }

/** Leaves an element out of the plain text. */
export const notInText = { 'data-skip-in-text': 'true' }

/** Outlook supports width, padding and centring on tables only. */
function table(attributes: object, cell: object, children: ReactNode[], above: ReactNode = null): ReactNode {
  const inside = createElement('tr', null, createElement('td', cell, ...children))
  return createElement('table', attributes, createElement('tbody', null, above, inside))
}

/** Some programs take the background from the body, others from a cell. */
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
/** A space and a zero-width character, which no program takes for the end of the text. */
const BLANKS = '\u00A0\u200C'

/** The text an inbox shows next to the subject, padded so that the heading does not follow it. */
export function preview(text: string): ReactNode {
  const style = { display: 'none', overflow: 'hidden', lineHeight: '1px', opacity: 0, maxHeight: 0, maxWidth: 0 }
  const shown = text.slice(0, PREVIEW_LENGTH)
  const missing = PREVIEW_LENGTH - shown.length
  const blanks = missing > 0 && createElement('div', null, BLANKS.repeat(missing))
  return createElement('div', { style, ...notInText }, shown, blanks)
}

/** A centred column; `head` is a row above the sheet. */
export function container(style: Style, head: ReactNode, sheet: Look, ...children: ReactNode[]): ReactNode {
  return table({ align: 'center', width: '100%', ...bare, style }, sheet, children, head)
}

/** A row filled by a decorative picture, at most `width` pixels wide. Without a height, blocked ones stay narrow. */
export function pictureRow(
  { src, width, corners }: { src: string; width: number; corners: number },
  { className, style }: Look,
): ReactNode {
  const borderRadius = `${corners}px ${corners}px 0 0`
  const shown = { display: 'block', width: '100%', height: 'auto', border: 0, borderRadius } as const
  // Without lazy loading, React adds a preload link to the head.
  const picture = createElement('img', { src, alt: '', width, loading: 'lazy', style: shown })
  const cell = {
    className,
    align: 'center',
    height: corners,
    style: { ...style, borderRadius, fontSize: 0, lineHeight: 0 },
  }
  return createElement('tr', notInText, createElement('td', cell, picture))
}

/** A picture in the text. Outlook reads only the attributes, phones only the style. */
export function picture({ src, alt, width, height }: { src: string; alt: string; width: number; height: number }) {
  const style = { display: 'block', maxWidth: '100%', height: 'auto', border: 0, margin: '0 0 16px' } as const
  return createElement('img', { src, alt, width, height, loading: 'lazy', style })
}

export function section(attributes: object, ...children: ReactNode[]): ReactNode {
  return table({ align: 'center', width: '100%', ...bare, ...attributes }, {}, children)
}

/** Some mail programs support only the shorthand margin, others only the sides. */
export function text({ className, style }: Look, below: number, ...children: ReactNode[]): ReactNode {
  const margin = below === 0 ? 0 : `0 0 ${below}px`
  const sides = { marginTop: 0, marginRight: 0, marginBottom: below, marginLeft: 0 }
  return createElement('p', { className, style: { ...style, margin, ...sides } }, ...children)
}

export function rule({ className, style }: Look): ReactNode {
  return createElement('hr', { className, style: { width: '100%', border: 'none', ...style } })
}

export function anchor(href: string, { className, style }: Look, label: string): ReactNode {
  return createElement('a', { href, className, style: { textDecoration: 'none', ...style }, target: '_blank' }, label)
}

/** Outlook ignores a link's padding: wide, raised spaces take its place. */
// biome-ignore lint/security/noDangerouslySetInnerHtml: React writes no comments, and these two are constants
const outlookPadding = (__html: string) => createElement('span', { dangerouslySetInnerHTML: { __html } })
const [PADDING_Y, PADDING_X] = [13, 24]
const SPACES = 3
const spaceWidth = `mso-font-width:${(PADDING_X / SPACES / 2) * 100}%`
const pt = (px: number) => `${(px * 3) / 4}`
const before = `<!--[if mso]><i style="${spaceWidth};mso-text-raise:${pt(2 * PADDING_Y)}px" hidden>${'&#8202;'.repeat(SPACES)}</i><![endif]-->`
const after = `<!--[if mso]><i style="${spaceWidth}" hidden>${'&#8202;'.repeat(SPACES)}&#8203;</i><![endif]-->`

/** A link that looks like a button, in Outlook too. */
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
    outlookPadding(before),
    createElement('span', { style: { ...inside, msoTextRaise: `${pt(PADDING_Y)}px` } }, label),
    outlookPadding(after),
  )
  const place: Style = { display: 'inline-block', maxWidth: '100%', margin: '0 12px 12px 0', verticalAlign: 'top' }
  return createElement('div', { className: 'action', style: place }, anchored)
}

/** The studio's two arches, drawn with borders. */
export function arches({ className, style }: Look): ReactNode {
  const arch = (width: number, height: number, above: number, inside?: ReactNode) => {
    const border = { border: '1.5px solid', borderBottomWidth: 0, borderRadius: `${width / 2}px ${width / 2}px 0 0` }
    const place = { display: 'block', boxSizing: 'border-box', width, height, margin: `${above}px auto 0` } as const
    return createElement('span', { className, style: { ...place, ...border, ...style } }, inside)
  }
  const floor = { display: 'inline-block', width: 30, borderBottom: '1.5px solid', marginRight: 12, ...style }
  return createElement('span', { className, style: floor }, arch(24, 27, 0, arch(12, 20, 5)))
}
