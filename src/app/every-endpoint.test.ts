import http from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { Endpoint } from '../foundation/endpoint.ts'
import { commonRefusals } from '../foundation/refusal.ts'
import { endpoints } from '../testing/contracts.ts'
import type { Answer, Person } from '../testing/person.ts'
import { shareStudio } from '../testing/studio-under-test.ts'

const story = shareStudio()
const all = [...endpoints]
const withBody = all.filter(([, { body }]) => body)
const writes = all.filter(([, { method }]) => method !== 'GET')
const EVERY_METHOD = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** What each endpoint with a body takes without complaint about its form; a new endpoint must be added. */
const samples: Record<string, Record<string, unknown>> = {
  'accounts.login': { username: 'ana@people.example', password: 'not-her-secret' },
  'accounts.register': {
    email: 'ana@people.example',
    firstName: 'A',
    lastName: 'B',
    password: 'secret',
    username: 'abc',
  },
  'accounts.editUser': {
    username: 'boris',
    email: 'boris@people.example',
    firstName: 'B',
    lastName: 'C',
    isAdmin: false,
    ifUpdatedAt: null,
  },
  'accounts.verifyEmail': { token: 'unknown' },
  'accounts.resendVerification': { username: 'nobody@people.example' },
  'accounts.requestPasswordReset': { email: 'nobody@people.example' },
  'accounts.setPassword': { token: 'unknown', password: 'secret' },
  'accounts.addNote': { text: 'Prefers mornings' },
  'booking.bookClass': { classId: 1, userId: null, participantCount: 1, usePass: true },
  'booking.rescheduleBooking': { classId: 1 },
  'booking.editClass': {
    title: 'Duo',
    description: 'For two',
    date: '2026-12-09',
    startTime: '09:30',
    endTime: '10:15',
    instructorName: 'Eleanor',
    price: '65.00',
    passPrice: 50,
    isActive: true,
    maxParticipants: 2,
    applyToRecurring: false,
    ifUpdatedAt: null,
  },
  'booking.deleteClass': { applyToRecurring: false },
  'booking.markAttendance': { status: 'no_show' },
  'booking.cancelForMember': { returnCredit: true },
  'booking.returnForfeitedCredit': { reason: 'The bus broke down' },
  'health.saveQuestionnaire': {
    currentMedications: 'none',
    allergies: 'nuts',
    previousInjuries: '',
    chronicConditions: null,
    pregnancyStatus: 'not_pregnant',
    fitnessLevel: 'beginner',
    hasHeartCondition: false,
    hasHighBloodPressure: false,
    hasDiabetes: false,
    hasBackProblems: true,
    hasJointProblems: false,
    hasBreathingProblems: false,
    hasOtherConditions: false,
    exerciseFrequency: 'weekly',
    pilatesExperience: 'none',
    fitnessGoals: 'strength',
    specificConcerns: 'knee',
    marketingConsent: true,
  },
  'health.saveEmergencyContact': {
    contactName: 'Sam',
    relationship: 'Partner',
    phoneNumber: '01632 960199',
    email: 'sam@people.example',
  },
  'messages.subscribe': { email: 'reader@people.example' },
  'packages.createPackage': {
    name: 'Eight',
    description: 'Eight classes',
    price: '424.00',
    classCount: 8,
    validityMonths: 4,
    maxParticipants: 2,
    isLimitedOffer: false,
    purchaseOncePerUser: false,
  },
  'packages.editPackage': {
    name: 'Eight',
    description: 'Eight classes',
    price: '424.00',
    classCount: 8,
    validityMonths: 4,
    maxParticipants: 2,
    isLimitedOffer: false,
    purchaseOncePerUser: false,
    ifUpdatedAt: null,
  },
  'passes.giftCredits': { packageId: 1, creditsToGift: 1, expiryMonths: 12 },
  'payments.createPaymentIntent': { packageId: 1, amount: '424.00' },
  'payments.refundPurchase': { amount: '10.00', reason: 'To be kind', credits: 1 },
  'payments.decideRefund': { credits: 1 },
  'payments.purchasePackage': { packageId: 1, paymentIntentId: 'pi_unknown' },
  'privacy.openComplaint': { reason: 'About a bill' },
  'timetable.createClass': {
    title: 'Duo',
    description: 'For two',
    date: '2026-12-08',
    startTime: '09:30',
    endTime: '10:15',
    instructorName: 'Eleanor',
    price: '65.00',
    passPrice: 50,
    isActive: true,
    maxParticipants: 2,
    isRepeating: false,
    repeatFrequency: 'weekly',
    repeatUntilDate: '2026-12-20',
  },
}

