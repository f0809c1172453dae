import type { BrowserContext, Page, Route } from '@playwright/test'

// What a page asks of the server, held up, refused or answered by the test. Addresses are Playwright's globs.

const kept = new WeakSet<BrowserContext>()

/**
 * `page.route`, but requests go on being looked at until the window closes. Otherwise what a page asks at the moment in which
 * its last route is taken away may never be answered (seen with Playwright 1.65: 21 of 300).
 */
export async function intercept(page: Page, address: string, handler: (route: Route) => unknown): Promise<void> {
  const context = page.context()
  if (!kept.has(context)) {
    kept.add(context)
    await context.route('**/nobody-asks-for-this', (route) => route.continue())
  }
  await page.route(address, handler)
}

/** Holds back every answer of an address until `go` is called. Answers `go` and which paths were asked for so far. */
export async function hold(page: Page, address: string, method?: string) {
  const waiting: Route[] = []
  const paths: string[] = []
  let open = false
  await intercept(page, address, async (route) => {
    if (method && route.request().method() !== method) return route.fallback()
    paths.push(new URL(route.request().url()).pathname)
    if (open) return route.continue()
    waiting.push(route)
  })
  return {
    calls: () => paths.length,
    paths: () => paths.toSorted(),
    go: async () => {
      open = true
      for (const route of waiting.splice(0)) await route.continue()
    },
  }
}

/** Answers an address with a status and a body of the test's choice. */
export async function answer(page: Page, address: string, status: number, body: unknown, method?: string) {
  await intercept(page, address, (route) =>
    method && route.request().method() !== method ? route.fallback() : route.fulfill({ status, json: body }),
  )
}

/** Answers an address with what the server says, changed by the test. */
export async function change<Body>(page: Page, address: string, alter: (body: Body) => unknown) {
  await intercept(page, address, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: alter((await response.json()) as Body) })
  })
}

/** As if the network were gone, for one address. */
export async function cut(page: Page, address: string) {
  await intercept(page, address, (route) => route.abort('connectionrefused'))
}

/** What a page says has gone wrong in it, from now on. Answers how to read it. */
export function watchFaults(page: Page): () => string[] {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  return () => faults
}
