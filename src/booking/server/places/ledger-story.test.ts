import { expect, test } from 'vitest'
import { getMemberPage } from '#insights/contract.ts'
import { deletePass, giftCredits, type LedgerLine, listCredits } from '#passes/contract.ts'
import { exportOwnData } from '#privacy/contract.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { cancelForMember, rescheduleBooking } from '../../contract.ts'
import { joinWaitingList } from '../../contract-waiting.ts'

const linesOf = (person: Person) => person.read(listCredits)
/** A ledger line as kind, credits, class, cause and reason. */
const summary = ({ kind, credits, class: studioClass, causedBy, reason }: LedgerLine) =>
  [
    kind,
    credits,
    studioClass && `${studioClass.title} ${studioClass.date} ${studioClass.startTime}`,
    causedBy?.by,
    reason,
  ].filter((part) => part !== null)
const DUO = 'Duo 2026-12-08 18:00'

test('every line has its class, cause and reason', async () => {
  const { studio, ana, dora } = await openStudio()
  const duo = await studio.createClass({ at: 'Tuesday 18:00', title: 'Duo' })
  const solo = await studio.createClass({ at: 'Wednesday 09:30', title: 'Solo' })
  await ana.cancel((await ana.book(duo)).body.id)
  const { body: booked } = await dora.request('POST', '/api/bookings', { classId: duo, userId: ana.id })
  const { body: moved } = await ana.call(rescheduleBooking, { params: { id: booked.id }, body: { classId: solo } })
  await dora.call(cancelForMember, { params: { id: moved.id }, body: { returnCredit: false } })
  await ana.book(duo)
  await dora.request('DELETE', `/api/classes/${duo}`)

  expect((await linesOf(ana)).map(summary)).toEqual([
    ['return', 1, DUO, 'admin', 'The studio cancelled the class'],
    ['booking', -1, DUO, 'member'],
    ['forfeit', 0, 'Solo 2026-12-09 09:30', 'admin', 'The studio decided that the credit is not returned'],
    ['booking', -1, 'Solo 2026-12-09 09:30', 'member', 'Moved from Duo, 08/12/2026 18:00'],
    ['return', 1, DUO, 'member', 'Moved to Solo, 09/12/2026 09:30'],
    ['booking', -1, DUO, 'admin'],
    ['return', 1, DUO, 'member'],
    ['booking', -1, DUO, 'member'],
    ['gift', 10, 'system'],
  ])
})

test('waiting list, gift, void and expiry lines have a cause too', async () => {
  const { studio, ana, dora } = await openStudio()
  const full = await studio.createClass({ at: 'Friday 18:00', places: 1, title: 'Solo' })
  const carl = await studio.member('Carl', { health: true })
  const { body: gift } = await dora.call(giftCredits, {
    params: { userId: carl.id },
    body: { packageId: (await studio.createPackage()).id, creditsToGift: 3, expiryMonths: 1 },
  })
  const { body: first } = await ana.book(full)
  await carl.call(joinWaitingList, { params: { id: full } })
  await ana.cancel(first.id)
  await studio.endUndo()
  studio.travelTo('2027-01-08 00:05')
  await studio.server.workers['expire-passes']({}, 'by hand')
  await studio.logIn(carl, dora)
  await dora.call(deletePass, { params: { id: gift.id } })
  expect((await linesOf(carl)).map(summary)).toEqual([
    ['expiry', -2, 'system'],
    ['booking', -1, 'Solo 2026-12-11 18:00', 'system', 'From the waiting list'],
    ['gift', 3, 'admin'],
  ])
  await studio.logIn(ana)
  await dora.call(deletePass, { params: { id: (await linesOf(ana))[0]?.passId } })
  expect((await linesOf(ana)).map(summary)[0]).toEqual(['correction', -10, 'admin', 'The pass was voided'])
})

test('names the causing admin to admins, even after they have left, but not to members or in exports', async () => {
  const { studio, ana, dora } = await openStudio()
  const zoe = await studio.admin('Zoe')
  await zoe.request('POST', '/api/bookings', { classId: await studio.createClass('Tuesday 18:00'), userId: ana.id })
  const adminReads = async () => (await dora.read(getMemberPage, { params: { id: ana.id } })).ledger[0]?.causedBy
  expect(await adminReads()).toEqual({ by: 'admin', name: 'Zoe Cast' })
  expect((await linesOf(ana))[0]?.causedBy).toEqual({ by: 'admin', name: null })
  const { body: data } = await ana.call(exportOwnData)
  expect(data.credits).toEqual(await linesOf(ana))
  expect(JSON.stringify(data.credits)).not.toContain('Zoe')
  await dora.request('DELETE', `/api/admin/users/${zoe.id}`)
  expect(await adminReads()).toEqual({ by: 'admin', name: null })
})

test("keeps the class as it was, and shows no other member's", async () => {
  const { studio, ana, boris, dora } = await openStudio()
  const id = await studio.createClass({ at: 'Tuesday 18:00', title: 'Duo' })
  await ana.book(id)
  await dora.request('PUT', `/api/classes/${id}`, { title: 'Solo', startTime: '19:00', endTime: '19:45' })
  expect((await linesOf(ana)).map(summary)[0]).toEqual(['booking', -1, DUO, 'member'])
  expect(await linesOf(boris)).toEqual([])
})