/** What those lists need to be asked that do not answer without. */
const questions: Record<string, string> = {
  'booking.listSessions': 'from=2026-12-07&to=2026-12-08',
  'insights.getReport': 'from=2026-01-01&to=2026-12-31',
  'insights.exportReport': 'from=2026-01-01&to=2026-12-31',
}

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

/** The path with its parameters filled in; ids of things that are not there unless given. */
const pathOf = ({ path }: Endpoint, id = '2147483647') => path.replace(/:\w+/g, id)

const kept = { asOf: '', sum: '' }
/**
 * A checksum of all that is kept, the outbox included; counters of failed logins are meant to change. Computed anew
 * only when some transaction has written since.
 */
async function everythingKept(): Promise<string> {
  const { pool } = story.studio.server.database
  const { rows: now } = await pool.query('select pg_snapshot_xmax(pg_current_snapshot())::text as "asOf"')
  if (now[0].asOf === kept.asOf) return kept.sum
  const { rows } = await pool.query(`
    select table_schema || '.' || table_name as name from information_schema.tables
    where (table_schema = 'public' and table_name not in ('migrations', 'throttles')) or (table_schema, table_name) = ('pgboss', 'job')
    order by 1`)
  expect(rows.length).toBeGreaterThan(15)
  const sums = rows.map(
    ({ name }) => `(select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from ${name} t)`,
  )
  const { rows: sum } = await pool.query(`select ${sums.join(" || ':' || ")} as all`)
  return Object.assign(kept, { asOf: now[0].asOf, sum: sum[0].all }).sum
}

/** A failure is told in a sentence, at the top and beside each field. */
function expectSentences({ status, body }: Answer, what: string) {
  expect(status, what).toBeGreaterThanOrEqual(400)
  expect(status, what).toBeLessThan(500)
  const sentences = [body.message, ...(body.errors ?? []).map((error: { message: string }) => error.message)]
  for (const sentence of sentences) {
    expect(sentence, what).toMatch(/^[A-Z][^{}[\]<>]{5,}$/)
    expect(sentence, what).not.toMatch(/undefined|null|NaN|expected|Invalid input|ZodError|JSON at|FST_|position/)
  }
  expect(Object.keys(body).sort(), what).toEqual(body.errors ? ['errors', 'message'] : ['message'])
}

