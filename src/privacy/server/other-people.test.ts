import { expect, test } from 'vitest'
import { chooseTexts } from '#accounts/contract-profile.ts'
import { acceptInvitation } from '#booking/contract-companions.ts'
import { bookForTwo, openWithHold } from '#booking/server/companions/companions-under-test.ts'
import { saveUndelivered } from '#messages/server/undelivered.ts'
import { sellVoucher } from '#payments/contract-desk.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { extendVoucher } from '#vouchers/contract.ts'
import { deleteOwnAccount, exportOwnData, openComplaint } from '../contract.ts'
import { getKeptUntil } from '../contract-own.ts'
import { countUsers, runRetention } from './retention-under-test.ts'

test('a download has what other members typed about the member, and not the other way round', async () => {
  const { ana, boris, token } = await openWithHold()
  const typed = { firstName: 'Ben', lastName: 'Beck', email: boris.email }
  expect(await boris.read(exportOwnData)).toMatchObject({
    companions: [],
    invitationsTo: [{ ...typed, state: 'held' }],
  })
  expect((await boris.call(acceptInvitation, { body: { token } })).status).toBe(201)
  expect(await boris.read(exportOwnData)).toMatchObject({ invitationsTo: [{ ...typed, state: 'accepted' }] })
  expect(await ana.read(exportOwnData)).toMatchObject({ companions: [typed], invitationsTo: [] })
})

test('a download says whether text messages are switched off', async () => {
  const { boris } = await openStudio()
  expect((await boris.read(exportOwnData)).account.textsOff).toBe(false)
  await boris.call(chooseTexts, { body: { wanted: false } })
  expect((await boris.read(exportOwnData)).account.textsOff).toBe(true)
})

test('a download has a gift that was sent to the member, and what the studio changed about a voucher of theirs', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  const { id: packageId } = await studio.createPackage({ price: '45.00' })
  const gift = { recipientName: 'Dear B', recipientEmail: boris.email, message: 'Enjoy' }
  const sale = await dora.call(sellVoucher, { params: { id: ana.id }, body: { packageId, method: 'cash', gift } })
  expect(sale.status).toBe(201)
  const { pool } = studio.server.database
  await pool.query('update vouchers set sent_at = null')
  expect((await boris.read(exportOwnData)).vouchers).toEqual([])
  await pool.query('update vouchers set sent_at = sold_at')
  expect((await boris.read(exportOwnData)).vouchers).toMatchObject([{ isBuyer: false, ...gift }])
  const id = await studio.count('select id from vouchers')
  expect((await dora.call(extendVoucher, { params: { id }, body: { validUntil: '2028-12-31' } })).status).toBe(200)
  expect((await ana.read(exportOwnData)).changedByTheStudio).toMatchObject([{ action: 'voucher_extended' }, {}])
  expect((await boris.read(exportOwnData)).changedByTheStudio).toEqual([])
})

test('an account that is erased withdraws: nobody is said to have declined', async () => {
  const { studio, ana, boris } = await openWithHold()
  await studio.mailTo(ana)
  expect((await boris.call(deleteOwnAccount)).status).toBe(200)
  const mails = (await studio.mailTo(ana)).map(({ subject, text }) => `${subject} ${text}`)
  expect(mails.filter((mail) => mail.includes('declined'))).toEqual([])
  expect(mails.filter((mail) => mail.includes('no longer hold the second place'))).toHaveLength(1)
  expect(await studio.creditsOf(ana)).toBe(9)
})

