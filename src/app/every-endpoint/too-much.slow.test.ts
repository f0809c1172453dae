import { describe, expect, test } from 'vitest'
import { shareStudio } from '#testing/studio-under-test.ts'
import { openRequest, pathOf, writes } from './endpoints-under-test.ts'

const story = shareStudio()
const origin = () => story.studio.server.origin

describe('size limits', () => {
  const TEN_MEGABYTES = 10_000_000

  test.each(writes)('%s: refuses 10 MB immediately', async (_, endpoint) => {
    const body = JSON.stringify({ a: 'x'.repeat(TEN_MEGABYTES) })
    const response = await story.dora.request(endpoint.method, pathOf(endpoint), body)
    expect([response.status, response.body.message]).toEqual([413, 'This is too large to send at once.'])
    const visitor = await story.studio.visitor().request(endpoint.method, pathOf(endpoint), body)
    expect(visitor.status).toBe(endpoint.who === 'anyone' ? 413 : 401)
  })

  test('refuses an announced large body without waiting for it', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': String(TEN_MEGABYTES) }
    expect(await openRequest(origin(), 'POST', '/api/login', headers, [])).toBe(413)
    expect(await openRequest(origin(), 'POST', '/api/bookings', headers, [])).toBe(401)
  })

  test('stops reading a body without a length at the limit', async () => {
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    const pieces = Array.from({ length: 20 }, () => 'x'.repeat(10_000))
    expect(await openRequest(origin(), 'POST', '/api/login', headers, ['{"a":"', ...pieces])).toBe(413)
  })

  test('accepts exactly 100 kB but no more', async () => {
    const around = '{"username":"ana","password":"secret","more":""}'
    const body = (size: number) => around.replace('""', `"${'x'.repeat(size - around.length)}"`)
    expect((await story.studio.visitor().request('POST', '/api/login', body(100 * 1024))).status).toBe(401)
    expect((await story.studio.visitor().request('POST', '/api/login', body(100 * 1024 + 1))).status).toBe(413)
  })

  test('refuses oversized headers and keeps running', async () => {
    const headers = { 'x-long': 'x'.repeat(200_000) }
    expect(await openRequest(origin(), 'GET', '/api/packages', headers, []).catch(() => 431)).toBe(431)
    expect((await story.studio.visitor().request('GET', '/api/packages')).status).toBe(200)
  })
})