test('the table of contracts is whole: everything the specification calls is in it', () => {
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

describe('who may call', () => {
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

  test.each(all.filter(([, { who }]) => who === 'admin'))('%s: a member gets 403', async (_, endpoint) => {
    const before = await everythingKept()
    const { ana } = story
    const url = pathOf(endpoint)
    expect(await ana.request(endpoint.method, url)).toBeRefused(commonRefusals.forbidden)
    expect(await ana.request(endpoint.method, pathOf(endpoint, 'abc'))).toBeRefused(commonRefusals.forbidden)
    if (endpoint.method !== 'GET') {
      expect(await ana.request(endpoint.method, url, garbage)).toBeRefused(commonRefusals.forbidden)
    }
    expect(await everythingKept()).toBe(before)
  })

  test.each(all.filter(([, { who }]) => who === 'anyone'))('%s: anybody may', async (_, endpoint) => {
    const answer = await story.studio.visitor().request(endpoint.method, pathOf(endpoint))
    // What is named in the path is not there.
    expect(endpoint.params ? [404] : [200, 400]).toContain(answer.status)
  })

  test.each(all.filter(([, { who, method, params }]) => who !== 'anyone' && method === 'GET' && !params))(
    '%s: those who may get an answer',
    async (name, endpoint) => {
      const who = endpoint.who === 'admin' ? story.dora : story.ana
      for (const path of [endpoint.path, ...(endpoint.alias ?? [])]) {
        expect((await who.request('GET', `${path}?${questions[name] ?? ''}`)).status).toBe(200)
      }
    },
  )
})

describe('a write from another site changes nothing', () => {
  test.each(writes)('%s', async (name, endpoint) => {
    const before = await everythingKept()
    const answer = await story.dora.request(endpoint.method, pathOf(endpoint), samples[name] ?? {}, {
      'sec-fetch-site': 'cross-site',
    })
    expect(answer).toBeRefused(commonRefusals.cross_site)
    expect(await everythingKept()).toBe(before)
  })
})

describe('whatever is sent, the answer is a 2xx or a sentence, and a refusal leaves nothing behind', () => {
  beforeAll(async () => {
    const { studio } = story
    await studio.class('Tuesday 18:00')
    await studio.package()
  })

  async function expectWhole(name: string, who: Person, endpoint: Endpoint, bodies: [string, unknown][]) {
    let before = await everythingKept()
    const seen: number[] = []
    for (const [what, body] of bodies) {
      const id = endpoint.path.includes(':userId') || endpoint.path.includes('/users/') ? story.boris.id : '1'
      const answer = await who.request(endpoint.method, pathOf(endpoint, id), body)
      const told = `${name} with ${what}: ${answer.status} ${JSON.stringify(answer.body)}`
      seen.push(answer.status)
      const after = await everythingKept()
      if (answer.status >= 200 && answer.status < 300) before = after
      else {
        expectSentences(answer, told)
        expect(after, told).toBe(before)
      }
    }
    return seen
  }

  test('every endpoint with a body has a sample of all its fields', () => {
    expect(Object.keys(samples).sort()).toEqual(withBody.map(([name]) => name).sort())
    for (const [name, { body }] of withBody) {
      const { shape } = body as z.ZodObject
      expect(Object.keys(samples[name] ?? {}).sort(), name).toEqual(Object.keys(shape).sort())
    }
  })

  test.each(withBody)('%s: its fields', async (name, endpoint) => {
    const sample = samples[name] ?? {}
    const bodies = Object.keys(sample).flatMap((field) =>
      hostileValues.map((value): [string, unknown] => [
        `${field} = ${JSON.stringify(value).slice(0, 40)}`,
        { ...sample, [field]: value },
      ]),
    )
    const missing = Object.keys(sample).map((field): [string, unknown] => [
      `no ${field}`,
      { ...sample, [field]: undefined },
    ])
    // Deleting is tried on what is not there: the class is needed by others.
    const aside = endpoint.method === 'DELETE' ? { ...endpoint, path: endpoint.path.replace(':id', '999') } : endpoint
    const seen = await expectWhole(name, story.dora, aside, [...bodies, ...missing])
    expect(seen).toContain(400)
  })

  test.each(withBody)('%s: unstorable text is refused in every field', async (name, endpoint) => {
    for (const [field, value] of Object.entries(samples[name] ?? {})) {
      if (typeof value !== 'string') continue
      for (const text of UNSTORABLE) {
        const answer = await story.dora.request(endpoint.method, pathOf(endpoint, '1'), {
          ...samples[name],
          [field]: text,
        })
        expect([field, text, answer.status]).toEqual([field, text, 400])
      }
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
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })

  test.each(withBody)('%s: an empty body is {}, whatever its content type', async (name, endpoint) => {
    const path = pathOf(endpoint, '999')
    const wanted = await story.dora.request(endpoint.method, path, {})
    for (const type of [undefined, 'application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      const answer = await emptyRequest(story.dora, endpoint.method, path, type)
      expect([name, type, answer.status, answer.message]).toEqual([name, type, wanted.status, wanted.body.message])
    }
  })

  test.each(writes)('%s: what is not JSON is 415', async (_, endpoint) => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'x']) {
      const answer = await story.dora.request(endpoint.method, pathOf(endpoint), 'a=1', { 'content-type': type })
      expect([type, answer.status, answer.body.message]).toEqual([type, 415, 'Please send JSON.'])
    }
  })

  test.each(all.filter(([, { query }]) => query))('%s: its query', async (name, endpoint) => {
    const fields = Object.keys((endpoint.query as z.ZodObject).shape)
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
          const answer = await story.dora.request('GET', `${endpoint.path}?${query}`)
          if (answer.status !== 200) expectSentences(answer, `${name}?${query.slice(0, 50)}: ${answer.status}`)
        }
      }
      expect((await story.dora.request('GET', `${endpoint.path}?${field}=a%00b`)).status).toBe(400)
    }
    const harmless = `${questions[name] ?? ''}&unknown=1&__proto__=2&constructor=3`
    expect((await story.dora.request('GET', `${endpoint.path}?${harmless}`)).status).toBe(200)
  })
})

