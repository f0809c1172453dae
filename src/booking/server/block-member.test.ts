import { describe, expect, test } from 'vitest'
import { accountRefusals, editUser } from '#accounts/contract.ts'
import { listAudit } from '#insights/contract.ts'
import { createPaymentIntent } from '#payments/contract.ts'
import { recordSale } from '#payments/contract-desk.ts'
import { exportOwnData } from '#privacy/contract.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { listClasses } from '#timetable/contract.ts'
import { blockMember, bookClass, cancelBooking, moveForMember, rescheduleBooking, unblockMember } from '../contract.ts'
import { joinWaitingList, listWaiting } from '../contract-waiting.ts'

const WHY = 'Shouts at other people'
const block = (admin: Person, { id }: { id: string }, reason = WHY) =>
  admin.call(blockMember, { params: { id }, body: { reason } })
const unblock = (admin: Person, { id }: { id: string }) => admin.call(unblockMember, { params: { id } })

/** Ana has booked Tuesday and waits for Thursday, which Boris has booked. */
async function story() {
  const opened = await openStudio({ now: 'Monday 09:00' })
  const { studio, ana, boris } = opened
  await studio.completeHealth(boris)
  await studio.grantCredits(boris, 2)
  const tuesday = await studio.createClass('Tuesday 18:00')
  const thursday = await studio.createClass({ at: 'Thursday 18:00', places: 1 })
  const booking: number = (await ana.book(tuesday)).body.id
  const theirs: number = (await boris.book(thursday)).body.id
  await ana.call(joinWaitingList, { params: { id: thursday } })
  return { ...opened, tuesday, thursday, booking, theirs }
}

describe('a blocked member', () => {
  test('cannot book, move, wait or buy, even through an admin, but can see and cancel', async () => {
    const { studio, ana, dora, thursday, booking } = await story()
    const friday = await studio.createClass('Friday 18:00')
    expect(await block(dora, ana)).toMatchObject({ status: 200 })
    const pack = await studio.createPackage({ price: 45 })
    const refused = await Promise.all([
      ana.call(bookClass, { body: { classId: friday } }),
      dora.call(bookClass, { body: { classId: friday, userId: ana.id, override: true } }),
      ana.call(rescheduleBooking, { params: { id: booking }, body: { classId: friday } }),
      dora.call(moveForMember, { params: { id: booking }, body: { classId: friday } }),
      ana.call(joinWaitingList, { params: { id: thursday } }),
      ana.call(createPaymentIntent, { body: { packageId: pack.id, amount: '45.00' } }),
      dora.call(recordSale, { params: { id: ana.id }, body: { packageId: pack.id, method: 'cash' } }),
    ])
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403, 403])
    expect(refused[0]?.body).toMatchObject({ message: expect.stringContaining('Your account is on hold') })
    expect(await ana.call(cancelBooking, { params: { id: booking } })).toMatchObject({ status: 200 })
    expect((await ana.read(exportOwnData)).account.blocked).toMatchObject({ reason: WHY })
  })

  test('leaves every waiting list, so the next freed place is not theirs', async () => {
    const { ana, boris, dora, thursday, theirs } = await story()
    await block(dora, ana)
    expect(await ana.read(listWaiting)).toEqual([])
    await boris.call(cancelBooking, { params: { id: theirs } })
    const freed = (await ana.read(listClasses)).find(({ id }) => id === thursday)
    expect(freed?.availableSpots).toBe(1)
  })

  test('can do all that again once unblocked', async () => {
    const { studio, ana, dora } = await story()
    const friday = await studio.createClass('Friday 18:00')
    await block(dora, ana)
    await unblock(dora, ana)
    expect(await ana.call(bookClass, { body: { classId: friday } })).toMatchObject({ status: 201 })
  })
})

test('is recorded once per reason; admins and teachers cannot be blocked, nor a blocked member become either', async () => {
  const { studio, ana, boris, dora } = await story()
  await block(dora, ana)
  await block(dora, ana)
  await block(dora, ana, 'And at me')
  await unblock(dora, ana)
  await unblock(dora, ana)
  const lines = await dora.read(listAudit, { query: { subject: `user:${ana.id}` } })
  expect(lines.map(({ action, changes }) => [action, changes])).toEqual([
    ['unblocked', { reason: { before: 'And at me' } }],
    ['blocked', { reason: { before: WHY, after: 'And at me' } }],
    ['blocked', { reason: { after: WHY }, waitingListsLeft: { after: 1 } }],
  ])
  expect(await block(dora, dora)).toMatchObject({ status: 400 })
  await block(dora, ana)
  const edit = (body: object, id = ana.id) => dora.call(editUser, { params: { id }, body })
  for (const role of ['admin', 'teacher'])
    expect(await edit({ role })).toBeRefused(accountRefusals.cannot_promote_blocked_member)
  await edit({ role: 'teacher' }, boris.id)
  expect(await block(dora, boris)).toBeRefused(accountRefusals.cannot_block_teacher)
  const made = "update users set blocked_at = now(), blocked_reason = 'x' where id = $1"
  await expect(studio.server.database.pool.query(made, [boris.id])).rejects.toMatchObject({
    constraint: 'teachers_are_not_blocked',
  })
  expect(await block(dora, { id: 'nobody' })).toMatchObject({ status: 404 })
})
