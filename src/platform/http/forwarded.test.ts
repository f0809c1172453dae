import { describe, expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { LIVE } from '#testing/live-settings.ts'
import { openEmptyStudio } from '#testing/studio-under-test.ts'

const FORWARDED = [
  ['x-forwarded-for', '203.0.113.9'],
  ['x-forwarded-proto', 'https'],
  ['x-forwarded-host', 'studio.example'],
  ['x-real-ip', '203.0.113.9'],
  ['forwarded', 'for=203.0.113.9'],
] as const

describe('live, without TRUST_PROXY', () => {
  test('refuses forwarded requests, logs what to do, and serves direct ones', async () => {
    const studio = await openEmptyStudio({ env: LIVE })
    const visitor = studio.visitor()
    for (const [name, value] of FORWARDED) {
      const response = await visitor.request('GET', '/api/packages', undefined, { [name]: value })
      expect(response, name).toBeRefused(commonRefusals.unknown_proxy)
    }
    expect(studio.logged.filter((line) => line.includes('TRUST_PROXY'))).toHaveLength(FORWARDED.length)
    expect((await visitor.request('GET', '/api/packages')).status).toBe(200)
  })

  test.each(['/healthz', '/readyz'])('serves %s to all', async (path) => {
    const studio = await openEmptyStudio({ env: LIVE })
    const response = await studio.visitor().request('GET', path, undefined, { 'x-forwarded-for': '203.0.113.9' })
    expect(response.status).toBe(200)
  })
})

test.each([{ ...LIVE, TRUST_PROXY: 'off' }, { ...LIVE, TRUST_PROXY: 'loopback' }, {}])(
  'accepts forwarded requests when TRUST_PROXY is set, and in the demo',
  async (env) => {
    const studio = await openEmptyStudio({ env })
    const response = await studio
      .visitor()
      .request('GET', '/api/packages', undefined, { 'x-forwarded-for': '203.0.113.9' })
    expect(response.status).toBe(200)
  },
)
