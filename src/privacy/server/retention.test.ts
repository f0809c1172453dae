import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { addMember, sendInvitation } from '#accounts/contract-invitations.ts'
import { bookClass } from '#booking/contract.ts'
import { acceptInvitation } from '#booking/contract-companions.ts'
import { setRegularBooking } from '#booking/contract-regular.ts'
import { getMemberHealth, saveQuestionnaire } from '#health/contract.ts'
import { sellVoucher } from '#payments/contract-desk.ts'
import { activatePass, openStudioWithBank, startPayment } from '#payments/server/bank-under-test.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { listRetentionRuns } from '../contract.ts'
import { afterLastClass, countUsers, hasHealth, retentionRunsFor, runRetention } from './retention-under-test.ts'

describe('contact details', () => {
  test('are erased two years after the last class, to the second, and counted for the owner', async () => {
    const { studio, ana, dora } = await afterLastClass()
    studio.travelTo('2028-12-08 18:44:59')
    await runRetention(studio)
    expect(await countUsers(studio, ana)).toBe(1)
    studio.travelTo('2028-12-08 18:45:00')
    await runRetention(studio)
    expect(await countUsers(studio, ana)).toBe(0)
    expect(await studio.count('select count(*) from bookings')).toBe(0)
    await runRetention(studio)
    await studio.logIn(dora)
    expect(await retentionRunsFor(dora)).toMatchObject([
      { ranAt: '2028-12-08T18:45:00Z', members: 0, failures: 0 },
      { ranAt: '2028-12-08T18:45:00Z', members: 1, healthRecords: 0, failures: 0 },
      { members: 0, healthRecords: 1 },
    ])
    expect((await dora.call(listRetentionRuns, { query: { limit: '1', offset: '1' } })).body).toMatchObject([
      { members: 1 },
    ])
  })

  test('are erased two years after signing up if the member never came; a cancelled booking does not count', async () => {
    const { studio, ana, boris } = await openStudio()
    const { body } = await ana.book(await studio.createClass('2026-12-20 10:00'))
    await ana.cancel(body.id)
    studio.travelTo('2028-12-07 08:59:59')
    await runRetention(studio)
    expect([await countUsers(studio, ana), await countUsers(studio, boris)]).toEqual([1, 1])
    studio.travelTo('2028-12-07 09:00:00')
    await runRetention(studio)
    expect([await countUsers(studio, ana), await countUsers(studio, boris)]).toEqual([0, 0])
  })

  test('are erased six months after the newest invitation if the invited member never came', async () => {
    const { studio, dora } = await openStudio()
    const add = async (firstName: string) =>
      (await dora.call(addMember, { body: { firstName, lastName: 'New', email: `${firstName}@new.example` } })).body
    const [never, again, holds, booked, giver] = [
      await add('Never'),
      await add('Again'),
      await add('Holds'),
      await add('Came'),
      await add('Gives'),
    ]
    const { id: packageId } = await studio.createPackage({})
    const gift = { packageId, method: 'cash', gift: { recipientName: 'Grace' } } as const
    await dora.call(sellVoucher, { params: { id: giver.id }, body: gift })
    const spent = await studio.grantCredits(Object.assign(studio.visitor('Holds'), holds), 1, 1)
    expect(spent).toBeGreaterThan(0)
    await studio.grantCredits(Object.assign(studio.visitor('Came'), booked), 1)
    const classId = await studio.createClass('Tuesday 18:00')
    const override = { classId, userId: booked.id, override: true }
    expect((await dora.call(bookClass, { body: override })).status).toBe(201)
    studio.travelTo('2027-01-10 09:00')
    await studio.logIn(dora)
    await dora.call(sendInvitation, { params: { id: again.id } })
    const left = async () => {
      await runRetention(studio)
      const found = await studio.server.database.pool.query(
        "select first_name from users where last_name = 'New' order by 1",
      )
      return found.rows.map(({ first_name }) => first_name)
    }
    studio.travelTo('2027-06-07 08:59:59')
    expect(await left()).toEqual(['Again', 'Came', 'Gives', 'Holds', 'Never'])
    studio.travelTo('2027-06-07 09:00:00')
    expect(await left()).toEqual(['Again', 'Came', 'Gives', 'Holds'])
    studio.travelTo('2027-07-10 09:00:00')
    expect(await left()).toEqual(['Came', 'Gives', 'Holds'])
    expect(await countUsers(studio, never)).toBe(0)
  })

  test('leave the purchase without a name for six years', async () => {
    const { studio, bank, ana } = await openStudioWithBank()
    const bought = await studio.createPackage({ price: '45.00', validityMonths: 1 })
    const started = await startPayment(ana, bought)
    await bank.pay(started)
    await activatePass(ana, bought, started)
    studio.travelTo('2029-01-01 12:00')
    await runRetention(studio)
    expect(await countUsers(studio, ana)).toBe(0)
    expect(await studio.count('select count(*) from purchases where user_id is null and amount_pence = 4500')).toBe(1)
    studio.travelTo('2032-12-07 08:59:59')
    await runRetention(studio)
    expect(await studio.count('select count(*) from purchases')).toBe(1)
    studio.travelTo('2032-12-07 09:00:00')
    await runRetention(studio)
    expect(await studio.count('select count(*) from purchases')).toBe(0)
    expect(await studio.count('select count(*) from payment_intents')).toBe(0)
  })
})

