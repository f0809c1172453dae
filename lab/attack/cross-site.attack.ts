import { describe, expect, test } from 'vitest'
import { keptBy, writes } from '#app/every-endpoint/endpoints-under-test.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { shareStudio } from '#testing/studio-under-test.ts'
import { callWith } from './callers.ts'

const story = shareStudio()
const readEverything = keptBy(story)

/** Headers that a foreign page's request can have. */
function foreignShapes(own: string): Record<string, string>[] {
  const { host, hostname, port } = new URL(own)
  const origins = [
    'null',
    '',
    'https://evil.example',
    'http://evil.example',
    `http://${hostname}`,
    `http://${hostname}:${Number(port) + 1}`,
    `https://${host}`,
    `http://${host}.evil.example`,
    `http://evil.example:${port}`,
    `http://${host}@evil.example`,
    `http://localhost:${port}`,
    `http://[::1]:${port}`,
    `http://www.${host}`,
    `file://${host}`,
    `chrome-extension://${host.replace(':', '')}`,
    `data:text/html,${host}`,
    `http://${host} http://evil.example`,
    'nonsense',
  ]
  return [
    ...origins.map((origin) => ({ origin })),
    ...origins.map((origin) => ({ origin, 'sec-fetch-site': 'same-site' })),
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site', origin: own },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
    { origin: 'https://evil.example', 'x-forwarded-proto': 'https', host: 'localhost' },
    { origin: 'https://evil.example', referer: `${own}/booking`, 'x-requested-with': 'XMLHttpRequest' },
  ]
}

describe('writes from foreign pages are refused', () => {
  test.each(writes)('%s', async (name, endpoint) => {
    const { studio, ana, dora } = story
    const before = await readEverything()
    const caller = endpoint.who === 'admin' ? dora : ana
    for (const headers of foreignShapes(studio.server.origin)) {
      const response = await callWith(caller, name, endpoint, '1', headers)
      expect([headers, response.status, response.body.message]).toEqual([
        headers,
        403,
        commonRefusals.cross_site_request.message,
      ])
      expect(response.headers.get('set-cookie')).toBeNull()
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
    expect(await readEverything()).toBe(before)
  })
})
