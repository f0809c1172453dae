/** What of a worker's world is used here; the types of pages know nothing of it. */
type Lifecycle = Event & { waitUntil(work: Promise<unknown>): void }
type Installing = Lifecycle & { addRoutes?(route: object): Promise<void> }
type Visit = Lifecycle & {
  readonly request: Request
  readonly preloadResponse: Promise<Response | undefined>
  respondWith(answer: Promise<Response>): void
}
type Message = Lifecycle & { readonly data: unknown; readonly source: { postMessage(message: unknown): void } | null }
type Worker = {
  readonly registration: ServiceWorkerRegistration
  readonly clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
  addEventListener(name: 'install', hear: (event: Installing) => void): void
  addEventListener(name: 'activate', hear: (event: Lifecycle) => void): void
  addEventListener(name: 'fetch', hear: (event: Visit) => void): void
  addEventListener(name: 'message', hear: (event: Message) => void): void
}

export type WorkerOptions = {
  /** Changes with every build of the pages. */
  release: string
  /** Where the page is that is kept. */
  offlinePage: string
  /** Pages that are asked of the network first, and have the kept page where it does not answer. All others are not touched. */
  pages: readonly string[]
  /** Those of them that begin with the kept page when the network is slow. */
  impatient: readonly string[]
  /** How long those wait for the network. */
  slowMs: number
}

/**
 * Runs as the service worker. It keeps one public page, which needs no other file, and gives it in the place of a page that
 * does not come. It stores no other answer: no member's page, nothing of the API, no script.
 */
function work({ release, offlinePage, pages, impatient, slowMs }: WorkerOptions): void {
  const worker = self as unknown as Worker
  const name = `offline-${release}`
  /** The answer that came too late for its visit, until its page asks for it again. In memory only, for one visit. */
  let late: { url: string; answer: Promise<Response> } | undefined

  async function keepPage() {
    const cache = await caches.open(name)
    await cache.add(new Request(offlinePage, { cache: 'no-cache', credentials: 'omit' }))
  }

  async function keptPage() {
    return (await caches.match(offlinePage)) ?? Response.error()
  }

  worker.addEventListener('install', (event) => {
    // Browsers that can, do not even start the worker for what is no visit.
    const route = { condition: { not: { requestMode: 'navigate' } }, source: 'network' }
    const routed = (async () => event.addRoutes?.(route))().catch(() => {})
    // No page runs what is kept here, so a new release need not wait until old pages are closed.
    event.waitUntil(Promise.all([keepPage(), routed, worker.skipWaiting()]))
  })

  worker.addEventListener('activate', (event) => {
    const tidied = caches.keys().then((names) => Promise.all(names.map((old) => old === name || caches.delete(old))))
    event.waitUntil(Promise.all([tidied, worker.registration.navigationPreload?.enable(), worker.clients.claim()]))
  })

  worker.addEventListener('message', (event) => {
    if (event.data === 'refresh') event.waitUntil(keepPage().catch(() => {}))
    if (event.data === 'waiting' && late) {
      const { answer } = late
      event.waitUntil(answer.then(() => event.source?.postMessage('here')).catch(() => {}))
    }
  })

  worker.addEventListener('fetch', (event) => {
    const { method, mode, url } = event.request
    if (method === 'GET' && mode === 'navigate' && pages.includes(new URL(url).pathname))
      event.respondWith(answerTo(event).catch(keptPage))
  })

  async function answerTo(event: Visit): Promise<Response> {
    const { url } = event.request
    const came = late?.url === url ? late.answer : undefined
    late = undefined
    if (came) return came
    const answer = (async () => (await event.preloadResponse) ?? fetch(event.request))()
    if (!impatient.includes(new URL(url).pathname)) return answer
    const isSlow = new Promise<undefined>((resolve) => setTimeout(resolve, slowMs))
    const inTime = await Promise.race([answer, isSlow])
    if (inTime) return inTime
    const page = await keptPage()
    if (!page.ok) return answer
    // Read to its end while this visit lasts: browsers end what nobody reads of an answer when the visit is over.
    const whole = answer.then(async (came) => (came.body ? new Response(await came.blob(), came) : came))
    late = { url, answer: whole }
    event.waitUntil(whole.catch(() => {}))
    return page
  }
}

/** The worker's file: another one for each release, so that browsers notice. */
export const serviceWorkerText = (options: WorkerOptions) => `(${work})(${JSON.stringify(options)})\n`
