import type { BrowserContext, Page, Route } from '@playwright/test'

// Intercepts a page's requests. Addresses are Playwright's globs.

const intercepted = new WeakSet<BrowserContext>()

/**
 * `page.route`, but the context keeps one route until it closes. Without it, a request sent while the page's last route
 * is being removed may never get a response (Playwright 1.65).
 */
export async function intercept(page: Page, address: string, handler: (route: Route) => unknown): Promise<void> {
  const context = page.context()
  if (!intercepted.has(context)) {
    intercepted.add(context)
    await context.route('**/never-requested', (route) => route.continue())
  }
  await page.route(address, handler)
}

/** Holds all requests to an address until `release` is called. `calls` and `paths` return the requests so far. */
export async function holdRequests(page: Page, address: string, method?: string) {
  const waiting: Route[] = []
  const paths: string[] = []
  let isReleased = false
  await intercept(page, address, async (route) => {
    if (method && route.request().method() !== method) return route.fallback()
    paths.push(new URL(route.request().url()).pathname)
    if (isReleased) return route.continue()
    waiting.push(route)
  })
  return {
    calls: () => paths.length,
    paths: () => paths.toSorted(),
    release: async () => {
      isReleased = true
      for (const route of waiting.splice(0)) await route.continue()
    },
  }
}

export async function mockResponse(page: Page, address: string, status: number, body: unknown, method?: string) {
  await intercept(page, address, (route) =>
    method && route.request().method() !== method ? route.fallback() : route.fulfill({ status, json: body }),
  )
}

export async function changeResponse<Body>(page: Page, address: string, alter: (body: Body) => unknown) {
  await intercept(page, address, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: alter((await response.json()) as Body) })
  })
}

export async function failRequests(page: Page, address: string) {
  await intercept(page, address, (route) => route.abort('connectionrefused'))
}

/** Collects uncaught errors and console errors from now on. */
export function collectPageErrors(page: Page): () => string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  return () => errors
}