describe('an id that cannot exist is not found', () => {
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
      const answer = await story.dora.request(endpoint.method, pathOf(endpoint, id), body)
      const what = `${name} of ${id.slice(0, 20)}: ${answer.status} ${JSON.stringify(answer.body)}`
      expect(answer.status, what).toBe(404)
      expectSentences(answer, what)
      expect(answer.headers.get('x-content-type-options'), what).toBe('nosniff')
    }
    expect(await everythingKept()).toBe(before)
  })
})

describe('what is not there', () => {
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
      const answer = await story.dora.request(method, path, method === 'GET' ? undefined : {})
      expect(answer).toBeRefused(commonRefusals.not_found)
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    }
  })

  const known = new Set(
    all.flatMap(([, { method, path, alias = [] }]) => [path, ...alias].map((each) => `${method} ${shape(each)}`)),
  )
  test.each(all)('%s: a method it does not have', async (_, endpoint) => {
    for (const method of EVERY_METHOD) {
      if (known.has(`${method} ${shape(endpoint.path)}`)) continue
      // GET /api/bookings/:id is free, but /api/user/bookings is not: only what is known to nobody.
      const answer = await story.dora.request(method, pathOf(endpoint, '1'), method === 'GET' ? undefined : {})
      expect([404, 405], `${method} ${endpoint.path}`).toContain(answer.status)
      expectSentences(answer, `${method} ${endpoint.path}`)
    }
  })
})

describe('too much', () => {
  const TEN_MEGABYTES = 10_000_000

  test.each(writes)('%s: 10 MB are refused at once', async (_, endpoint) => {
    const body = JSON.stringify({ a: 'x'.repeat(TEN_MEGABYTES) })
    const answer = await story.dora.request(endpoint.method, pathOf(endpoint), body)
    expect([answer.status, answer.body.message]).toEqual([413, 'This is too much to send at once.'])
    const visitor = await story.studio.visitor().request(endpoint.method, pathOf(endpoint), body)
    expect(visitor.status).toBe(endpoint.who === 'anyone' ? 413 : 401)
  })

  test('a body that is announced and never sent is refused without waiting for it', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': String(TEN_MEGABYTES) }
    expect(await openRequest('POST', '/api/login', headers, [])).toBe(413)
    expect(await openRequest('POST', '/api/bookings', headers, [])).toBe(401)
  })

  test('a body without a length is cut off where it is too much', async () => {
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    const pieces = Array.from({ length: 20 }, () => 'x'.repeat(10_000))
    expect(await openRequest('POST', '/api/login', headers, ['{"a":"', ...pieces])).toBe(413)
  })

  test('100 kB are taken, one byte more is not', async () => {
    const around = '{"username":"ana","password":"secret","more":""}'
    const body = (size: number) => around.replace('""', `"${'x'.repeat(size - around.length)}"`)
    expect((await story.studio.visitor().request('POST', '/api/login', body(100 * 1024))).status).toBe(401)
    expect((await story.studio.visitor().request('POST', '/api/login', body(100 * 1024 + 1))).status).toBe(413)
  })

  test('headers beyond all measure are refused, and the server goes on', async () => {
    const headers = { 'x-long': 'x'.repeat(200_000) }
    expect(await openRequest('GET', '/api/packages', headers, []).catch(() => 431)).toBe(431)
    expect((await story.studio.visitor().request('GET', '/api/packages')).status).toBe(200)
  })
})

