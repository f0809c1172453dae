import { beforeAll, describe, expect, test } from 'vitest'
import { expectSentences, pathOf, withBody, writes } from '#app/every-endpoint/endpoints-under-test.ts'
import { samples } from '#app/every-endpoint/samples-under-test.ts'
import { shareStudio } from '#testing/studio-under-test.ts'
import { everyCall } from './callers.ts'
import { NAUGHTY } from './naughty.ts'

const story = shareStudio()
beforeAll(async () => {
  await story.studio.createClass('Tuesday 18:00')
  await story.studio.createPackage()
})

/** Lines of the log that report a fault. */
const faultsIn = (logged: readonly string[]) => logged.filter((line) => /"level":(50|60)/.test(line))

describe('naughty texts in every field are accepted or refused with a sentence', () => {
  test.each(withBody)('%s', async (name, endpoint) => {
    const sample = samples[name] ?? {}
    const id = /:userId|\/users\//.test(endpoint.path) ? story.boris.id : '1'
    const path = pathOf(
      endpoint.method === 'DELETE' ? { ...endpoint, path: endpoint.path.replace(':id', '999') } : endpoint,
      id,
    )
    for (const field of Object.keys(sample)) {
      for (const text of NAUGHTY) {
        for (const value of [text, [text], { [text]: text }]) {
          const response = await story.dora.request(endpoint.method, path, { ...sample, [field]: value })
          const what = `${name} with ${field} = ${JSON.stringify(value).slice(0, 60)}: ${response.status}`
          if (response.status >= 300) expectSentences(response, what)
          // Input never becomes a header, and a response is never HTML.
          expect(response.headers.get('x-content-type-options'), what).toBe('nosniff')
          expect(response.headers.get('content-type') ?? '', what).not.toContain('html')
        }
      }
    }
    expect(faultsIn(story.studio.logged)).toEqual([])
  })

  test.each(everyCall.filter(([, , { path }]) => path.includes(':')))('%s, in its path', async (_, _name, endpoint) => {
    for (const text of NAUGHTY) {
      const response = await story.dora.request(
        endpoint.method,
        pathOf(endpoint, encodeURIComponent(text)),
        endpoint.method === 'GET' ? undefined : {},
      )
      expect([text.slice(0, 40), [400, 404, 413].includes(response.status)]).toEqual([text.slice(0, 40), true])
    }
    expect(faultsIn(story.studio.logged)).toEqual([])
  })

  test('in headers and cookies', async () => {
    const { studio, ana } = story
    const ascii = NAUGHTY.filter((text) => /^[\x20-\x7e]*$/.test(text))
    for (const text of ascii) {
      for (const header of [
        'cookie',
        'user-agent',
        'accept',
        'accept-encoding',
        'accept-language',
        'idempotency-key',
        'if-none-match',
        'if-modified-since',
        'referer',
        'x-forwarded-for',
        'x-forwarded-proto',
        'authorization',
        'range',
      ]) {
        const response = await studio.visitor().request('GET', '/api/packages', undefined, { [header]: text })
        expect([header, text.slice(0, 40), response.status < 500]).toEqual([header, text.slice(0, 40), true])
      }
      const cookie = `session=${text}; ${text}=x`
      expect((await studio.visitor().request('GET', '/api/auth/user', undefined, { cookie })).status).toBe(401)
      const keyed = await ana.request('POST', '/api/bookings', { classId: 999 }, { 'idempotency-key': text })
      expect(keyed.status).toBeLessThan(500)
    }
    expect(faultsIn(studio.logged)).toEqual([])
  })

  test.each(writes)('%s: as a field name', async (name, endpoint) => {
    const many = Object.fromEntries(NAUGHTY.map((text) => [text, text]))
    const response = await story.dora.request(endpoint.method, pathOf(endpoint, '999'), { ...samples[name], ...many })
    expect(response.status).toBeLessThan(500)
    expect({}).not.toHaveProperty('isAdmin')
  })
})
