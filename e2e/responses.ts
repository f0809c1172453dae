import type { Page, Response } from '@playwright/test'
import { endpoints } from '#testing/contracts.ts'

/** Paths with fewer parameters first. */
const ADDRESSES = [...endpoints.values()]
  .flatMap((endpoint) => [endpoint.path, ...(endpoint.alias ?? [])].map((path) => ({ endpoint, path })))
  .sort((a, b) => a.path.split(':').length - b.path.split(':').length)
  .map(({ endpoint, path }) => ({ endpoint, pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`) }))

/**
 * Checks every successful response that a page receives against its contract, including mocked responses.
 *
 * @returns the mismatches, to be checked at the end of the test
 */
export function checkResponses(page: Page): () => Promise<string[]> {
  const checks: Promise<string[]>[] = []
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.startsWith('/api/')) checks.push(mismatches(response))
  })
  return async () => (await Promise.all(checks)).flat()
}

async function mismatches(response: Response): Promise<string[]> {
  const { pathname } = new URL(response.url())
  const method = response.request().method()
  const found = ADDRESSES.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(pathname))
  if (!found || found.endpoint.file || !response.ok()) return []
  // After a navigation the bodies are gone.
  const body = await response.json().catch(() => undefined)
  if (body === undefined) return []
  const checked = await found.endpoint.response.safeParseAsync(body)
  return checked.success ? [] : [`${method} ${pathname}: ${checked.error.message}`]
}
