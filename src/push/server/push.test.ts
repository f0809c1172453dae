import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { login } from '#accounts/contract.ts'
import { endOneSession, listSessions } from '#accounts/contract-sessions.ts'
import { isOutdated } from '#booking/server/booking.ts'
import type { Alert } from '#messages/rules-alerts.ts'
import { deleteOwnAccount, exportOwnData } from '#privacy/contract.ts'
import { deleteClass, editClass } from '#schedule/contract.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { chooseNotifications, pushRefusals, readNotifications, subscribe, unsubscribe } from '../contract.ts'
import { pushKeys } from './keys.ts'
import { pushWorker } from './send-push.ts'

/** Has no types. */
const { decrypt } = createRequire(import.meta.url)('http_ece') as { decrypt(body: Buffer, options: object): Buffer }

type Received = { headers: IncomingHttpHeaders; notice: unknown }

/** A browser and its push service, which stands on this machine and decrypts what it receives. */
async function browser(name = 'phone') {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const auth = randomBytes(16)
  const received: Received[] = []
  const service = { status: 201 }
  const server = createServer((incoming, response) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      const plain = decrypt(Buffer.concat(parts), { version: 'aes128gcm', privateKey: keys, authSecret: auth })
      received.push({ headers: incoming.headers, notice: JSON.parse(plain.toString('utf8')) })
      response.writeHead(service.status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const subscription = {
    endpoint: `https://${name}.push.example/secret-${name}`,
    keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') },
  }
  /** Only tests may reach this machine: the address begins with https, as browsers give it. */
  const reach = {
    protocols: ['https:'],
    mayConnect: () => true,
    request: (_: URL, options: object, onResponse: Parameters<typeof request>[2]) =>
      request(`http://127.0.0.1:${port}/`, { ...options, lookup: undefined }, onResponse),
  }
  return { received, service, subscription, reach }
}
type Browser = Awaited<ReturnType<typeof browser>>

async function queued(studio: StudioUnderTest) {
  const { rows } = await studio.server.database.pool.query<{ data: { alert: Alert; sendAfter: string | null } }>(
    `select data from pgboss.job where name = 'push' order by created_on`,
  )
  return rows.map(({ data }) => data)
}

/** Sends what is queued, as the job does. */
async function send(studio: StudioUnderTest, { reach }: Browser) {
  const errors: string[] = []
  const work = pushWorker({
    database: studio.server.database,
    clock: studio.clock,
    keys: pushKeys(studio.settings.sessionSecret),
    isOutdated,
    reach,
    onError: ({ message }) => errors.push(message),
  })
  for (const job of await queued(studio)) await work(job, 'a-job')
  return errors
}

const notices = ({ received }: Browser) => received.map(({ notice }) => notice)

/** Ana has switched notifications on and has a place tomorrow. */
async function subscribed(options: { now?: string } = {}) {
  const story = await openStudio({ now: 'Monday 09:00', ...options })
  const phone = await browser()
  expect((await story.ana.call(subscribe, { body: phone.subscription })).status).toBe(200)
  const id = await story.studio.createClass('Tuesday 10:00')
  const { body: booking } = await story.ana.book(id)
  const move = async (startTime: string, endTime: string) =>
    expect((await story.dora.call(editClass, { params: { id }, body: { startTime, endTime } })).status).toBe(200)
  return { ...story, phone, id, bookingId: booking.id as number, move }
}

test('says that a class has moved, encrypted for one browser, signed with the site’s key, with a time to live', async () => {
  const { studio, ana, phone, move } = await subscribed()
  await move('11:00', '11:45')
  expect(await send(studio, phone)).toEqual([])
  const { publicKey } = await ana.read(readNotifications)
  const [first] = phone.received
  expect(first?.notice).toEqual({
    title: 'Your class has moved',
    body: 'Reformer on Tuesday 8 December, 10:00 is now on Tuesday 8 December, 11:00.',
    path: '/dashboard',
    tag: expect.stringMatching(/^[\w-]{32}$/),
  })
  // Until the class starts; a later one about the same class replaces it.
  expect(first?.headers).toMatchObject({ ttl: String(25 * 3600), urgency: 'high', 'content-encoding': 'aes128gcm' })
  expect(first?.notice).toMatchObject({ tag: first?.headers.topic })
  const [, token = '', key] = /^vapid t=(\S+), k=(\S+)$/.exec(String(first?.headers.authorization)) ?? []
  expect(key).toBe(publicKey)
  const [header = '', claims = '', signature = ''] = token.split('.')
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ aud: 'https://phone.push.example' })
  const point = Buffer.from(publicKey, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const isGenuine = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  expect(isGenuine).toBe(true)
  expect(JSON.stringify(phone.received)).not.toMatch(/Cast|Boris|health/i)
})

test('says nothing that is no longer true, or too late', async () => {
  const { studio, ana, phone, bookingId, move } = await subscribed()
  await move('11:00', '11:45')
  await ana.cancel(bookingId)
  await send(studio, phone)
  studio.travelTo('Tuesday 11:00')
  await send(studio, phone)
  expect(notices(phone)).toEqual([])
})

test('waits at night, unless the class is within six hours', async () => {
  const { studio, move } = await subscribed({ now: 'Monday 23:00' })
  await move('11:00', '11:45')
  expect((await queued(studio)).map(({ sendAfter }) => sendAfter)).toEqual(['2026-12-08T07:00:00Z'])
  const due = `select extract(epoch from start_after)::int from pgboss.job where name = 'push'`
  expect(await studio.count(due)).toBe(Temporal.Instant.from('2026-12-08T07:00:00Z').epochMilliseconds / 1000)
  studio.travelTo('Tuesday 05:30')
  await move('11:15', '12:00')
  expect((await queued(studio)).map(({ sendAfter }) => sendAfter)).toContain(null)
})

test('says once that a held place ends, although the job that finds it runs every minute', async () => {
  const { studio, ana, phone } = await subscribed()
  const id = await studio.createClass('Thursday 18:00')
  const companion = { firstName: 'Ben', lastName: 'Cast', email: 'ben@people.example' }
  expect((await ana.book(id, { companion })).status).toBe(201)
  for (const time of ['07:00', '07:01', '07:02']) {
    studio.travelTo(`Wednesday ${time}`)
    await studio.server.workers['end-holds']({}, 'a-job')
  }
  expect((await queued(studio)).map(({ alert }) => alert.kind)).toEqual(['hold_ending'])
  await send(studio, phone)
  expect(notices(phone)).toMatchObject([{ title: 'The place that you hold ends at 09:00' }])
})

test('waits for the morning when a retry comes into the night', async () => {
  const { studio, phone, move } = await subscribed({ now: 'Monday 21:59' })
  await move('11:00', '11:45')
  studio.travelTo('Monday 22:01')
  await send(studio, phone)
  expect(notices(phone)).toEqual([])
  expect((await queued(studio)).map(({ sendAfter }) => sendAfter)).toEqual([null, '2026-12-08T07:00:00Z'])
})

test('says that the studio has cancelled a class, and reminds of one, but not kinds that are switched off', async () => {
  const { studio, ana, dora, phone, id } = await subscribed()
  studio.travelTo('Monday 10:30')
  expect((await ana.call(chooseNotifications, { body: { off: ['class_reminder'] } })).body.off).toEqual([
    'class_reminder',
  ])
  await studio.server.workers['remind-members']({}, 'a-job')
  await send(studio, phone)
  expect(notices(phone)).toEqual([])
  await ana.call(chooseNotifications, { body: { off: [] } })
  await send(studio, phone)
  expect(notices(phone)).toMatchObject([{ title: expect.stringMatching(/^Your next class at /) }])
  await dora.call(deleteClass, { params: { id }, body: { applyToRecurring: false } })
  studio.travelTo('Monday 10:32')
  await studio.server.workers['email-cancellations']({}, 'a-job')
  await send(studio, phone)
  expect(notices(phone)).toMatchObject([{}, { title: 'Your class is cancelled' }])
})

describe('a subscription', () => {
  test('ends with its session, however that ends, and with the account', async () => {
    const { studio, ana } = await subscribed()
    const count = () => studio.count('select count(*) from push_subscriptions')
    const [session] = await ana.read(listSessions)
    expect(session).toMatchObject({ isCurrent: true, isNotified: true })
    expect((await ana.read(exportOwnData)).notifications).toEqual({
      devices: [{ service: 'phone.push.example', since: studio.clock.now().toString() }],
      off: [],
    })
    await ana.call(endOneSession, { params: { id: session?.id ?? '' } })
    expect(await count()).toBe(0)
    await ana.call(login, { body: { username: ana.email, password: ana.password } })
    await ana.call(subscribe, { body: (await browser('again')).subscription })
    expect(await count()).toBe(1)
    await ana.call(deleteOwnAccount)
    expect(await count()).toBe(0)
  })

  test('is not sent to once its session has expired', async () => {
    const { studio, phone, move } = await subscribed()
    await studio.server.database.pool.query(`update sessions set expires_at = $1`, [studio.clock.now().toString()])
    await studio.server.database.pool.query(
      `update sessions set expires_at = '2027-01-01' where user_id <> (select user_id from push_subscriptions)`,
    )
    await move('11:00', '11:45')
    expect(await queued(studio)).toEqual([])
    expect(notices(phone)).toEqual([])
  })

  test.each([404, 410])('is forgotten when the push service answers %s', async (status) => {
    const { studio, ana, phone, move } = await subscribed()
    phone.service.status = status
    await move('11:00', '11:45')
    expect(await send(studio, phone)).toEqual([])
    expect((await ana.read(readNotifications)).endpoint).toBeNull()
  })

  test('stays when the push service is busy, and the job is retried', async () => {
    const { studio, ana, phone, move } = await subscribed()
    phone.service.status = 503
    await move('11:00', '11:45')
    await expect(send(studio, phone)).rejects.toThrow('a push service answered 503')
    expect((await ana.read(readNotifications)).endpoint).toBe(phone.subscription.endpoint)
    phone.service.status = 403
    expect(await send(studio, phone)).toEqual(['a push service refused a notification (403)'])
  })

  test('belongs to the last account that registered it; a session has one; it can be ended', async () => {
    const { studio, ana, boris, phone } = await subscribed()
    await boris.call(subscribe, { body: phone.subscription })
    expect((await ana.read(readNotifications)).endpoint).toBeNull()
    const other = await browser('other')
    await boris.call(subscribe, { body: other.subscription })
    expect(await studio.count('select count(*) from push_subscriptions')).toBe(1)
    expect((await boris.read(readNotifications)).endpoint).toBe(other.subscription.endpoint)
    expect((await boris.call(unsubscribe)).status).toBe(200)
    expect((await boris.read(readNotifications)).endpoint).toBeNull()
  })

  test.each([
    'http://push.example/one',
    'https://127.0.0.1/one',
    'https://[::1]/one',
    'https://10.0.0.7:8443/one',
    'https://169.254.169.254/latest',
  ])('cannot lead to %s', async (endpoint) => {
    const { ana } = await openStudio()
    const { keys } = (await browser()).subscription
    expect(await ana.call(subscribe, { body: { endpoint, keys } })).toBeRefused(pushRefusals.not_a_push_service)
  })

  test('needs real keys', async () => {
    const { ana } = await openStudio()
    const { endpoint, keys } = (await browser()).subscription
    for (const wrong of [
      { ...keys, auth: 'AAAA' },
      { ...keys, p256dh: 'no key!' },
    ]) {
      expect((await ana.call(subscribe, { body: { endpoint, keys: wrong } })).status).toBe(400)
    }
  })
})

test('the keys are the same at every start, and others with another secret', () => {
  expect(pushKeys('a'.repeat(32))).toEqual(pushKeys('a'.repeat(32)))
  expect(pushKeys('a'.repeat(32)).publicKey).not.toBe(pushKeys('b'.repeat(32)).publicKey)
  expect(Buffer.from(pushKeys('a'.repeat(32)).publicKey, 'base64url')).toHaveLength(65)
})
