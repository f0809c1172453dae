import { expect, test } from 'vitest'
import { editUser } from '#accounts/contract.ts'
import { bookClass, listAllBookings } from '#booking/contract.ts'
import { listHealthReads, listHealthUpdates } from '#health/contract.ts'
import { listUsers } from '#insights/contract.ts'
import { listSecurityRecord } from '#insights/contract-security.ts'
import { listAllPackages } from '#packages/contract.ts'
import { listPurchases } from '#payments/contract.ts'
import { recordSale, sellVoucher } from '#payments/contract-desk.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { listVouchers } from '#vouchers/contract.ts'

test('every search finds names without their accents and apostrophes, in any Unicode form and order', async () => {
  const { studio, ana, dora } = await openStudio()
  await dora.call(editUser, { params: { id: ana.id }, body: { firstName: 'Siân', lastName: 'O’Neill' } })
  const { id: packageId } = await studio.createPackage({ name: 'Été Pass' })
  const classId = await studio.createClass({ at: 'Tuesday 18:00', title: 'Déjà vu' })
  await dora.call(bookClass, { body: { classId, userId: ana.id } })
  await dora.call(recordSale, { params: { id: ana.id }, body: { packageId, method: 'cash' } })
  const gift = { recipientName: 'Chloë D’Arcy', recipientEmail: 'chloe@people.example' }
  await dora.call(sellVoucher, { params: { id: ana.id }, body: { packageId, method: 'cash', gift } })

  const found = async (search: string) => {
    const query = { query: { search } }
    return {
      users: (await dora.read(listUsers, query)).length,
      bookings: (await dora.read(listAllBookings, query)).length,
      purchases: (await dora.read(listPurchases, query)).length,
      vouchers: (await dora.read(listVouchers, query)).length,
      packages: (await dora.read(listAllPackages, query)).length,
      healthUpdates: (await dora.read(listHealthUpdates, query)).length > 0,
      healthReads: (await dora.read(listHealthReads, query)).length > 0,
      security: (await dora.read(listSecurityRecord, query)).length > 0,
    }
  }
  await found('')
  const member = { users: 1, bookings: 1, purchases: 2, vouchers: 1, packages: 0 }
  const theirs = { healthUpdates: true, healthReads: true, security: true }
  const names = [
    'Sian',
    'sian oneill',
    "O'Neill, Sian",
    'O’Neill',
    'SIA\u0302N  O´Neill',
    '\u200bSiân',
    'siân people.example',
  ]
  for (const name of names) expect([name, await found(name)]).toEqual([name, { ...member, ...theirs }])
  const nobody = { users: 0, bookings: 0, purchases: 0, vouchers: 0, packages: 0 }
  const none = { healthUpdates: false, healthReads: false, security: false }
  expect(await found('Sian Price')).toEqual({ ...nobody, ...none })
  expect(await found('vu deja')).toEqual({ ...nobody, ...none, bookings: 1 })
  expect(await found('ete')).toEqual({ ...nobody, ...none, purchases: 2, packages: 1 })
  expect(await found("D'arcy Chloe")).toEqual({ ...nobody, ...none, vouchers: 1 })
})

test('finds a phone number however it is typed', async () => {
  const { ana, boris, dora } = await openStudio()
  await dora.call(editUser, { params: { id: ana.id }, body: { phone: '07700 900111' } })
  await dora.call(editUser, { params: { id: boris.id }, body: { phone: '+44 (0)7700 900222' } })
  const found = async (search: string) => (await dora.read(listUsers, { query: { search } })).map(({ id }) => id)
  for (const typed of [
    '07700900111',
    '+44 7700 900111',
    '0044 7700\u2011900111',
    '\u202a07700 900 111\u202c',
    '900111',
  ])
    expect([typed, await found(typed)]).toEqual([typed, [ana.id]])
  expect(await found('07700 900222')).toEqual([boris.id])
  expect(await found('07700 900333')).toEqual([])
})
