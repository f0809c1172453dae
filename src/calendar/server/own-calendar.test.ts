import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type AttentionItem, listAttention } from '#attention/contract.ts'
import { secretBox } from '#platform/vault/secret-box.ts'
import { createVault } from '#platform/vault/vault.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { listBusyTimes, listTermClashes, readOwnCalendar, removeOwnCalendar, setOwnCalendar } from '../contract-own.ts'
import { fetchCalendar, isPublicAddress, PUBLIC_INTERNET } from './fetch-calendar.ts'
import { pollOwnCalendar, setOwnCalendar as saveAddress } from './own-calendar.ts'
import { readBusyTimes } from './read-busy-times.ts'

/** Only tests may read from this machine. */
const LOOPBACK = { protocols: ['http:'], mayConnect: (address: string) => address === '127.0.0.1', get }
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
async function calendarServer(reply: { status: number; text: string; location?: string; length?: number }) {
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

async function connected(reply = { status: 200, text: file(DENTIST) }) {
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

describe('busy times', () => {
  const read = (...events: string[]) => readBusyTimes(file(...events), { from: '2027-03-20', to: '2027-04-05' })
  const startsOf = async (...events: string[]) => (await read(...events)).map(({ startsAt }) => startsAt)

  test('follow London’s clocks over the change, with and without a zone', async () => {
    const weekly = (start: string) => `UID:1\nDTSTART${start}T090000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=2`
    const expected = ['2027-03-21T09:00:00Z', '2027-03-28T08:00:00Z']
    expect(await startsOf(weekly(';TZID=Europe/London:20270321'))).toEqual(expected)
    expect(await startsOf(weekly(':20270321'))).toEqual(expected)
    expect(await startsOf(weekly(';TZID=GMT Standard Time:20270321'))).toEqual(expected)
  })

  test('last the whole of an all-day event in London', async () => {
    expect(await read('UID:1\nDTSTART;VALUE=DATE:20270328\nDTEND;VALUE=DATE:20270329')).toEqual([
      { startsAt: '2027-03-28T00:00:00Z', endsAt: '2027-03-28T23:00:00Z', isAllDay: true },
    ])
  })

  test('leave out free, cancelled, moved and excluded events', async () => {
    const at = (day: number) => `DTSTART:202703${day}T090000Z\nDTEND:202703${day}T100000Z`
    const starts = await startsOf(
      `UID:1\n${at(21)}\nRRULE:FREQ=DAILY;COUNT=4\nEXDATE:20270322T090000Z`,
      'UID:1\nRECURRENCE-ID:20270323T090000Z\nDTSTART:20270323T150000Z\nDTEND:20270323T160000Z',
      `UID:1\nRECURRENCE-ID:20270324T090000Z\nSTATUS:CANCELLED\n${at(24)}`,
      `UID:2\nTRANSP:TRANSPARENT\n${at(25)}`,
      `UID:3\nSTATUS:CANCELLED\n${at(26)}`,
    )
    expect(starts).toEqual(['2027-03-21T09:00:00Z', '2027-03-23T15:00:00Z'])
  })

  test('give up on endless rules and on files that are no calendar', async () => {
    const endless = file('UID:1\nDTSTART:19000101T000000Z\nDURATION:PT1S\nRRULE:FREQ=SECONDLY')
    const days = { from: '2027-03-20', to: '2027-04-05' }
    await expect(readBusyTimes(endless, days, { limitMs: 500 })).rejects.toMatchObject({ failure: 'too_slow' })
    await expect(readBusyTimes('<html>', days)).rejects.toMatchObject({ failure: 'not_a_calendar' })
  })
})
