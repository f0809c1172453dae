import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { Endpoint } from '#foundation/endpoint.ts'
import type { Person } from '#testing/person.ts'
import { shareStudio } from '#testing/studio-under-test.ts'
import { all, emptyRequest, expectSentences, keptBy, pathOf, withBody, writes } from './endpoints-under-test.ts'
import { questions, samples } from './samples-under-test.ts'

const story = shareStudio()
const everythingKept = keptBy(story)

const UNSTORABLE = ['a\0b', '\0', '\ud800', 'a\udc00']
const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)
/** Sent in place of one field at a time. */
const hostileValues: unknown[] = [
  null,
  '',
  ' ',
  0,
  -1,
  1.5,
  99_999_999_999,
  1e308,
  true,
  [],
  [null],
  {},
  { toString: 1, valueOf: 2 },
  'x'.repeat(5000),
  '👩🏽‍🦰 e\u0301 مرحبا \u202E',
  "'; drop table users; --",
  '%s{{7*7}}#{7*7}',
  '2026-02-31',
  '__proto__',
  '\r\nSet-Cookie: session=evil',
  '\u2066isolated\u2069 \u001b[31mred',
  '</script><svg/onload=alert(1)>',
  '../../../etc/passwd%00',
  ...UNSTORABLE,
]
/** Sent in place of the whole body. */
const hostileBodies: string[] = [
  '{',
  '{"a":}',
  '\0',
  '\ufeff',
  'null',
  'true',
  '5',
  '"text"',
  '[]',
  '[{}]',
  '{"__proto__":{"isAdmin":true}}',
  '{"a":{"__proto__":{"isAdmin":true}}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '{"toString":null,"hasOwnProperty":1}',
  deep('[', ']', 45_000),
  `{"unknown":${deep('[', ']', 45_000)}}`,
  deep('{"a":', '}', 15_000).replace('}', '1}'),
  `{"unknown":"${'\\u0000'}"}`,
  `{"unknown":[{"deeper":"${'\\ud800'}"}]}`,
]

describe('responds to any input with a 2xx or a refusal; a refusal changes nothing', () => {
  beforeAll(async () => {
    const { studio } = story
    await studio.createClass('Tuesday 18:00')
    await studio.createPackage()
  })

  async function expectWhole(name: string, who: Person, endpoint: Endpoint, bodies: [string, unknown][]) {
    let before = await everythingKept()
    const seen: number[] = []
    for (const [what, body] of bodies) {
      const id = endpoint.path.includes(':userId') || endpoint.path.includes('/users/') ? story.boris.id : '1'
      const response = await who.request(endpoint.method, pathOf(endpoint, id), body)
      const context = `${name} with ${what}: ${response.status} ${JSON.stringify(response.body)}`
      seen.push(response.status)
      const after = await everythingKept()
      if (response.status >= 200 && response.status < 300) before = after
      else {
        expectSentences(response, context)
        expect(after, context).toBe(before)
      }
    }
    return seen
  }

  test.each(withBody)('%s: fields; refuses text that cannot be stored', async (name, endpoint) => {
    const sample = samples[name] ?? {}
    const sent = Object.keys(sample).flatMap((field) => [
      ...hostileValues.map((value) => ({ field, value, what: `${field} = ${JSON.stringify(value).slice(0, 40)}` })),
      { field, value: undefined, what: `no ${field}` },
    ])
    // Deletes an id that does not exist, because other tests need the class.
    const aside = endpoint.method === 'DELETE' ? { ...endpoint, path: endpoint.path.replace(':id', '999') } : endpoint
    const bodies = sent.map(({ field, value, what }): [string, unknown] => [what, { ...sample, [field]: value }])
    const seen = await expectWhole(name, story.dora, aside, bodies)
    expect(seen).toContain(400)
    for (const [place, { field, value, what }] of sent.entries()) {
      const isUnstorable = UNSTORABLE.some((text) => text === value) && typeof sample[field] === 'string'
      if (isUnstorable) expect([what, seen[place]]).toEqual([what, 400])
    }
  })

  test.each(writes)('%s: the whole body', async (name, endpoint) => {
    const aside = { ...endpoint, path: endpoint.path.replace(/:\w+/, '999') }
    await expectWhole(
      name,
      story.dora,
      aside,
      hostileBodies.map((body) => [body.slice(0, 40), body]),
    )
    const broken = await story.dora.request(endpoint.method, pathOf(aside), '{"broken')
    expect(broken.status).toBe(400)
    const polluting = await story.dora.request(endpoint.method, pathOf(aside), '{"__proto__":{"isAdmin":true}}')
    expect(polluting.status).toBe(400)
    expect({}).not.toHaveProperty('isAdmin')
  })

  test.each(withBody)('%s: an empty body is {}, whatever its content type', async (name, endpoint) => {
    const path = pathOf(endpoint, '999')
    const wanted = await story.dora.request(endpoint.method, path, {})
    for (const type of [undefined, 'application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      const response = await emptyRequest(story.dora, endpoint.method, path, type)
      expect([name, type, response.status, response.message]).toEqual([name, type, wanted.status, wanted.body.message])
    }
  })

  test.each(writes)('%s: returns 415 to anything but JSON', async (_, endpoint) => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'x']) {
      const response = await story.dora.request(endpoint.method, pathOf(endpoint), 'a=1', { 'content-type': type })
      expect([type, response.status, response.body.message]).toEqual([type, 415, 'Please send JSON.'])
    }
  })

  test.each(all.filter(([, { query }]) => query))('%s: its query', async (name, endpoint) => {
    const fields = Object.keys((endpoint.query as z.ZodObject).shape)
    const ask = (query: string) => story.dora.request(endpoint.method, `${pathOf(endpoint)}?${query}`)
    const values = [
      '',
      '%00',
      'a%00b',
      '-1',
      '1.5',
      'x',
      '%zz',
      '%ff',
      '%',
      '2026-13-01',
      '99999999999',
      'x'.repeat(5000),
    ]
    for (const field of fields) {
      for (const value of values) {
        for (const query of [`${field}=${value}`, `${field}=${value}&${field}=${value}`, `${field}[a]=${value}`]) {
          const response = await ask(query)
          if (response.status !== 200) expectSentences(response, `${name}?${query.slice(0, 50)}: ${response.status}`)
        }
      }
      expect((await ask(`${field}=a%00b`)).status).toBe(400)
    }
    if (endpoint.method !== 'GET') return
    const harmless = `${questions[name] ?? ''}&unknown=1&__proto__=2&constructor=3`
    const { status, body } = await ask(harmless)
    // The row may have been deleted by another test.
    if (endpoint.path.includes(':')) expect(body.code).not.toBe('validation_failed')
    else expect(status).toBe(200)
  })
})