describe('health information', () => {
  test('is erased six months after the last class, to the second; the account and the access log stay', async () => {
    const { studio, ana, dora } = await afterLastClass()
    await dora.call(getMemberHealth, { params: { id: ana.id } })
    studio.travelTo('2027-06-08 18:44:59')
    await runRetention(studio)
    expect(await hasHealth(studio, ana)).toBe(4)
    studio.travelTo('2027-06-08 18:45:00')
    await runRetention(studio)
    expect([await hasHealth(studio, ana), await countUsers(studio, ana)]).toEqual([0, 1])
    expect(await studio.count('select count(*) from health_reads where member_id = $1', [ana.id])).toBe(1)
    await studio.logIn(dora)
    expect((await retentionRunsFor(dora))[0]).toMatchObject({ healthRecords: 1, members: 0 })
  })

  test('is erased six months after the last save if there was no class', async () => {
    const { studio, boris } = await openStudio()
    await studio.completeHealth(boris)
    studio.travelTo('2027-01-10 12:00')
    await studio.logIn(boris)
    await boris.call(saveQuestionnaire, { body: { allergies: 'Latex' } })
    studio.travelTo('2027-07-10 11:59:59')
    await runRetention(studio)
    expect(await hasHealth(studio, boris)).toBeGreaterThan(0)
    studio.travelTo('2027-07-10 12:00:00')
    await runRetention(studio)
    expect(await hasHealth(studio, boris)).toBe(0)
  })

  test('is kept after a new save', async () => {
    const { studio, ana } = await afterLastClass()
    studio.travelTo('2027-06-01 12:00')
    await studio.logIn(ana)
    await ana.call(saveQuestionnaire, { body: { allergies: 'Latex' } })
    studio.travelTo('2027-06-30 12:00')
    await runRetention(studio)
    expect(await hasHealth(studio, ana)).toBeGreaterThan(0)
  })
})

