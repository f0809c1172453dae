// The service worker. It caches one public page, which needs no other file, and serves it when another page cannot be
// loaded. It stores nothing else: no member's page, no API response, no script.
{
  /** The parts of the service worker API that are used here; the types of pages have none of it. */
  type Lifecycle = Event & { waitUntil(work: Promise<unknown>): void }
  type Install = Lifecycle & { addRoutes?(route: object): Promise<void> }
  type Fetch = Lifecycle & {
    readonly request: Request
    readonly preloadResponse: Promise<Response | undefined>
    respondWith(response: Promise<Response>): void
  }
  type Push = Lifecycle & {
    readonly data: { json(): { title: string; body: string; path: string; tag: string } } | null
  }
  type Click = Lifecycle & { readonly notification: Notification & { readonly data?: { path?: string } } }
  type WindowClient = { readonly url: string; focus(): Promise<unknown>; navigate(url: string): Promise<unknown> }
  type Message = Lifecycle & { readonly data: unknown; readonly source: { postMessage(message: unknown): void } | null }
  type ServiceWorkerScope = {
    /** Set in the first line of the file, by `entry.pages.ts`. */
    readonly options: {
      /** Changes with every build. */
      release: string
      offlinePage: string
      /** Paths of the pages that it handles. */
      pages: readonly string[]
      /** Pages that show the offline page when the network takes longer than `slowMs`. */
      impatient: readonly string[]
      slowMs: number
    }
    readonly registration: ServiceWorkerRegistration
    readonly clients: {
      claim(): Promise<void>
      matchAll(options: { type: 'window' }): Promise<WindowClient[]>
      openWindow(url: string): Promise<unknown>
    }
    skipWaiting(): Promise<void>
    addEventListener(type: 'install', listener: (event: Install) => void): void
    addEventListener(type: 'activate', listener: (event: Lifecycle) => void): void
    addEventListener(type: 'fetch', listener: (event: Fetch) => void): void
    addEventListener(type: 'message', listener: (event: Message) => void): void
    addEventListener(type: 'push', listener: (event: Push) => void): void
    addEventListener(type: 'notificationclick', listener: (event: Click) => void): void
  }

  const worker = self as unknown as ServiceWorkerScope
  const { release, offlinePage, pages, impatient, slowMs } = worker.options
  const cacheName = `offline-${release}`
  /** A response that arrived after the offline page was shown, until the page reloads. In memory only. */
  let late: { url: string; response: Promise<Response> } | undefined

  const cacheOfflinePage = async () => {
    const cache = await caches.open(cacheName)
    await cache.add(new Request(offlinePage, { cache: 'no-cache', credentials: 'omit' }))
  }
  const cachedOfflinePage = async () => (await caches.match(offlinePage)) ?? Response.error()

  worker.addEventListener('install', (event) => {
    // Browsers with static routes don't start the worker for other requests.
    const route = { condition: { not: { requestMode: 'navigate' } }, source: 'network' }
    const routed = (async () => event.addRoutes?.(route))().catch(() => {})
    // Open pages run no cached script, so a new release need not wait until they are closed.
    event.waitUntil(Promise.all([cacheOfflinePage(), routed, worker.skipWaiting()]))
  })

  worker.addEventListener('activate', (event) => {
    const tidied = caches.keys().then((names) => Promise.all(names.map((n) => n === cacheName || caches.delete(n))))
    event.waitUntil(Promise.all([tidied, worker.registration.navigationPreload?.enable(), worker.clients.claim()]))
  })

  worker.addEventListener('message', (event) => {
    if (event.data === 'refresh') event.waitUntil(cacheOfflinePage().catch(() => {}))
    if (event.data === 'waiting' && late) {
      const { response } = late
      event.waitUntil(response.then(() => event.source?.postMessage('here')).catch(() => {}))
    }
  })

  // Every push shows a notification, also while the page is open: browsers withdraw a subscription that shows none.
  worker.addEventListener('push', (event) => {
    const { title, body, path, tag } = event.data?.json() ?? {
      title: 'News about your classes',
      body: '',
      path: '/',
      tag: '',
    }
    const options = { body, tag, data: { path }, icon: '/icon-192.png', badge: '/icon-192.png' }
    event.waitUntil(worker.registration.showNotification(title, options))
  })

  worker.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(open(event.notification.data?.path ?? '/'))
  })

  const open = async (path: string): Promise<unknown> => {
    const [page] = await worker.clients.matchAll({ type: 'window' })
    if (!page) return await worker.clients.openWindow(path)
    await page.focus()
    return await page.navigate(path)
  }

  worker.addEventListener('fetch', (event) => {
    const { method, mode, url } = event.request
    if (method === 'GET' && mode === 'navigate' && pages.includes(new URL(url).pathname))
      event.respondWith(respond(event).catch(cachedOfflinePage))
  })

  const respond = async (event: Fetch): Promise<Response> => {
    const { url } = event.request
    const arrived = late?.url === url ? late.response : undefined
    late = undefined
    if (arrived) return arrived
    const response = (async () => (await event.preloadResponse) ?? fetch(event.request))()
    if (!impatient.includes(new URL(url).pathname)) return response
    const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, slowMs))
    const inTime = await Promise.race([response, timeout])
    if (inTime) return inTime
    const page = await cachedOfflinePage()
    if (!page.ok) return response
    // Read the body now: browsers abort an unread body when this navigation ends.
    const complete = response.then(async (r) => (r.body ? new Response(await r.blob(), r) : r))
    late = { url, response: complete }
    event.waitUntil(complete.catch(() => {}))
    return page
  }
}
