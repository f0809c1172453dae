import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { readCalendar } from '#testing/read-calendar.ts'
import { openStudio } from '#testing/studio-under-test.ts'

const FORMULA = /^[=+\-@\t\r]/
const DAYS = 'from=2026-01-01&to=2026-12-31'

describe('text from members is harmless in spreadsheets', () => {
  test('no exported cell is a formula, and every row has all columns', async () => {
    const { studio, dora } = await openStudio()
    const names = [
      "=cmd|'/c calc'!A1",
      '+1+1',
      '-2+3',
      '@SUM(1+1)',
      '=HYPERLINK("x")',
      '"=1',
      ';=1',
      '|=1',
      '%=1',
      '＝1+1',
    ]
    const bought = await studio.createPackage()
    for (const [i, name] of names.entries()) {
      const person = studio.visitor(`Typed ${i}`)
      const body = {
        email: person.email,
        password: person.password,
        firstName: name,
        lastName: `${name}"\n=1+1`.replace(/\n/, ' '),
      }
      const { status } = await person.request('POST', '/api/register', body)
      expect(status).toBe(name.includes('@') ? 400 : 201)
      if (status !== 201) continue
      const { body: me } = await person.request('GET', '/api/auth/user')
      await studio.completeHealth(person)
      const sale = { packageId: bought.id, method: 'cash', note: name }
      expect((await dora.request('POST', `/api/admin/users/${me.id}/purchases`, sale)).status).toBe(201)
      const classId = await studio.createClass({ at: `Tuesday ${String(6 + i).padStart(2, '0')}:00`, title: name })
      expect((await person.book(classId)).status).toBe(201)
    }
    for (const file of ['/api/admin/bookings.csv', '/api/admin/purchases.csv', `/api/admin/report.csv?${DAYS}`]) {
      const { status, body, headers } = await dora.request('GET', file)
      expect([file, status]).toEqual([file, 200])
      expect(headers.get('content-type')).toMatch(/^text\/csv/)
      expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+"$/)
      const rows: string[][] = parse(String(body), { bom: true, relax_column_count: false })
      const formulas = rows.flat().filter((cell) => FORMULA.test(cell) && !/^-?[\d.,]+$/.test(cell))
      expect([file, formulas]).toEqual([file, []])
    }
  })
})

describe('text from members and the owner is harmless in calendars and emails', () => {
  const LINES = [
    'Duo\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:Pay here',
    'Duo\nATTENDEE:mailto:mallory@evil.example',
    'Duo\r\nBcc: mallory@evil.example',
    'Duo\u2028X-EVIL:1',
    'Duo;X=1:evil,more\\n',
    `Duo ${'long '.repeat(45)}`,
  ]

  test.each(LINES)('a class called %j', async (title) => {
    const { studio, ana, dora } = await openStudio()
    const body = {
      title,
      date: '2026-12-08',
      startTime: '18:00',
      endTime: '18:45',
      maxParticipants: 2,
      description: title,
    }
    const made = await dora.request('POST', '/api/classes', body)
    if (made.status !== 201) return expect(made.status).toBe(400)
    expect((await ana.book(made.body.id)).status).toBe(201)
    const { body: feed } = await ana.request('POST', '/api/user/calendar', {})
    const path = new URL(feed.url).pathname
    const { body: text } = await studio.visitor().request('GET', path)
    const lines = String(text).split('\r\n')
    expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(1)
    expect(lines.filter((line) => /^(ATTENDEE|X-EVIL|Bcc)/i.test(line))).toEqual([])
    expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
    expect(readCalendar(String(text)).events).toHaveLength(1)
    for (const mail of await studio.mailTo(ana)) {
      expect(mail.subject).not.toMatch(/[\r\n]/)
      expect(mail.to).toBe(ana.email)
    }
  })
})