describe('members who come as a pair', () => {
  /** Ana and Boris come together on two Fridays at 08:00; Ana has invited Vera, who has no account, to a Thursday. */
  async function openPair() {
    const story = await openStudio()
    const { studio, ana, boris } = story
    await studio.completeHealth(boris)
    const [first = 0, thursday] = [
      await studio.createClass('2026-12-11 08:00'),
      await studio.createClass('2026-12-10 18:00'),
      await studio.createClass('2026-12-18 08:00'),
    ]
    const person = (firstName: string, email: string) => ({ firstName, lastName: 'Void', email })
    const companion = person('Ben', boris.email)
    expect(
      (await ana.call(setRegularBooking, { body: { classId: first, withCompanion: true, companion } })).status,
    ).toBe(201)
    const link = /#invitation=([\w.-]+)/.exec((await studio.mailTo(boris)).at(-1)?.text ?? '')
    expect((await boris.call(acceptInvitation, { body: { token: link?.[1] ?? '' } })).status).toBe(201)
    await studio.runQueue('book-for-companion')
    const vera = person('Vera', 'vera@people.example')
    expect((await ana.book(thursday ?? 0, { companion: vera })).status).toBe(201)
    const names = 'select count(*) from invitations'
    const forget = async (at: string) => {
      studio.travelTo(at)
      await studio.server.workers['tidy-up']({}, 'by hand')
      return await studio.count(names)
    }
    return { ...story, forget }
  }

  test('have their companions’ names forgotten 30 days after the held place or the class, to the second', async () => {
    const { studio, forget } = await openPair()
    // Vera’s place ends 48 hours after the invitation.
    studio.travelTo('2026-12-09 09:00')
    await studio.server.workers['end-holds']({}, 'by hand')
    expect(await forget('2027-01-08 08:59:59')).toBe(2)
    expect(await forget('2027-01-08 09:00')).toBe(1)
    // Boris came along to two classes; the second was a week after the first.
    expect(await forget('2027-01-17 08:44:59')).toBe(1)
    expect(await forget('2027-01-17 08:45')).toBe(0)
  })

  test('are erased two years after their last class, with the regular booking; one alone is, the other stays', async () => {
    const { studio, ana, boris } = await openPair()
    await studio.db.execute(sql`update passes set expires_at = '2027-01-01T00:00:00Z'`)
    const regulars = () => studio.count('select count(*) from regular_bookings')
    studio.travelTo('2028-12-18 08:44:59')
    await runRetention(studio)
    expect([await countUsers(studio, ana), await countUsers(studio, boris), await regulars()]).toEqual([1, 1, 1])
    // Boris came back on his own.
    const back = await studio.createClass('2028-12-18 18:00')
    await studio.grantCredits(boris, 1)
    await studio.logIn(boris)
    await studio.completeHealth(boris)
    expect((await boris.book(back)).status).toBe(201)
    studio.travelTo('2028-12-18 08:45')
    await runRetention(studio)
    expect([await countUsers(studio, ana), await countUsers(studio, boris), await regulars()]).toEqual([0, 1, 0])
    expect(await studio.count('select count(*) from regular_dates_left_out')).toBe(0)
    expect(await studio.count('select count(*) from invitations')).toBe(0)
    expect(await studio.count('select count(*) from bookings where user_id = $1', [boris.id])).toBe(3)
  })
})

test('erases lines of the access and audit logs after twelve months, to the second', async () => {
  const { studio, ana, dora } = await openStudio()
  await dora.call(getMemberHealth, { params: { id: ana.id } })
  await dora.request('POST', `/api/admin/users/${ana.id}/notes`, { text: 'Likes mornings' })
  studio.travelTo('2026-12-08 09:00')
  await dora.call(getMemberHealth, { params: { id: ana.id } })
  const left = async () => [
    await studio.count('select count(*) from health_reads'),
    await studio.count('select count(*) from audit_log'),
  ]
  studio.travelTo('2027-12-07 08:59:59')
  await runRetention(studio)
  expect(await left()).toEqual([2, 1])
  studio.travelTo('2027-12-07 09:00:00')
  await runRetention(studio)
  expect(await left()).toEqual([1, 0])
  await expect(studio.server.database.pool.query('delete from health_reads')).rejects.toThrow('append-only')
})

test('reports a member who cannot be erased, continues with the others and retries', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  const { pool } = studio.server.database
  await pool.query(`create table stuck (user_id text references users)`)
  await pool.query('insert into stuck values ($1)', [ana.id < boris.id ? ana.id : boris.id])
  studio.travelTo('2029-01-01 12:00')
  await runRetention(studio)
  expect((await countUsers(studio, ana)) + (await countUsers(studio, boris))).toBe(1)
  await studio.logIn(dora)
  expect((await retentionRunsFor(dora))[0]).toMatchObject({ members: 1, failures: 1 })
  expect(studio.logged.join()).toContain('stuck_user_id_fkey')
  await pool.query('drop table stuck')
  await runRetention(studio)
  expect((await countUsers(studio, ana)) + (await countUsers(studio, boris))).toBe(0)
})

test('does not erase a member who gets a pass at the same moment', async () => {
  const { studio, boris } = await openStudio()
  studio.travelTo('2029-01-01 12:00')
  const { id: packageId } = await studio.createPackage()
  const giving = await studio.server.database.pool.connect()
  await giving.query('begin')
  await giving.query(
    `insert into passes (user_id, package_id, credits_total, expires_at, created_at)
     values ($1, $2, 1, '2030-01-01', '2029-01-01')`,
    [boris.id, packageId],
  )
  await giving.query(
    `insert into credit_ledger (pass_id, kind, credits, caused_by, at)
     select id, 'gift', 1, 'system', now() from passes where user_id = $1`,
    [boris.id],
  )
  const running = runRetention(studio)
  const waiting = `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await studio.count(waiting)) < 1);
  await giving.query('commit')
  giving.release()
  await running
  expect(await countUsers(studio, boris)).toBe(1)
})
