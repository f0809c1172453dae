import { globSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { accountRefusals } from '#accounts/contract.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { passRefusals } from '#passes/contract.ts'
import { recordSale } from '#payments/contract-desk.ts'
import { activatePass, openStudioWithBank, startPayment } from '#payments/server/bank-under-test.ts'
import type { Person } from '#testing/person.ts'
import { countStatements } from '#testing/statements.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { deleteUser, getDeletionFacts, openComplaint, privacyRefusals } from '../contract.ts'
import { personalTables } from '../register.ts'

const deleteMember = (admin: Person, whom: { id: string }) => admin.call(deleteUser, { params: { id: whom.id } })
const login = (person: Person) =>
  person.request('POST', '/api/login', { username: person.email, password: person.password })

const WAITING = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"

/** A connection whose transaction has locked a class; it ends with the test at the latest. */
async function holdClass(studio: StudioUnderTest, classId: number): Promise<pg.Client> {
  const holder = new pg.Client({ connectionString: studio.settings.databaseUrl })
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('begin')
  await holder.query('select from classes where id = $1 for update', [classId])
  return holder
}

test('deleting a user erases account, bookings, health data, passes and sessions, and keeps the purchase without a name', async () => {
  const { studio, bank, ana, boris, dora } = await openStudioWithBank()
  const { pool } = studio.server.database
  await studio.completeHealth(boris)
  await studio.grantCredits(boris, 1)
  const bought = await studio.createPackage({ price: '45.00' })
  const started = await startPayment(ana, bought)
  await bank.pay(started)
  await activatePass(ana, bought, started)
  const [full, past] = [
    await studio.createClass({ at: 'Tuesday 18:00', places: 1 }),
    await studio.createClass('Monday 10:00'),
  ]
  await ana.book(full)
  await ana.book(past)
  const secondBrowser = studio.visitor('Ana')
  await login(secondBrowser)
  studio.travelTo('Monday 12:00')
  await studio.server.workers['complete-classes']({}, 'by hand')
  expect((await boris.book(full)).status).toBe(400)

  expect(await deleteMember(dora, ana)).toMatchObject({ status: 200, body: { message: 'User deleted successfully' } })

  for (const browser of [ana, secondBrowser]) {
    expect(await browser.request('GET', '/api/auth/user')).toBeRefused(commonRefusals.unauthorized)
    expect(await browser.request('GET', '/api/user/bookings')).toBeRefused(commonRefusals.unauthorized)
  }
  expect(await login(ana)).toBeRefused(accountRefusals.invalid_credentials)
  for (const [table, { people = {} }] of personalTables()) {
    for (const [column, erasing] of Object.entries(people)) {
      // Records of what was done keep the id, a pseudonym from now on.
      if (erasing === 'id stays' || table === 'audit_log') continue
      expect(await studio.count(`select count(*) from ${table} where ${column} = $1`, [ana.id]), table).toBe(0)
    }
  }
  const { rows: purchases } = await pool.query('select user_id, amount_pence, payment_intent_id from purchases')
  expect(purchases).toEqual([{ user_id: null, amount_pence: 4500, payment_intent_id: started.body.paymentIntentId }])
  expect((await dora.request('GET', '/api/admin/analytics')).body).toMatchObject({
    totalRevenue: '45.00',
    registeredStudents: 1,
    totalBookings: 0,
  })

  // The place is free again, and Boris's data is unchanged.
  expect((await boris.book(full)).status).toBe(201)
  expect(await studio.count('select booked_count from classes where id = $1', [past])).toBe(0)
  expect(await deleteMember(dora, ana)).toBeRefused(accountRefusals.user_not_found)
  expect((await studio.member('Ana')).id).not.toBe(ana.id)
})

test('refuses admins who delete themselves, and members', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  expect(await deleteMember(dora, dora)).toBeRefused(accountRefusals.cannot_delete_self)
  expect(await deleteMember(ana, boris)).toBeRefused(commonRefusals.forbidden)
  expect(await deleteMember(ana, ana)).toBeRefused(commonRefusals.forbidden)
  expect(await deleteMember(studio.visitor(), boris)).toBeRefused(commonRefusals.unauthorized)
  expect(await deleteMember(dora, { id: 'nobody' })).toBeRefused(accountRefusals.user_not_found)
  expect(await studio.count('select count(*) from users')).toBe(3)
})

test('keeps the last admin when two admins delete each other concurrently', async () => {
  const { studio, dora } = await openStudio()
  const emil = await studio.admin('Emil')
  const answers = await Promise.all([deleteMember(dora, emil), deleteMember(emil, dora)])
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect([400, 401, 403]).toContain(statuses.find((status) => status !== 200))
  expect(await studio.count('select count(*) from users where is_admin')).toBe(1)
})

test('deleting a user while they book leaves no place taken and no server error', async () => {
  const { studio, ana, dora } = await openStudio()
  const classes = await Promise.all(Array.from({ length: 6 }, (_, day) => studio.createClass(`2026-12-1${day} 18:00`)))
  const [deleted, ...booked] = await Promise.all([deleteMember(dora, ana), ...classes.map((id) => ana.book(id))])
  expect(deleted.status).toBe(200)
  for (const { status } of booked) expect(status).toBeLessThan(500)
  expect(await studio.count('select count(*) from bookings')).toBe(0)
  expect(await studio.count('select sum(booked_count) from classes')).toBe(0)
})

