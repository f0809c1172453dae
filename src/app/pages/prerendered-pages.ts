import type { PublicFacts } from '#facts/contract.ts'
import type { Clock } from '#foundation/instants.ts'
import type { Render, Visit } from '#pages/shell/visit.ts'
import { pagePolicy } from '#platform/http/security-headers.ts'
import { WrittenFile } from '#platform/http/written-file.ts'

type PrerenderedPage = {
  html: string
  file: WrittenFile
  policy: string
  /** Whether it shows data from the API. */
  usesApi: boolean
  /** The facts it was rendered with, as JSON. */
  facts: string
}

/**
 * Pages that are the same for everybody, rendered before they are requested and again when their data may have changed.
 * The previous version is served in the meantime, and if rendering fails.
 */
export class PrerenderedPages {
  readonly #pages = new Map<string, PrerenderedPage>()
  readonly #options: Options
  #refreshing: Promise<void> | undefined
  #isStopped = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Renders every page. Throws when a page or its loader throws. */
  async renderAll(): Promise<void> {
    for (const path of this.#options.paths) await this.#render(path)
  }

  /** Throws before {@link renderAll}. */
  at(path: string): Pick<PrerenderedPage, 'file' | 'policy'> {
    const page = this.#pages.get(path)
    if (!page) throw new Error(`${path} has not been rendered`)
    return page
  }

  /** Renders pages with data again, or all if the studio's facts have changed. Concurrent calls share one run. */
  refresh(): Promise<void> {
    if (this.#isStopped) return Promise.resolve()
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  /** Resolves when the page in progress is done, for which the API must still answer. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#refreshing
  }

  async #refresh(): Promise<void> {
    const facts = JSON.stringify(this.#options.facts())
    for (const [path, page] of this.#pages) {
      if (this.#isStopped) return
      if (!page.usesApi && page.facts === facts) continue
      await this.#render(path).catch((error) => this.#options.onError(error, path))
    }
  }

  async #render(path: string): Promise<void> {
    const { render, clock, origin, ask, hasLateScripts, hasStripe, reportsViolations, onChange } = this.#options
    const facts = this.#options.facts()
    const errors: unknown[] = []
    let usesApi = false
    const response = await render(path, {
      origin,
      facts,
      now: clock.now().epochMilliseconds,
      ask: (apiPath) => {
        usesApi = true
        return ask(apiPath)
      },
      onError: (error) => errors.push(error),
      hasLateScripts: hasLateScripts(path),
    })
    const html = await response.text()
    if (errors.length > 0) throw errors[0]
    if (response.status !== 200) throw new Error(`${path} was rendered with status ${response.status}`)
    const previous = this.#pages.get(path)
    const renderedFrom = { usesApi, facts: JSON.stringify(facts) }
    if (previous?.html === html) {
      this.#pages.set(path, { ...previous, ...renderedFrom })
      return
    }
    const file = new WrittenFile(html, 'text/html; charset=utf-8')
    if (previous) await file.prepare() // the previous page is served until this one is compressed
    const policy = pagePolicy(html, { stripe: hasStripe(path), reports: reportsViolations(path) })
    this.#pages.set(path, { html, file, policy, ...renderedFrom })
    onChange(path)
  }
}

type Options = {
  render: Render
  clock: Clock
  paths: readonly string[]
  origin: string
  /** The studio's facts now. */
  facts: () => PublicFacts
  /** Requests the site's own API as a visitor. */
  ask: Visit['ask']
  /** Called with the path of a page that is new or has changed. */
  onChange: (path: string) => void
  /** Called when a page could not be rendered again. */
  onError: (error: unknown, path: string) => void
  hasLateScripts: (path: string) => boolean
  /** Whether a page hosts Stripe's Payment Element. */
  hasStripe: (path: string) => boolean
  /** Whether browsers report what the page was not allowed to load. */
  reportsViolations: (path: string) => boolean
}