test('retention keeps a member who is invited, who pays for another member, or has a voucher that can be used', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  const [eve, gil, idle] = [await studio.member('Eve'), await studio.member('Gil'), await studio.member('Idle')]
  studio.travelTo('2028-12-06 09:00')
  await studio.logIn(ana, dora)
  await studio.completeHealth(ana)
  await studio.grantCredits(ana, 2)
  expect((await bookForTwo(ana, await studio.createClass('2028-12-14 18:00'), boris)).status).toBe(201)
  const { id: packageId } = await studio.createPackage({ price: '45.00' })
  const gift = { recipientName: 'Gil', recipientEmail: gil.email }
  await dora.call(sellVoucher, { params: { id: eve.id }, body: { packageId, method: 'cash', gift } })
  studio.travelTo('2028-12-07 12:00')
  await studio.logIn(boris, gil)
  expect((await boris.read(getKeptUntil)).keptBy).toEqual(['booking'])
  expect((await gil.read(getKeptUntil)).keptBy).toEqual(['voucher'])
  await runRetention(studio)
  const kept = await Promise.all([ana, boris, eve, gil, idle].map((person) => countUsers(studio, person)))
  expect(kept).toEqual([1, 1, 1, 1, 0])
})

test('an undelivered invitation of a stranger is forgotten with the invitation, a member’s email is not', async () => {
  const { studio, ana, boris } = await openStudio({ now: 'Monday 09:00' })
  const stranger = { ...boris, email: 'stranger@people.example' } as typeof boris
  await bookForTwo(ana, await studio.createClass('Thursday 18:00'), stranger)
  const undelivered = (email: string) =>
    studio.server.database.transaction((tx) => {
      const data = { to: { email, firstName: 'Ben' }, invitedBy: 'Ana' }
      const given = { jobId: crypto.randomUUID(), reason: 'unknown user', isAddressRefused: true }
      return saveUndelivered(tx, { ...given, job: { mail: 'companion-invited', data } as never }, studio.clock.now())
    })
  await undelivered(stranger.email)
  await undelivered(boris.email)
  await studio.server.workers['end-holds']({}, 'by hand')
  studio.travelTo('2026-12-10 12:00')
  await studio.server.workers['end-holds']({}, 'by hand')
  studio.travelTo('2027-01-20 12:00')
  await studio.server.workers['tidy-up']({}, 'by hand')
  const addresses = (table: string) => studio.count(`select count(*) from ${table} where address like 'stranger%'`)
  expect([await addresses('undelivered_mails'), await addresses('refused_addresses')]).toEqual([0, 0])
  expect(await studio.count('select count(*) from undelivered_mails')).toBe(1)
})

test('an erased companion’s name is nowhere in the database two months later', async () => {
  const { studio, boris, token } = await openWithHold()
  await studio.server.database.pool.query("update users set first_name = 'Ottokar' where id = $1", [boris.id])
  await studio.server.database.pool.query("update invitations set first_name = 'Ottokar'")
  expect((await boris.call(acceptInvitation, { body: { token } })).status).toBe(201)
  expect((await boris.call(deleteOwnAccount)).status).toBe(200)
  studio.travelTo('2027-02-01 09:00')
  await studio.server.workers['tidy-up']({}, 'by hand')
  const { rows } = await studio.server.database.pool.query<{ name: string }>(
    "select c.relname::text as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace",
  )
  for (const { name } of rows) {
    expect(await studio.count(`select count(*) from "${name}" t where t::text like '%Ottokar%'`), name).toBe(0)
  }
})

test('a complaint keeps the record of what was changed about the member’s voucher', async () => {
  const { studio, ana, dora } = await openStudio()
  const { id: packageId } = await studio.createPackage({ price: '45.00' })
  const body = { packageId, method: 'cash', gift: { recipientName: 'Grace' } } as const
  await dora.call(sellVoucher, { params: { id: ana.id }, body })
  const id = await studio.count('select id from vouchers')
  await dora.call(extendVoucher, { params: { id }, body: { validUntil: '2029-12-31' } })
  await dora.call(openComplaint, { params: { id: ana.id }, body: { reason: 'Cold studio' } })
  const lines = "select count(*) from audit_log where subject_kind = 'voucher'"
  expect(await studio.count(lines)).toBe(1)
  studio.travelTo('2028-06-01 12:00')
  await runRetention(studio)
  expect(await studio.count(lines)).toBe(1)
})
