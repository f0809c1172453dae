import { describe, expect, test } from 'vitest'
import { editUser } from '#accounts/contract.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { listAudit, listUsers } from '#insights/contract.ts'
import {
  createPackage,
  deletePackage,
  editPackage,
  listAllPackages,
  togglePackageVisibility,
} from '#packages/contract.ts'
import { deletePass, giftCredits, listPasses } from '#passes/contract.ts'
import { deleteUser } from '#privacy/contract.ts'
import { deleteClass, editClass } from '#schedule/contract.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, shareStudio } from '#testing/studio-under-test.ts'
import { createClass, listClasses } from '#timetable/contract.ts'

const historyOf = (admin: Person, subject: string) => admin.read(listAudit, { query: { subject } })

describe('the audit log', () => {
  const story = shareStudio()

  test('records edits of a user, gifted credits and deleted passes', async () => {
    const { studio, dora } = story
    const vera = await studio.member('Vera')
    const sold = await studio.createPackage({ name: 'Ten' })
    await dora.call(editUser, { params: { id: vera.id }, body: { firstName: 'Verity' } })
    const body = { packageId: sold.id, creditsToGift: 3, expiryMonths: 6 }
    await dora.call(giftCredits, { params: { userId: vera.id }, body })
    const [pass] = (await vera.call(listPasses)).body
    await dora.call(deletePass, { params: { id: pass.id } })
    expect(await historyOf(dora, `user:${vera.id}`)).toMatchObject([
      { action: 'pass_deleted', changes: { package: { before: 'Ten' }, credits: { before: 3, after: 0 } } },
      { action: 'credits_gifted', changes: { package: { after: 'Ten' }, credits: { after: 3 } } },
      { action: 'edited', admin: { name: 'Dora Cast' }, changes: { firstName: { before: 'Vera', after: 'Verity' } } },
    ])
  })

  test('records changes to a package', async () => {
    const { dora } = story
    const form = { name: 'Six', price: '300', classCount: 6, validityMonths: 3 }
    const { id } = (await dora.call(createPackage, { body: form })).body
    await dora.call(editPackage, { params: { id }, body: { ...form, price: '310' } })
    await dora.call(togglePackageVisibility, { params: { id } })
    await dora.call(togglePackageVisibility, { params: { id } })
    await dora.call(deletePackage, { params: { id } })
    const history = await historyOf(dora, `package:${id}`)
    expect(history.map(({ action }) => action)).toEqual(['deleted', 'shown', 'hidden', 'edited', 'created'])
    expect(history[3]?.changes).toEqual({ price: { before: '300.00', after: '310.00' } })
  })

  test('records a line for each class of a series, with its cancelled bookings', async () => {
    const { ana, dora } = story
    const weekly = { isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate: '2026-12-22' }
    const times = { startTime: '19:00', endTime: '19:45' }
    const first = (await dora.call(createClass, { body: { title: 'Late', date: '2026-12-08', ...times, ...weekly } }))
      .body
    const query = { from: '2026-12-22', to: '2026-12-22' }
    const last = (await dora.call(listClasses, { query })).body.find((c: { title: string }) => c.title === 'Late')
    await ana.book(last.id)
    await dora.call(editClass, { params: { id: first.id }, body: { startTime: '19:15', applyToRecurring: true } })
    await dora.call(deleteClass, { params: { id: first.id }, body: { applyToRecurring: true } })
    expect(await historyOf(dora, `class:${last.id}`)).toMatchObject([
      { action: 'deleted', changes: { bookingsCancelled: { after: 1 } } },
      { action: 'edited', changes: { startTime: { before: '19:00', after: '19:15' } } },
      { action: 'created', changes: { title: { after: 'Late' } } },
    ])
  })

  test('records nothing when a change is refused', async () => {
    const { studio, dora } = story
    const before = await studio.count('select count(*) from audit_log')
    await dora.call(editUser, { params: { id: dora.id }, body: { isAdmin: false } })
    await dora.call(deletePackage, { params: { id: 999_999 } })
    expect(await studio.count('select count(*) from audit_log')).toBe(before)
  })

  test('refuses to change or delete lines', async () => {
    const { pool } = story.studio.server.database
    await story.dora.call(editUser, { params: { id: story.boris.id }, body: { firstName: 'Boris B.' } })
    for (const change of ["update audit_log set changes = '{}'", 'delete from audit_log', 'truncate audit_log'])
      await expect(pool.query(change)).rejects.toThrow('append-only')
  })
})

