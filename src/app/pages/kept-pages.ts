import type { PublicFacts } from '#facts/contract.ts'
import type { Clock } from '#foundation/instants.ts'
import type { Render, Visit } from '#pages/shell/visit.ts'
import { pagePolicy } from '#platform/http/security-headers.ts'
import { WrittenFile } from '#platform/http/written-file.ts'
import { FirstStyles } from './first-styles.ts'

export type KeptPage = { file: WrittenFile; policy: string }

type Drawn = KeptPage & { whole: string; hasAsked: boolean; facts: string }

/**
 * Pages that are the same for everybody: drawn before anybody asks, kept compressed, drawn again when what they say may
 * have changed. Who asks meanwhile gets the one before, also when the new one fails.
 */
export class KeptPages {
  readonly #pages = new Map<string, Drawn>()
  readonly #options: Options
  readonly #styles = new FirstStyles()
  #renewing: Promise<void> | undefined
  #isResting = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Draws every page. @throws what a page threw, or its loader */
  async drawAll(): Promise<void> {
    for (const path of this.#options.paths) await this.#draw(path)
  }

  /** @throws before {@link drawAll} */
  at(path: string): KeptPage {
    const page = this.#pages.get(path)
    if (!page) throw new Error(`${path} has not been drawn`)
    return page
  }

  /**
   * Draws those pages again that say something they have asked for, and all when the studio says something else of itself.
   * Called twice at once, it works once.
   */
  renew(): Promise<void> {
    if (this.#isResting) return Promise.resolve()
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  /** Draws none again from now on; resolves when the one under way is drawn, for which the API must still answer. */
  async rest(): Promise<void> {
    this.#isResting = true
    await this.#renewing
  }

  async #renew(): Promise<void> {
    const facts = JSON.stringify(this.#options.facts())
    for (const [path, page] of this.#pages) {
      if (this.#isResting) return
      if (!page.hasAsked && page.facts === facts) continue
      await this.#draw(path).catch((error) => this.#options.onError(error, path))
    }
  }

  async #draw(path: string): Promise<void> {
    const { render, clock, origin, ask, laterScripts, stripe, onChange } = this.#options
    const facts = this.#options.facts()
    const errors: unknown[] = []
    let hasAsked = false
    const response = await render(path, {
      origin,
      facts,
      now: clock.now().epochMilliseconds,
      ask: (asked) => {
        hasAsked = true
        return ask(asked)
      },
      onError: (error) => errors.push(error),
      scripts: laterScripts(path) ? 'later' : 'soon',
    })
    const whole = await response.text()
    if (errors.length > 0) throw errors[0]
    if (response.status !== 200) throw new Error(`${path} was drawn with status ${response.status}`)
    // The same text stays as it was written, and whoever has it is told so.
    const before = this.#pages.get(path)
    const drawnFrom = { whole, hasAsked, facts: JSON.stringify(facts) }
    if (before?.whole === whole) {
      this.#pages.set(path, { ...before, ...drawnFrom })
      return
    }
    const html = laterScripts(path) ? await this.#styles.leaveUsed(whole) : whole
    const file = new WrittenFile(html, 'text/html; charset=utf-8')
    // Who asks meanwhile need not wait for it. Before the first there is nothing else to give.
    if (before) await file.prepare()
    this.#pages.set(path, { file, ...drawnFrom, policy: pagePolicy(html, { stripe: stripe(path) }) })
    onChange(path)
  }
}

type Options = {
  render: Render
  clock: Clock
  paths: readonly string[]
  origin: string
  /** What the studio says of itself now. */
  facts: () => PublicFacts
  /** Asks the site's own API as nobody. */
  ask: Visit['ask']
  /** Hears which page says something else from now on. */
  onChange: (path: string) => void
  /** Hears why a page could not be drawn again. */
  onError: (error: unknown, path: string) => void
  laterScripts: (path: string) => boolean
  /** Which pages host Stripe's Payment Element. */
  stripe: (path: string) => boolean
}
