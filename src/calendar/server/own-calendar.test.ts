import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { type AttentionItem, listAttention } from '#attention/contract.ts'
import { isPublicAddress, PUBLIC_INTERNET } from '#platform/http/public-internet.ts'
import { secretBox } from '#platform/vault/secret-box.ts'
import { createVault } from '#platform/vault/vault.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { listBusyTimes, listTermClashes, readOwnCalendar, removeOwnCalendar, setOwnCalendar } from '../contract-own.ts'
import { fetchCalendar } from './fetch-calendar.ts'
import { pollOwnCalendar, setOwnCalendar as saveAddress } from './own-calendar.ts'
import { readBusyTimes } from './read-busy-times.ts'

/** Only tests may read from this machine. */
const LOOPBACK = { protocols: ['http:'], mayConnect: (address: string) => address === '127.0.0.1', request }
const file = (...events: string[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...events.flatMap((one) => ['BEGIN:VEVENT', ...one.split('\n'), 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ].join('\r\n')
const DENTIST =
  'UID:1\nSUMMARY:Dentist\nDTSTART;TZID=Europe/London:20261208T090000\nDTEND;TZID=Europe/London:20261208T100000'

/** A server with a calendar whose response tests can change. */
async function calendarServer(reply: { status: number; text: string | Buffer; location?: string; length?: number }) {
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    asked.push(request.headers['if-none-match'])
    if (request.headers['if-none-match'] === '"1"') return response.writeHead(304).end()
    response.writeHead(reply.status, { etag: '"1"', ...(reply.location && { location: reply.location }) })
    response.end(reply.length ? Buffer.alloc(reply.length, 'x') : reply.text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { asked, reply, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path.ics` }
}

async function connected(reply: Parameters<typeof calendarServer>[0] = { status: 200, text: file(DENTIST) }) {
  const story = await openStudio()
  const { studio, dora } = story
  const calendar = await calendarServer(reply)
  const secrets = secretBox(createVault(studio.settings.healthDataKeys), 'calendar-address')
  const { transaction } = studio.server.database
  await transaction((tx) => saveAddress(tx, secrets, dora, calendar.address, studio.clock.now()))
  const poll = () => pollOwnCalendar({ transaction }, secrets, studio.clock.now(), { reach: LOOPBACK, random: () => 0 })
  const busy = async () => (await dora.call(listBusyTimes, { query: { from: '2026-12-01', to: '2026-12-31' } })).body
  return { ...story, calendar, poll, busy }
}

test('keeps only busy times, and neither the address nor a title in clear, the log or the record', async () => {
  const { studio, dora, calendar, poll, busy } = await connected()
  await poll()
  expect(await busy()).toEqual([{ startsAt: '2026-12-08T09:00:00Z', endsAt: '2026-12-08T10:00:00Z', isAllDay: false }])
  expect((await dora.call(readOwnCalendar)).body).toMatchObject({
    failure: null,
    readAt: studio.clock.now().toString(),
  })
  const { pool } = studio.server.database
  for (const table of ['own_calendar', 'busy_times', 'audit_log']) {
    const { rows } = await pool.query(`select t::text as row from ${table} t`)
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toMatch(/secret-path|Dentist/)
  }
  expect(studio.logged.join('\n')).not.toMatch(/secret-path|Dentist/)

  // Not due before 15 minutes; then an unchanged calendar is not sent again, until the next day.
  calendar.reply.text = file()
  studio.clock.advance({ minutes: 14 })
  await poll()
  studio.clock.advance({ minutes: 1 })
  await poll()
  expect(calendar.asked).toEqual([undefined, '"1"'])
  expect(await busy()).toHaveLength(1)
  studio.clock.advance({ hours: 24 })
  await poll()
  expect(calendar.asked).toEqual([undefined, '"1"', undefined])
  expect(await busy()).toEqual([])
})

test('counts the events that cannot be read, without their titles, until they can be', async () => {
  const { studio, dora, calendar, poll, busy } = await connected({
    status: 200,
    text: file(DENTIST, 'UID:2\nSUMMARY:Dentist again', DENTIST.replace('100000', '080000')),
  })
  await poll()
  expect(await busy()).toHaveLength(1)
  expect((await dora.call(readOwnCalendar)).body).toMatchObject({
    failure: null,
    unreadEvents: 2,
    firstUnread: [
      { day: null, reason: 'start' },
      { day: '2026-12-08', reason: 'end' },
    ],
  })
  const { rows } = await studio.server.database.pool.query('select t::text as row from own_calendar t')
  expect(JSON.stringify(rows)).not.toContain('Dentist')
  const next = async (reply: object) => {
    Object.assign(calendar.reply, reply)
    studio.clock.advance({ hours: 24 })
    await poll()
    return (await dora.call(readOwnCalendar)).body
  }
  expect(await next({ status: 503 })).toMatchObject({ failure: 'busy', unreadEvents: 2 })
  expect(await next({ status: 200, text: file(DENTIST) })).toMatchObject({ unreadEvents: 0, firstUnread: [] })
})

test('finds the classes of a term that clash', async () => {
  const { dora, poll } = await connected({
    status: 200,
    text: file('UID:2\nDTSTART;VALUE=DATE:20261208\nDTEND;VALUE=DATE:20261209'),
  })
  await poll()
  const { body } = await dora.call(listTermClashes, { query: { from: '2026-12-07', to: '2026-12-13' } })
  expect(new Set(body.map(({ date }: { date: string }) => date))).toEqual(new Set(['2026-12-08']))
})

test('asks for attention after a day of failures, keeps what it knew, and forgets everything when removed', async () => {
  const { studio, dora, calendar, poll, busy } = await connected()
  await poll()
  Object.assign(calendar.reply, { status: 404 })
  studio.clock.advance({ hours: 24 })
  await poll()
  expect((await dora.call(readOwnCalendar)).body).toMatchObject({ failure: 'refused' })
  studio.clock.advance({ hours: 23, minutes: 59 })
  const items = async () =>
    (await dora.call(listAttention)).body.filter(({ kind }: AttentionItem) => kind === 'own_calendar_unread')
  expect(await items()).toEqual([])
  studio.clock.advance({ minutes: 1 })
  expect(await items()).toMatchObject([{ title: 'Your own calendar has not been read for a day' }])
  expect(await busy()).toHaveLength(1)
  await dora.call(removeOwnCalendar)
  expect([await busy(), await items(), (await dora.call(readOwnCalendar)).body]).toEqual([[], [], null])
  expect(await studio.count('select count(*) from busy_times')).toBe(0)
})

test('the database keeps one calendar, and no busy time that ends before it starts', async () => {
  const { studio } = await connected()
  const { pool } = studio.server.database
  await expect(pool.query('update own_calendar set is_only = false')).rejects.toThrow('own_calendar_is_one_row')
  await expect(pool.query("update own_calendar set failure = 'refused'")).rejects.toThrow('failure_has_a_start')
  const backwards = 'insert into busy_times (starts_at, ends_at, is_all_day) values (now(), now(), false)'
  await expect(pool.query(backwards)).rejects.toThrow('busy_times_end_after_they_start')
  const shown = `update own_calendar set first_unread = '[{}]'`
  await expect(pool.query(shown)).rejects.toThrow('own_calendar_counts_what_it_shows')
})

test('takes https and webcal addresses only', async () => {
  const { ana, dora } = await openStudio()
  const set = (address: string) => dora.call(setOwnCalendar, { body: { address } })
  for (const wrong of ['http://calendar.example/a', 'file:///etc/passwd', 'https://me:pass@calendar.example/', 'x'])
    expect([wrong, (await set(wrong)).status]).toEqual([wrong, 400])
  expect((await set('webcal://calendar.example/a.ics')).body).toMatchObject({ host: 'calendar.example', readAt: null })
  expect((await ana.call(readOwnCalendar)).status).toBe(403)
})

test.each([
  ['8.8.8.8', true],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['172.31.0.1', false],
  ['172.32.0.1', true],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['2a00:1450:4009::1', true],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['64:ff9b::7f00:1', false],
  ['fd00::1', false],
  ['fe80::1', false],
  ['2002:7f00:1::', false],
])('%s is a public address: %s', (address, isPublic) => expect(isPublicAddress(address)).toBe(isPublic))

test('follows no redirect to a private address, and refuses large files', async () => {
  for (const address of ['https://127.0.0.1/', 'https://localhost/', 'https://[::1]/', 'https://0x7f.1/'])
    await expect(fetchCalendar(address, { etag: null, reach: PUBLIC_INTERNET })).rejects.toMatchObject({
      failure: 'not_public',
    })
  const inside = await calendarServer({ status: 302, text: '', location: 'http://127.0.0.2:1/' })
  const read = (address: string) => fetchCalendar(address, { etag: null, reach: LOOPBACK })
  await expect(read(inside.address)).rejects.toMatchObject({ failure: 'not_public' })
  const large = await calendarServer({ status: 200, text: '', length: 5_000_001 })
  await expect(read(large.address)).rejects.toMatchObject({ failure: 'too_large' })
})

test.each([
  [429, 'busy'],
  [503, 'busy'],
  [500, 'unreachable'],
  [404, 'refused'],
])('a server that answers %s: %s', async (status, failure) => {
  const { address } = await calendarServer({ status, text: '' })
  await expect(fetchCalendar(address, { etag: null, reach: LOOPBACK })).rejects.toMatchObject({ failure })
})

test.each([
  ['gzip', gzipSync(file(DENTIST))],
  ['UTF-16 with a mark', Buffer.from(`\uFEFF${file(DENTIST)}`, 'utf16le')],
  ['UTF-16 without one', Buffer.from(file(DENTIST), 'utf16le')],
  ['UTF-16, big-endian', Buffer.from(`\uFEFF${file(DENTIST)}`, 'utf16le').swap16()],
  ['gzip of UTF-16', gzipSync(Buffer.from(`\uFEFF${file(DENTIST)}`, 'utf16le'))],
])('reads a file in %s', async (_, text) => {
  const { address } = await calendarServer({ status: 200, text })
  expect((await fetchCalendar(address, { etag: null, reach: LOOPBACK }))?.text).toContain(file(DENTIST))
})

test('refuses a compressed file that is large or broken', async () => {
  const read = async (text: Buffer) => {
    const { address } = await calendarServer({ status: 200, text })
    return fetchCalendar(address, { etag: null, reach: LOOPBACK })
  }
  await expect(read(gzipSync(Buffer.alloc(5_000_001)))).rejects.toMatchObject({ failure: 'too_large' })
  await expect(read(gzipSync('x').fill(0, 10))).rejects.toMatchObject({ failure: 'not_a_calendar' })
})

const DAYS = { from: '2026-12-01', to: '2027-11-30' }

test('gives up on a file that takes too long, is too large or no calendar', async () => {
  await expect(readBusyTimes(file(DENTIST), DAYS, { limitMs: 0 })).rejects.toMatchObject({ failure: 'too_slow' })
  const hourly = (minute: number) => `UID:${minute}\nDTSTART:20261201T00${minute}00Z\nDURATION:PT1M\nRRULE:FREQ=HOURLY`
  const crowded = readBusyTimes(file(hourly(10), hourly(20), hourly(30)), DAYS, { limitMs: 600_000 })
  await expect(crowded).rejects.toMatchObject({ failure: 'too_large' })
  await expect(readBusyTimes('<html>', DAYS)).rejects.toMatchObject({ failure: 'not_a_calendar' })
})
