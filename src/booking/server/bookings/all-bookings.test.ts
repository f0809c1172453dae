import { describe, expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { exportBookings, listAllBookings } from '../../contract.ts'

const seen = (admin: Person, query: Record<string, string> = {}) => admin.read(listAllBookings, { query })

async function aFewBookings() {
  const { studio, ana, boris, dora } = await openStudio()
  const carl = await studio.member('Carl', { health: true, credits: 5 })
  const titles = [
    ['Tuesday 10:00', 'Gentle'],
    ['Wednesday 10:00', 'Strong'],
    ['Thursday 10:00', 'Strong'],
  ] as const
  for (const [at, title] of titles) {
    const id = await studio.createClass({ at, title })
    for (const person of [ana, carl]) {
      studio.clock.advance({ minutes: 1 })
      await person.book(id)
    }
  }
  const [last] = await seen(dora)
  await carl.cancel(last?.id as number)
  return { studio, ana, boris, carl, dora }
}

describe("the admin's list of bookings", () => {
  test('filters by status, class date and words, alone and combined', async () => {
    const { dora, carl } = await aFewBookings()
    const count = async (query: Record<string, string>) => (await seen(dora, query)).length
    expect(await count({})).toBe(6)
    expect(await count({ status: 'cancelled' })).toBe(1)
    expect(await count({ status: 'confirmed' })).toBe(5)
    expect(await count({ from: '2026-12-09' })).toBe(4)
    expect(await count({ to: '2026-12-09' })).toBe(4)
    expect(await count({ from: '2026-12-09', to: '2026-12-09' })).toBe(2)
    expect(await count({ search: 'strong' })).toBe(4)
    expect(await count({ search: 'ana c' })).toBe(3)
    expect(await count({ search: carl.email })).toBe(3)
    expect(await count({ search: '%' })).toBe(0)
    expect(await count({ search: 'carl', status: 'cancelled', from: '2026-12-10' })).toBe(1)
    expect((await dora.call(listAllBookings, { query: { status: 'lost' as never } })).status).toBe(400)
  })

  test('can be sorted by class start, in both directions', async () => {
    const { studio, dora, ana } = await aFewBookings()
    // Booked last, but for the earliest class.
    await ana.book(await studio.createClass({ at: 'Monday 19:00', title: 'Late' }))
    const classes = async (query: Record<string, string>) =>
      (await seen(dora, query)).map((each) => `${each.class.date.slice(8)} ${each.user.firstName}`)
    const earliest = ['07 Ana', '08 Ana', '08 Carl', '09 Ana', '09 Carl', '10 Ana', '10 Carl']
    expect(await classes({ order: 'earliest' })).toEqual(earliest)
    expect(await classes({ order: 'latest' })).toEqual(earliest.toReversed())
    expect(await classes({ order: 'earliest', from: '2026-12-08', limit: '2', offset: '1' })).toEqual([
      '08 Carl',
      '09 Ana',
    ])
    const lastBooked = ['07 Ana', '10 Carl', '10 Ana', '09 Carl', '09 Ana', '08 Carl', '08 Ana']
    expect(await classes({})).toEqual(lastBooked)
    expect(await classes({ order: 'booked' })).toEqual(lastBooked)
    expect((await dora.call(listAllBookings, { query: { order: 'shuffled' as never } })).status).toBe(400)
  })

  test('is paged, with a total', async () => {
    const { dora } = await aFewBookings()
    const all = await seen(dora)
    const page = await dora.call(listAllBookings, { query: { limit: '2', offset: '2', status: 'confirmed' } })
    expect(page.body).toEqual(all.filter(({ status }) => status === 'confirmed').slice(2, 4))
    expect(page.headers.get('x-total-count')).toBe('5')
    expect(page.headers.get('x-total-is-more')).toBeNull()
  })

  test('exports everything the filter finds, without cells that a spreadsheet reads as formulas', async () => {
    const { studio, dora, ana, boris } = await aFewBookings()
    const hostile = ['=1+1', '+44', '-5', '@cmd']
    const edit = (person: Person, body: object) => dora.request('PUT', `/api/admin/users/${person.id}`, body)
    await edit(ana, { firstName: '=HYPERLINK("#A1")', lastName: 'O"Hara, Jr' })
    for (const title of hostile) await ana.book(await studio.createClass({ at: 'Friday 10:00', title }))
    const response = await dora.call(exportBookings, { query: { status: 'confirmed' } })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toContain('bookings.csv')
    const lines = (response.body as string).split(/\r\n(?=\d)/)
    expect(lines[0]).toContain('First name,Last name,Class,Date')
    expect(lines).toHaveLength(1 + 5 + hostile.length)
    expect(lines.at(-1)).toContain(`"'=HYPERLINK(""#A1"")","O""Hara, Jr",Gentle,08/12/2026,10:00,10:45`)
    for (const title of hostile) expect(response.body).toContain(`'${title}`)
    expect(await boris.call(exportBookings)).toBeRefused(commonRefusals.forbidden)
  })
})