describe('text is kept exactly as sent, a name without the blanks around it', () => {
  const NAMES = /^(title|instructorName|name|firstName|contactName)$/
  const texts = [
    'Zoë 👩🏽‍🦰 日本',
    'مرحبا بالعالم \u202E x',
    ' kept  spaces ',
    'O\'Neill "<b>&amp;</b>" \\ %00 $1',
    'e\u0301 ﷽ \u{10FFFF}',
  ]
  const kept: [string, string, (sent: object, text: string) => Promise<Answer>, (body: never) => unknown][] = [
    ['a class’s title', 'title', (s) => sends('timetable.createClass', s), (b: { title: string }) => b.title],
    [
      'its description',
      'description',
      (s) => sends('timetable.createClass', s),
      (b: { description: string }) => b.description,
    ],
    [
      'its instructor',
      'instructorName',
      (s) => sends('timetable.createClass', s),
      (b: { instructorName: string }) => b.instructorName,
    ],
    ['a package’s name', 'name', (s) => sends('packages.createPackage', s), (b: { name: string }) => b.name],
    [
      'its description',
      'description',
      (s) => sends('packages.createPackage', s),
      (b: { description: string }) => b.description,
    ],
    ['a user’s name', 'firstName', (s) => sends('accounts.editUser', s), (b: { firstName: string }) => b.firstName],
    [
      'a contact’s name',
      'contactName',
      (s) => sends('health.saveEmergencyContact', s),
      (b: { name: string }) => b.name,
    ],
    [
      'a relationship',
      'relationship',
      (s) => sends('health.saveEmergencyContact', s),
      (b: { relationship: string }) => b.relationship,
    ],
    ['an answer', 'allergies', (s) => sends('health.saveQuestionnaire', s), (b: { allergies: string }) => b.allergies],
    [
      'a long answer',
      'specificConcerns',
      (s) => sends('health.saveQuestionnaire', s),
      (b: { specificConcerns: string }) => b.specificConcerns,
    ],
  ]

  function sends(name: string, change: object): Promise<Answer> {
    const endpoint = endpoints.get(name) as Endpoint
    return story.dora.request(endpoint.method, pathOf(endpoint, story.boris.id), { ...samples[name], ...change })
  }

  test.each(kept)('%s (%s)', async (_, field, send, read) => {
    for (const text of texts) {
      const { status, body } = await send({ [field]: text, unknownField: 'x' }, text)
      expect([200, 201]).toContain(status)
      expect(read(body as never)).toBe(NAMES.test(field) ? text.trim() : text)
      expect(body).not.toHaveProperty('unknownField')
    }
  })

  test('and read back so', async () => {
    const { dora } = story
    await sends('health.saveQuestionnaire', { allergies: texts[1] })
    expect((await dora.request('GET', '/api/health/questionnaire')).body.allergies).toBe(texts[1])
    const { body: made } = await sends('timetable.createClass', { title: texts[0] })
    const { body: listed } = await dora.request('GET', '/api/classes')
    expect(listed.find(({ id }: { id: number }) => id === made.id).title).toBe(texts[0])
  })

  test('5,000 characters are kept in a long text and refused in a name', async () => {
    const long = 'ß'.repeat(5000)
    expect((await sends('health.saveQuestionnaire', { allergies: long })).body.allergies).toBe(long)
    for (const [name, field] of [
      ['packages.createPackage', 'name'],
      ['timetable.createClass', 'title'],
      ['accounts.editUser', 'firstName'],
      ['accounts.editUser', 'username'],
      ['health.saveEmergencyContact', 'contactName'],
    ] as const) {
      const { status, body } = await sends(name, { [field]: long })
      expect([name, status, body.errors?.[0]?.path]).toEqual([name, 400, field])
    }
  })
})

/** `/api/classes/:id` and `/api/classes/:classId` are one path. */
function shape(path: string): string {
  return path.replace(/:\w+/g, ':')
}

function cookieOf(who: Person): string {
  return [...who.cookies].map((pair) => pair.join('=')).join('; ')
}

/** A request with `content-length: 0` and a content type of choice, which fetch cannot send. */
function emptyRequest(who: Person, method: string, path: string, type: string | undefined) {
  return new Promise<{ status: number; message: string | undefined }>((resolve, reject) => {
    const headers = { cookie: cookieOf(who), 'content-length': '0', ...(type && { 'content-type': type }) }
    const request = http.request(story.studio.server.origin + path, { method, headers }, (response) => {
      let text = ''
      response.on('data', (piece) => {
        text += piece
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, message: JSON.parse(text).message }))
    })
    request.on('error', reject).end()
  })
}

/** Sends headers and some of the body, never ends it, and answers the status that comes all the same. */
function openRequest(method: string, path: string, headers: Record<string, string>, pieces: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request(story.studio.server.origin + path, { method, headers, agent: false })
    request.on('response', (response) => {
      resolve(response.statusCode ?? 0)
      request.destroy()
    })
    request.on('error', reject)
    request.flushHeaders()
    for (const piece of pieces) request.write(piece)
  })
}
