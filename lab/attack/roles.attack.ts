import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keptBy } from '#app/every-endpoint/endpoints-under-test.ts'
import { commonRefusals, type RefusalDefinition } from '#foundation/refusal.ts'
import { callWith, everyCall, otherSpellingsOf, rogues, stranger } from './callers.ts'

const story = {} as Awaited<ReturnType<typeof rogues>>
const readEverything = keptBy(story)
beforeAll(async () => void Object.assign(story, await rogues()))
afterAll(() => story.close())

const closed = everyCall.filter(([, , { who }]) => who !== 'anyone')
const forAdmins = everyCall.filter(([, , { who }]) => who === 'admin')

describe('without a valid session', () => {
  test.each(closed)(
    '%s: refuses no session, an ended one, and that of an erased account',
    async (_, name, endpoint) => {
      const before = await readEverything()
      for (const who of [story.nobody, story.ended, story.erased])
        expect([who.name, await callWith(who, name, endpoint)]).toEqual([
          who.name,
          refusedAs(commonRefusals.unauthorized),
        ])
      expect(await readEverything()).toBe(before)
    },
  )

  test.each(closed)('%s: refuses forged cookies', async (_, name, endpoint) => {
    const [, value = ''] = [...story.ana.cookies].find(([key]) => key === 'session') ?? []
    const [token = '', signature = ''] = decodeURIComponent(value).split('.')
    const forged = [
      token,
      `${token}.`,
      `${token}.${signature.slice(0, -2)}xx`,
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}.${signature}`,
      `.${signature}`,
      `${story.ana.id}.${signature}`,
      'true',
      'j:{"isAdmin":true}',
    ]
    for (const cookie of forged) {
      const response = await callWith(stranger(story.studio), name, endpoint, undefined, {
        cookie: `session=${encodeURIComponent(cookie)}`,
      })
      expect([cookie, response.status]).toEqual([cookie, 401])
    }
  })
})

describe('without admin rights', () => {
  test.each(forAdmins)('%s: refuses members, blocked members and demoted admins', async (_, name, endpoint) => {
    const before = await readEverything()
    for (const who of [story.ana, story.demoted, story.blocked])
      for (const id of [undefined, '1', story.dora.id, who.id])
        expect([who.name, await callWith(who, name, endpoint, id)]).toEqual([
          who.name,
          refusedAs(commonRefusals.forbidden),
        ])
    expect(await readEverything()).toBe(before)
  })

  test.each(forAdmins)('%s: ignores claims in headers, query and method', async (_, name, endpoint) => {
    const { ana } = story
    const claims: Record<string, string>[] = [
      { 'x-http-method-override': 'GET', 'x-method-override': 'GET' },
      { 'x-original-url': '/api/packages', 'x-rewrite-url': '/api/packages' },
      { 'x-forwarded-user': story.dora.email, 'x-user-id': story.dora.id, authorization: `Bearer ${story.dora.id}` },
      { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', 'x-forwarded-host': 'localhost' },
    ]
    for (const headers of claims) expect((await callWith(ana, name, endpoint, '1', headers)).status).toBe(403)
    const path = endpoint.path.replace(/:\w+/g, '1')
    for (const other of [`${path}?isAdmin=true`, `${path}?_method=GET`, `${path}?userId=${story.dora.id}`])
      expect((await ana.request(endpoint.method, other, endpoint.method === 'GET' ? undefined : {})).status).toBe(403)
    for (const other of otherSpellingsOf(path)) {
      const { status } = await ana.request(endpoint.method, other, endpoint.method === 'GET' ? undefined : {})
      expect([other, [403, 404].includes(status)]).toEqual([other, true])
    }
  })
})

const refusedAs = ({ status, code, message }: RefusalDefinition) =>
  expect.objectContaining({ status, body: { code, message } })
