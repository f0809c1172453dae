import type { PublicFacts } from '#facts/contract.ts'
import type { Clock } from '#foundation/instants.ts'
import type { Render, Visit } from '#pages/shell/visit.ts'
import { pagePolicy } from '#platform/http/security-headers.ts'
import { WrittenFile } from '#platform/http/written-file.ts'

type PrerenderedPage = {
  html: string
  file: WrittenFile
  policy: string
  /** The facts it was rendered with, as JSON. */
  facts: string
  /** The API's responses that it shows, by address. */
  responses: ReadonlyMap<string, string>
  /** When it was rendered, and when it changes by itself, in milliseconds since 1970. */
  from: number
  until: number
}

/**
 * Pages that are the same for everybody, rendered before they are requested and again when what they show has changed.
 * The previous version is served in the meantime, and if rendering fails.
 */
export class PrerenderedPages {
  readonly #pages = new Map<string, PrerenderedPage>()
  readonly #options: Options
  #refreshing = Promise.resolve()
  #next: Promise<void> | undefined
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

  /**
   * Renders pages again if the facts or the API's responses have changed, or their time has come. Calls share the run
   * after the one in progress, which may have read too early for them.
   */
  refresh(): Promise<void> {
    if (this.#isStopped) return Promise.resolve()
    this.#next ??= this.#refreshing.then(() => {
      this.#next = undefined
      this.#refreshing = this.#refresh()
      return this.#refreshing
    })
    return this.#next
  }

  /** Resolves when the page in progress is done, for which the API must still answer. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#refreshing
  }

  /** Whether the time of a page is over. */
  isDue(): boolean {
    const now = this.#options.clock.now().epochMilliseconds
    return this.#pages.values().some((page) => isOver(page, now))
  }

  async #refresh(): Promise<void> {
    const facts = JSON.stringify(this.#options.facts())
    const now = this.#options.clock.now().epochMilliseconds
    // Pages share responses, and ask one after the other, over one connection.
    const read = new Map<string, string>()
    const hasChanged = async ({ responses }: PrerenderedPage) => {
      for (const [address, response] of responses) {
        if (!read.has(address)) read.set(address, await textOf(await this.#options.ask(address)))
        if (read.get(address) !== response) return true
      }
      return false
    }
    for (const [path, page] of this.#pages) {
      if (this.#isStopped) return
      try {
        if (page.facts !== facts || isOver(page, now) || (await hasChanged(page))) await this.#render(path)
      } catch (error) {
        this.#options.onError(error, path)
      }
    }
  }

  async #render(path: string): Promise<void> {
    const { render, clock, origin, ask, hasLateScripts, hasStripe, reportsViolations, onChange } = this.#options
    const facts = this.#options.facts()
    const now = clock.now().epochMilliseconds
    const errors: unknown[] = []
    const responses = new Map<string, string>()
    const response = await render(path, {
      origin,
      facts,
      now,
      ask: async (address) => {
        const asked = await ask(address)
        responses.set(address, await textOf(asked.clone()))
        return asked
      },
      onError: (error) => errors.push(error),
      hasLateScripts: hasLateScripts(path),
    })
    const html = await response.text()
    if (errors.length > 0) throw errors[0]
    if (response.status !== 200) throw new Error(`${path} was rendered with status ${response.status}`)
    const previous = this.#pages.get(path)
    const renderedFrom = { facts: JSON.stringify(facts), responses, from: now, until: changesAt(now, responses) }
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

const textOf = async (response: Response) => `${response.status} ${await response.text()}`

/** Also when the clock was put back. */
const isOver = ({ from, until }: PrerenderedPage, now: number) => now < from || now >= until

const HALF_HOUR_MS = 30 * 60_000

/** A page with data changes when one of its classes starts, and on the half hour: the day or the light in the room. */
function changesAt(now: number, responses: ReadonlyMap<string, string>): number {
  if (responses.size === 0) return Number.POSITIVE_INFINITY
  const starts = [...responses.values()]
    .flatMap((text) => [...text.matchAll(/"startsAt":"([^"]+)"/g)])
    .map(([, startsAt = '']) => Date.parse(startsAt))
  return Math.min(now - (now % HALF_HOUR_MS) + HALF_HOUR_MS, ...starts.filter((start) => start > now))
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
