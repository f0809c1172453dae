import { beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#foundation/endpoint.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import type { Person } from '#testing/person.ts'
import { shareStudio } from '#testing/studio-under-test.ts'
import { all, EVERY_METHOD, expectSentences, keptBy, pathOf, writes } from './endpoints-under-test.ts'
import { questions, samples } from './samples-under-test.ts'

const story = shareStudio()
const everythingKept = keptBy(story)
let tom: Person
beforeAll(async () => {
  tom = await story.studio.teacher('Tom')
})

test('the list of contracts contains every specified endpoint', () => {
  const known = all.flatMap(([, { method, path, alias = [] }]) => [path, ...alias].map((each) => `${method} ${each}`))
  const specified = `GET /api/auth/user, POST /api/login, POST /api/register, GET /api/classes, GET /api/packages,
    GET /api/user/passes, GET /api/user-passes, GET /api/bookings/upcoming, GET /api/user/bookings/upcoming,
    GET /api/user/bookings, POST /api/bookings, PUT /api/bookings/:id/cancel, GET /api/health/questionnaire,
    GET /api/health/emergency-contact, POST /api/health/questionnaire, POST /api/health/emergency-contact,
    POST /api/create-payment-intent, POST /api/purchase-package, GET /api/admin/users, GET /api/admin/bookings,
    GET /api/admin/packages, GET /api/admin/analytics, GET /api/admin/health-updates, POST /api/classes,
    PUT /api/classes/:id, DELETE /api/classes/:id, POST /api/packages, PUT /api/packages/:id, DELETE /api/packages/:id,
    PATCH /api/admin/packages/:id/toggle-visibility, PUT /api/admin/users/:id, DELETE /api/admin/users/:id,
    POST /api/admin/users/:userId/gift-credits, DELETE /api/admin/user-passes/:id,
    POST /api/admin/health-updates/:id/mark-sent`.split(/,\s+/)
  expect(specified).toHaveLength(35)
  expect(specified.filter((call) => !known.includes(call))).toEqual([])
  expect(new Set(known).size).toBe(known.length)
})

describe('permissions', () => {
  const garbage = '{"broken'

  test.each(all.filter(([, { who }]) => who !== 'anyone'))('%s: a visitor gets 401', async (_, endpoint) => {
    const visitor = story.studio.visitor()
    for (const path of [endpoint.path, ...(endpoint.alias ?? [])]) {
      const url = pathOf({ ...endpoint, path })
      expect(await visitor.request(endpoint.method, url)).toBeRefused(commonRefusals.unauthorized)
      if (endpoint.method === 'GET') continue
      expect(await visitor.request(endpoint.method, url, garbage)).toBeRefused(commonRefusals.unauthorized)
    }
  })

  async function expectForbidden(person: Person, endpoint: Endpoint) {
    const before = await everythingKept()
    const url = pathOf(endpoint)
    expect(await person.request(endpoint.method, url)).toBeRefused(commonRefusals.forbidden)
    expect(await person.request(endpoint.method, pathOf(endpoint, 'abc'))).toBeRefused(commonRefusals.forbidden)
    if (endpoint.method !== 'GET') {
      expect(await person.request(endpoint.method, url, garbage)).toBeRefused(commonRefusals.forbidden)
    }
    expect(await everythingKept()).toBe(before)
  }

  test.each(all.filter(([, { who }]) => who === 'admin' || who === 'teacher'))('%s: a member gets 403', (_, endpoint) =>
    expectForbidden(story.ana, endpoint),
  )

  test.each(all.filter(([, { who }]) => who === 'admin'))('%s: a teacher gets 403', (_, endpoint) =>
    expectForbidden(tom, endpoint),
  )

  test('no address under /api/admin is for teachers', () => {
    const forTeachers = all.filter(([, { who }]) => who === 'teacher').map(([, { path }]) => path)
    expect(forTeachers.filter((path) => path.startsWith('/api/admin'))).toEqual([])
  })

  test.each(all.filter(([, { who }]) => who === 'anyone'))('%s: anyone may call', async (_, endpoint) => {
    const response = await story.studio.visitor().request(endpoint.method, pathOf(endpoint))
    // The ids in the path do not exist.
    expect(endpoint.params ? [404] : [200, 400]).toContain(response.status)
  })

  test.each(all.filter(([, { who, method, params }]) => who !== 'anyone' && method === 'GET' && !params))(
    '%s: permitted callers get a response',
    async (name, endpoint) => {
      const who = { anyone: story.ana, member: story.ana, teacher: tom, admin: story.dora }[endpoint.who]
      for (const path of [endpoint.path, ...(endpoint.alias ?? [])]) {
        expect((await who.request('GET', `${path}?${questions[name] ?? ''}`)).status).toBe(200)
      }
    },
  )
})

describe('refuses cross-site writes', () => {
  test.each(writes)('%s', async (name, endpoint) => {
    const before = await everythingKept()
    const response = await story.dora.request(endpoint.method, pathOf(endpoint), samples[name] ?? {}, {
      'sec-fetch-site': 'cross-site',
    })
    expect(response).toBeRefused(commonRefusals.cross_site_request)
    expect(await everythingKept()).toBe(before)
  })
})

describe('returns 404 to impossible ids', () => {
  const ids = [
    'abc',
    '0',
    '-1',
    '1.5',
    '99999999999',
    '1e3',
    '0x1',
    '%201',
    '%00',
    'a%00',
    '%zz',
    '%ff',
    '%2F',
    '%F0%9F%92%A9',
  ]
  test.each(all.filter(([, { path }]) => path.includes(':')))('%s', async (name, endpoint) => {
    const before = await everythingKept()
    for (const id of [...ids, 'x'.repeat(90), 'x'.repeat(101), '9'.repeat(8000)]) {
      const body = endpoint.method === 'GET' ? undefined : (samples[name] ?? {})
      const response = await story.dora.request(endpoint.method, pathOf(endpoint, id), body)
      const what = `${name} of ${id.slice(0, 20)}: ${response.status} ${JSON.stringify(response.body)}`
      expect(response.status, what).toBe(404)
      expectSentences(response, what)
      expect(response.headers.get('x-content-type-options'), what).toBe('nosniff')
    }
    expect(await everythingKept()).toBe(before)
  })
})

test('responses with secrets, sessions and health answers are declared private, so that none is stored', () => {
  const ofWrites = writes.filter(([, { isPrivate }]) => isPrivate).map(([name]) => name)
  expect(ofWrites.toSorted()).toEqual([
    'accounts.beginPasskey',
    'accounts.beginPasskeySignIn',
    'accounts.beginSecondStep',
    'accounts.beginStepUp',
    'accounts.renewRecoveryCodes',
    'calendar.createCalendar',
    'health.markHealthUpdateSent',
    'health.saveEmergencyContact',
    'health.saveQuestionnaire',
    'privacy.deleteOwnAccount',
    'push.chooseNotifications',
    'push.subscribe',
  ])
})

describe('unknown paths and methods', () => {
  test.each([
    '/api',
    '/api/',
    '/api/unknown',
    '/api/classes/',
    '/api//classes',
    '/api/bookings/1/cancel/x',
    '/api/%zz',
    '/api/Classes',
  ])('%s is 404, in JSON', async (path) => {
    for (const method of EVERY_METHOD) {
      const response = await story.dora.request(method, path, method === 'GET' ? undefined : {})
      expect(response).toBeRefused(commonRefusals.not_found)
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    }
  })

  const known = new Set(
    all.flatMap(([, { method, path, alias = [] }]) => [path, ...alias].map((each) => `${method} ${shape(each)}`)),
  )
  test.each(all)('%s: refuses other methods', async (_, endpoint) => {
    for (const method of EVERY_METHOD) {
      if (known.has(`${method} ${shape(endpoint.path)}`)) continue
      // Only paths that no endpoint matches.
      const response = await story.dora.request(method, pathOf(endpoint, '1'), method === 'GET' ? undefined : {})
      expect([404, 405], `${method} ${endpoint.path}`).toContain(response.status)
      expectSentences(response, `${method} ${endpoint.path}`)
    }
  })
})

/** `/api/classes/:id` and `/api/classes/:classId` are the same path. */
function shape(path: string): string {
  return path.replace(/:\w+/g, ':')
}
