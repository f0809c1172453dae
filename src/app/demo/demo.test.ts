import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toPence } from '#foundation/amounts.ts'
import { initialFacts } from '#studio.ts'
import { Person } from '#testing/person.ts'
import { runStudio } from '../studio-server.ts'
import { type Demo, emptyStudio, expectRulesKept } from './demo-under-test.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup()
})

describe('the demo studio', () => {
  let demo: Demo
  let origin: string
  beforeAll(async () => {
    demo = await emptyStudio('2026-11-19 14:10', cleanups)
    await Promise.all([demo.load(), demo.load()])
    const server = await runStudio(demo.settings, { clock: demo.clock, log: demo.log, workQueues: false, strict: true })
    cleanups.push(() => server.close())
    origin = server.origin
  })

  const signIn = async (username: string, password: string) => {
    const person = new Person(origin, 'Guest')
    expect((await person.request('POST', '/api/login', { username, password })).status).toBe(200)
    return person
  }
  const get = async (person: Person, path: string) => (await person.request('GET', path)).body

  test('is loaded once, however many processes start', async () => {
    const everything = `select (select count(*) from users) + (select count(*) from bookings) + (select count(*) from classes)`
    const before = await demo.count(everything)
    expect(await demo.count('select count(*) from users where is_admin')).toBe(1)
    await demo.load()
    expect(await demo.count(everything)).toBe(before)
  })

  test('has the two published accounts, whose passwords open no other account', async () => {
    const admin = await signIn('admin@studio.example', 'studio-admin')
    expect(await get(admin, '/api/auth/user')).toMatchObject({ isAdmin: true })
    const member = await signIn('member@studio.example', 'studio-member')
    expect(await get(member, '/api/auth/user')).toMatchObject({ isAdmin: false })
    const passwords = ['studio-admin', 'studio-member']
    for (const password of passwords) {
      const response = await member.request('POST', '/api/login', { username: 'member1@studio.example', password })
      expect(response.status).toBe(401)
    }
  })

  test('has a member with health information, a pass with credits, and past and future bookings', async () => {
    const member = await signIn('member@studio.example', 'studio-member')
    expect(await get(member, '/api/health/questionnaire')).toMatchObject({ fitnessLevel: expect.any(String) })
    expect(await get(member, '/api/health/emergency-contact')).toMatchObject({ name: expect.any(String) })
    const passes = await get(member, '/api/user/passes?activeOnly=true')
    expect(passes.length).toBeGreaterThan(0)
    expect(passes[0].creditsRemaining).toBeGreaterThan(0)
    const upcoming = await get(member, '/api/user/bookings/upcoming')
    expect(upcoming.length).toBeGreaterThan(0)
    expect(upcoming.some(({ movedFrom }: { movedFrom: unknown }) => movedFrom)).toBe(true)
    const statuses = (await get(member, '/api/user/bookings')).map(({ status }: { status: string }) => status)
    expect(new Set(statuses)).toEqual(new Set(['confirmed', 'completed', 'cancelled']))
  })

  test('sells an intro offer once per member, then one, four, eight and twelve classes', async () => {
    const packages = await get(new Person(origin, 'Visitor'), '/api/packages')
    const offers = packages.filter((one: { purchaseOncePerUser: boolean }) => one.purchaseOncePerUser)
    expect(offers).toHaveLength(1)
    expect(
      packages
        .filter((one: object) => !offers.includes(one))
        .map(({ classCount }: { classCount: number }) => classCount),
    ).toEqual([1, 4, 8, 12])
  })

  test('has the weekly timetable for the past and the next eight weeks', async () => {
    const rows = await demo.rows<{ day: string; time: string; date: string; places: number; price: string }>(
      `select trim(to_char(date, 'Day')) as day, to_char(start_time, 'HH24:MI') as time, date::text,
         max_participants as places, concat(price_pence, ' ', pass_price_pence) as price
       from classes where ends_at - starts_at = interval '45 minutes' order by date, start_time`,
    )
    expect(rows.length).toBe(await demo.count('select count(*) from classes'))
    expect(new Set(rows.map(({ price }) => price))).toEqual(
      new Set([`${toPence(initialFacts.prices.price)} ${toPence(initialFacts.prices.passPrice)}`]),
    )
    const timetable = initialFacts.timetables.flatMap(({ slots }) =>
      slots.map(({ day, startTime }) => `${day} ${startTime}`),
    )
    const oneOnOnes = ['Tuesday 14:00', 'Wednesday 18:30', 'Saturday 09:30']
    // Thursday 19 November; the week begins on the 16th.
    for (let week = -8; week <= 8; week++) {
      const monday = Temporal.PlainDate.from('2026-11-16').add({ weeks: week })
      const sunday = monday.add({ days: 6 })
      const inWeek = (places: number) =>
        rows
          .filter((row) => row.places === places && row.date >= monday.toString() && row.date <= sunday.toString())
          .map(({ day, time }) => `${day} ${time}`)
      expect(inWeek(2)).toEqual(timetable)
      expect(inWeek(1)).toEqual(oneOnOnes)
    }
    const titled = `select count(*) from classes where (max_participants = 1) <> (title like '%One-on-One%')`
    expect(await demo.count(titled)).toBe(0)
  })

  test('has bookings, passes and purchases that keep the rules', async () => {
    await expectRulesKept(demo)
    for (const status of ['completed', 'confirmed', 'cancelled']) {
      expect(await demo.count(`select count(*) from bookings where status = '${status}'`), status).toBeGreaterThan(3)
    }
    const full = `select count(*) from classes where booked_count = 2 and starts_at > '${demo.clock.now()}'`
    expect(await demo.count(full)).toBeGreaterThan(0)
    expect(await demo.count('select count(*) from credit_ledger')).toBeGreaterThan(50)
  })

  test('paid each purchase once at the sandbox, except desk sales', async () => {
    for (const method of ['cash', 'card_reader', 'bank_transfer']) {
      expect(
        await demo.count(`select count(*) from purchases where desk_method = '${method}'`),
        method,
      ).toBeGreaterThan(0)
    }
    const purchases = await demo.count('select count(*) from purchases where desk_method is null')
    expect(purchases).toBeGreaterThan(12)
    const unpaid = `select count(*) from purchases p left join sandbox.objects i on i.id = p.payment_intent_id
      where p.desk_method is null and (i.object ->> 'status' is distinct from 'succeeded' or (i.object ->> 'amount_received')::int <> p.amount_pence)`
    expect(await demo.count(unpaid)).toBe(0)
    expect(await demo.count("select count(*) from sandbox.objects where kind = 'payment_intent'")).toBe(purchases)
  })

  test('shows the owner a disputed payment and a payment partly refunded at the provider', async () => {
    const admin = await signIn('admin@studio.example', 'studio-admin')
    const noted = await get(admin, '/api/admin/purchases?attention=true')
    const kinds = noted.flatMap(({ disputes, refunds }: Record<'disputes' | 'refunds', { status: string }[]>) => [
      ...disputes.map(({ status }) => `dispute ${status}`),
      ...refunds.map(({ status }) => `refund ${status}`),
    ])
    expect(kinds.sort()).toEqual(['dispute open', 'refund succeeded'])
    expect(await demo.count('select count(*) from passes where frozen_at is not null')).toBe(1)
  })

  test('fills every admin tab', async () => {
    const admin = await signIn('admin@studio.example', 'studio-admin')
    const analytics = await get(admin, '/api/admin/analytics')
    expect(analytics.registeredStudents).toBe(15)
    for (const figure of Object.values(analytics)) expect(Number(figure)).toBeGreaterThan(0)
    const updates = await get(admin, '/api/admin/health-updates')
    expect(updates.length).toBeGreaterThan(5)
    const users = await get(admin, '/api/admin/users')
    expect(users.filter(({ totalCredits }: { totalCredits: number }) => totalCredits > 0).length).toBeGreaterThan(3)
    expect(await get(admin, '/api/admin/bookings')).not.toEqual([])
  })

  test('sends no email', async () => {
    expect(await demo.count('select count(*) from pgboss.job')).toBe(0)
  })

  test('reports once that it is loading', () => {
    expect(new Set(demo.output).size).toBe(1)
  })
})

test('loads no demo data into a restored backup, even an empty one', async () => {
  const demo = await emptyStudio('2026-11-19 14:10', cleanups)
  await demo.rows(
    'insert into restores (taken_at, restored_at, last_receipt_restored, last_receipt_given) values (now(), now(), 0, 0)',
  )
  await demo.load()
  expect(demo.output).toEqual([])
  expect(await demo.count('select count(*) from users')).toBe(0)
})