test('retries the deletion if the user books another class in the meantime, and locks classes before passes', async () => {
  const { studio, ana, dora } = await openStudio()
  const [booked, late] = [await studio.createClass('Tuesday 18:00'), await studio.createClass('Tuesday 19:00')]
  await ana.book(booked)
  const first = await holdClass(studio, booked)
  const deleting = deleteMember(dora, ana)
  await expect.poll(() => studio.count(WAITING)).toBe(1)
  expect((await ana.book(late)).status).toBe(201)
  const second = await holdClass(studio, late)
  await first.query('commit')
  await expect.poll(() => studio.count(`${WAITING} and query like '%"classes"%'`)).toBe(1)
  await second.query('select from passes where user_id = $1 for update nowait', [ana.id])
  await second.query('commit')
  expect((await deleting).status).toBe(200)
  expect(await studio.count('select sum(booked_count) from classes')).toBe(0)
})

test('erasing a member with 200 bookings takes as many queries as with two', async () => {
  const { studio, dora } = await openStudio()
  const has = { health: true, credits: 200 }
  const [nora, edda] = [await studio.member('Nora', has), await studio.member('Edda', has)]
  const days = Array.from({ length: 200 }, (_, day) => Temporal.PlainDate.from('2026-12-08').add({ days: day }))
  const ids = await Promise.all(days.map((date) => studio.createClass(`${date} 18:00`)))
  const answers = await Promise.all([...ids.map((id) => nora.book(id)), ...ids.slice(0, 2).map((id) => edda.book(id))])
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(202)
  const erased = (person: Person) =>
    countStatements(async () => expect((await deleteMember(dora, person)).status).toBe(200))
  const [two, many] = [await erased(edda), await erased(nora)]
  expect(many).toBe(two)
  expect(await studio.count('select sum(booked_count) from classes')).toBe(0)
})

test('returns 404 to a gift or a payment for a user who has just been deleted', async () => {
  const { studio, boris, dora } = await openStudio()
  const { id: packageId } = await studio.createPackage()
  const { pool } = studio.server.database
  const deleting = await pool.connect()
  await deleting.query('begin')
  await deleting.query('delete from users where id = $1', [boris.id])
  const answers = Promise.all([
    dora.request('POST', `/api/admin/users/${boris.id}/gift-credits`, { packageId, creditsToGift: 1 }),
    startPayment(boris, { id: packageId, pricePence: 42_400 }),
  ])
  await expect.poll(() => studio.count(WAITING)).toBe(2)
  await deleting.query('commit')
  deleting.release()
  const [gift, payment] = await answers
  expect(gift).toBeRefused(passRefusals.user_not_found)
  expect(payment).toBeRefused(commonRefusals.unauthorized)
})

test('shows what goes and what stays, and refuses if that has changed since', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  await ana.book(await studio.createClass('Tuesday 18:00'))
  await ana.book(await studio.createClass('Monday 10:00'))
  await dora.call(recordSale, {
    params: { id: ana.id },
    body: { packageId: (await studio.createPackage({ price: '45.00' })).id, method: 'cash' },
  })
  studio.travelTo('Monday 12:00')
  await dora.call(openComplaint, { params: { id: ana.id }, body: { reason: 'Cold studio' } })
  const facts = async (whom: Person) => (await dora.call(getDeletionFacts, { params: { id: whom.id } })).body
  const seen = await facts(ana)
  expect(seen).toMatchObject({
    upcomingBookings: 1,
    earlierBookings: 1,
    waitingLists: 0,
    hasHealthInformation: true,
    openComplaints: 1,
    receipts: 1,
  })
  expect(seen.credits).toBe(await studio.creditsOf(ana))
  expect(await facts(boris)).toMatchObject({ upcomingBookings: 0, credits: 0, openComplaints: 0, receipts: 0 })
  expect(await boris.call(getDeletionFacts, { params: { id: ana.id } })).toBeRefused(commonRefusals.forbidden)

  const asSeen = () =>
    dora.call(deleteUser, {
      params: { id: ana.id },
      query: { credits: seen.credits, upcomingBookings: 1, openComplaints: 1 },
    })
  await studio.grantCredits(ana, 1)
  expect(await asSeen()).toBeRefused(privacyRefusals.deletion_changed)
  expect(await studio.count('select count(*) from users where id = $1', [ana.id])).toBe(1)
  const { credits, upcomingBookings, openComplaints } = await facts(ana)
  const query = { credits, upcomingBookings, openComplaints }
  expect((await dora.call(deleteUser, { params: { id: ana.id }, query })).status).toBe(200)
})

test('there is one way to erase a member', () => {
  const files = globSync('src/**/*.ts').filter((file) => !/\.test\.|under-test|^src\/testing\//.test(file))
  const callers = files.filter((file) =>
    /(?<!function )\beraseUser\(|delete\(users\)|delete from users\b/.test(readFileSync(file, 'utf8')),
  )
  expect(callers.sort()).toEqual(['src/accounts/server/users.ts', 'src/privacy/server/delete-user.ts'])
})