test('keeps the lines of an erased user without a name', async () => {
  const { studio, boris, dora } = await openStudio()
  const carl = await studio.admin('Carl')
  await carl.call(editUser, { params: { id: boris.id }, body: { email: 'boris.new@people.example' } })
  await dora.call(deleteUser, { params: { id: boris.id } })
  await dora.call(deleteUser, { params: { id: carl.id } })
  expect(await historyOf(dora, `user:${boris.id}`)).toMatchObject([
    { action: 'deleted', admin: { name: 'Dora Cast' }, changes: {} },
    { action: 'edited', admin: { name: null }, changes: {} },
  ])
  const { rows } = await studio.server.database.pool.query('select changes::text as text from audit_log')
  expect(JSON.stringify(rows)).not.toMatch(/boris/i)
})

describe('two admins edit one thing', () => {
  const story = shareStudio()

  test('refuses a stale edit of a user; accepts one without a version', async () => {
    const { boris, dora } = story
    const read = (await dora.call(listUsers)).body.find((user: { id: string }) => user.id === boris.id)
    const call = (body: object) => dora.call(editUser, { params: { id: boris.id }, body })
    expect((await call({ firstName: 'Bo', ifUpdatedAt: read.updatedAt })).status).toBe(200)
    expect(await call({ firstName: 'Bob', ifUpdatedAt: read.updatedAt })).toBeRefused(commonRefusals.edit_conflict)
    expect((await call({ lastName: 'Late' })).body).toMatchObject({ firstName: 'Bo', lastName: 'Late' })
  })

  test('refuses a stale edit of a package', async () => {
    const { studio, dora } = story
    const { id } = await studio.createPackage({ name: 'Twelve' })
    const read = (await dora.call(listAllPackages)).body.find((sold: { id: number }) => sold.id === id)
    const call = (body: object) => dora.call(editPackage, { params: { id }, body })
    expect((await call({ price: '10', ifUpdatedAt: read.updatedAt })).status).toBe(200)
    expect(await call({ price: '20', ifUpdatedAt: read.updatedAt })).toBeRefused(commonRefusals.edit_conflict)
    expect((await call({ name: 'Dozen' })).body).toMatchObject({ name: 'Dozen', price: '10.00' })
  })

  test('refuses a stale edit of a class, even after it was deactivated; a booking does not count as an edit', async () => {
    const { studio, ana, dora } = story
    const id = await studio.createClass('Tuesday 18:00')
    const day = { query: { from: '2026-12-08', to: '2026-12-08' } }
    const [read] = (await dora.call(listClasses, day)).body
    await ana.book(id)
    const call = (body: object) => dora.call(editClass, { params: { id }, body })
    const { body: edited } = await call({ title: 'Gentle', ifUpdatedAt: read.updatedAt })
    expect(edited.title).toBe('Gentle')
    expect(await call({ isActive: false, ifUpdatedAt: read.updatedAt })).toBeRefused(commonRefusals.edit_conflict)
    expect((await call({ isActive: false, ifUpdatedAt: edited.updatedAt })).status).toBe(200)
    const response = await call({ title: 'Strong', ifUpdatedAt: edited.updatedAt })
    expect(response).toBeRefused(commonRefusals.edit_conflict)
  })

  test('accepts one of two concurrent edits', async () => {
    const { studio, dora } = story
    const { id, updatedAt } = await studio.createPackage({ name: 'Race' })
    const prices = ['11', '12', '13', '14']
    const responses = await Promise.all(
      prices.map((price) =>
        dora.call(editPackage, { params: { id }, body: { price, ifUpdatedAt: updatedAt.toString() } }),
      ),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  })
})
