import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { bookedMember } from './member.ts'
import { expect, type Site } from './site.ts'

/** The page is there, and the worker has the page that it keeps. */
export async function workerReady(page: Page) {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await expect.poll(() => keptAnswers(page)).toHaveLength(1)
}

/** What any worker of this site has stored: addresses and words. */
export const keptAnswers = (page: Page) =>
  page.evaluate(async () => {
    const found: { path: string; text: string }[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const text = (await (await cache.match(request))?.text()) ?? ''
        found.push({ path: new URL(request.url).pathname, text })
      }
    }
    return found
  })

export const noted = (page: Page) => page.evaluate(() => localStorage.getItem('signed-in'))

/**
 * A way to the site that can be slow, or give another worker: a worker's own requests pass by the browser's switches for
 * tests. Answers come through it as they are, but for `alter`, which may wait and change the text.
 */
export async function wayTo(site: Site, alter: (path: string, text: string) => Promise<string> | string) {
  const server = createServer(async (request, response) => {
    const { url = '/', method, headers } = request
    const { cookie = '', 'user-agent': agent = '' } = headers
    const answer = await fetch(site.origin + url, {
      method,
      redirect: 'manual',
      headers: { cookie, 'user-agent': agent, 'accept-encoding': 'identity' },
    })
    const passed = [...answer.headers].filter(([name]) => !/^(connection|keep-alive|transfer-encoding)$/.test(name))
    const body = Buffer.from(await answer.arrayBuffer())
    const isText = /html|javascript/.test(answer.headers.get('content-type') ?? '')
    const altered = isText ? await alter(url, body.toString()) : body
    response.writeHead(answer.status, Object.fromEntries(passed.filter(([name]) => name !== 'content-length')))
    response.end(altered)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, close: () => void server.close().closeAllConnections() }
}

/** Signs in somebody with a class on Thursday at 15:00, whose phone has seen the dashboard. */
export async function withPhone(page: Page, site: Site, origin = '') {
  const story = await bookedMember(page, site)
  await page.goto(`${origin}/dashboard`)
  await workerReady(page)
  await expect.poll(() => noted(page)).toContain(story.booked.title)
  return story
}
