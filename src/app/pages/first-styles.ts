import postcss, { type Container } from 'postcss'
import { PurgeCSS } from 'purgecss'
import { SIGNED_IN } from '#accounts/session-hint.ts'

/** The style sheet in a page, as `Layout` writes it. */
const SHEET = /(?<=<style id="theme">)[\s\S]*?(?=<\/style>)/
/** What is in a page besides its markup. */
const NO_MARKUP = /<(style|script)\b[^>]*>[\s\S]*?<\/\1>/g
/** So many kinds of markup are remembered with their styles: more than there are pages, and states of each. */
const REMEMBERED = 200
/** What nobody sees before the whole sheet has come: the page's scripts fetch it at the first touch of a pointer at the latest. */
const UNDER_A_POINTER = /:(hover|active)\b/
/** What only a form's fields have. */
const OF_FIELDS = /::(-webkit-(datetime|search|date-and|calendar|inner|outer)|placeholder|file-selector-button)/
const FIELDS = ['input', 'select', 'textarea']

/**
 * Leaves of the style sheet in a page what its markup uses at first sight: less than half, so that the page comes with a
 * round less. The whole sheet is a file that the page's scripts wait for (`pages/shell/page-scripts.tsx`).
 */
export class FirstStyles {
  readonly #left = new Map<string, string>()

  /** @param html of a whole page; one without a style sheet is given back as it is */
  async leaveUsed(html: string): Promise<string> {
    const sheet = SHEET.exec(html)?.[0]
    if (!sheet) return html
    const used = usedIn(html.replace(NO_MARKUP, ''))
    // Pages are drawn again because of words and numbers, rarely because of their markup.
    const key = JSON.stringify([sheet.length, used])
    const left = this.#left.get(key) ?? (await leave(sheet, used))
    if (this.#left.size >= REMEMBERED) this.#left.clear()
    this.#left.set(key, left)
    return html.replace(SHEET, () => left)
  }
}

type Used = { classes: string[]; tags: string[]; ids: string[]; attributes: string[] }

function usedIn(markup: string): Used {
  const all = (pattern: RegExp) => [...new Set(Array.from(markup.matchAll(pattern), ([, found]) => found ?? ''))].sort()
  const classes = all(/ class="([^"]*)"/g).flatMap((names) =>
    names.replaceAll('&amp;', '&').replaceAll('&gt;', '>').split(/\s+/),
  )
  return {
    classes: [...new Set(classes)].sort(),
    tags: all(/<([a-z][a-z0-9]*)/g),
    ids: all(/ id="([^"]*)"/g),
    attributes: all(/ ([a-z-]+)="/g),
  }
}

async function leave(sheet: string, { attributes, ...used }: Used): Promise<string> {
  const extracted = { ...used, attributes: { names: attributes, values: [] }, undetermined: [] }
  const [left] = await new PurgeCSS().purge({
    content: [{ raw: '', extension: 'html' }],
    css: [{ raw: sheet }],
    extractors: [{ extensions: ['html'], extractor: () => extracted }],
    keyframes: true,
    variables: true,
    // Set by the page's own script, where there seems to be a session.
    safelist: [SIGNED_IN],
  })
  const needless = FIELDS.some((tag) => used.tags.includes(tag)) ? [] : [OF_FIELDS]
  const isSeen = (selector: string) =>
    ![UNDER_A_POINTER, ...needless].some((kind) => kind.test(selector)) &&
    // PurgeCSS does not look into it.
    [...selector.matchAll(/:has\(\s*>?\s*\.([\w-]+)/g)].every(([, name = '']) => used.classes.includes(name))
  return shorten(left?.css ?? sheet, isSeen)
}

/**
 * Leaves out what the first look can do without: rules of what is not seen (under a pointer, say); whole fonts, beside which stands the part of them that
 * the site's words need; what Tailwind writes twice. The beginnings of its variables are there as `@property` and, in far fewer
 * bytes, as a rule for browsers that do not know it, which is right in all of them; translucent colours as numbers and mixed.
 */
function shorten(css: string, isSeen: (selector: string) => boolean): string {
  const root = postcss.parse(css)
  root.walkAtRules((rule) => {
    const isWholeFont = rule.name === 'font-face' && /\burl\(/.test(`${rule}`) && !/unicode-range/.test(`${rule}`)
    const isMixed = rule.name === 'supports' && rule.params.includes('color-mix')
    if (rule.name === 'property' || isWholeFont || isMixed) rule.remove()
    else if (rule.name === 'layer' && rule.params === 'properties') {
      rule.walkAtRules('supports', (old) => void old.replaceWith(old.nodes ?? []))
    }
  })
  root.walkComments((comment) => void comment.remove())
  root.walkDecls((declaration) => {
    if (declaration.next()?.toString() === declaration.toString()) declaration.remove()
  })
  root.walkRules((rule) => {
    const seen = rule.selectors.filter(isSeen)
    if (seen.length === 0) removeWithEmpty(rule)
    else if (seen.length < rule.selectors.length) rule.selectors = seen
  })
  return root.toString()
}

/** Removes a rule, and what held nothing else. */
function removeWithEmpty(node: Container): void {
  const { parent } = node
  node.remove()
  if (parent?.type === 'atrule' && parent.nodes?.length === 0) removeWithEmpty(parent as Container)
}
