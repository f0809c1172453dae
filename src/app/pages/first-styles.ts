import { PurgeCSS } from 'purgecss'

/** The style sheet in a page, as `Layout` writes it. */
const SHEET = /(?<=<style id="theme">)[\s\S]*?(?=<\/style>)/
/** What is in a page besides its markup. */
const NO_MARKUP = /<(style|script)\b[^>]*>[\s\S]*?<\/\1>/g
/** So many kinds of markup are remembered with their styles: more than there are pages, and states of each. */
const REMEMBERED = 200

/**
 * Leaves of the style sheet in a page what its markup uses: less than half, so that the page comes with a round less. The
 * whole sheet is a file that the page's scripts wait for (`pages/shell/wake-scripts.ts`).
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
  })
  return left?.css ?? sheet
}
