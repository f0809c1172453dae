import { expect, test } from 'vitest'
import { accountRefusals, addNote, deleteNote } from '#accounts/contract.ts'
import { deleteUser } from '#privacy/contract.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { getMemberPage } from '../contract.ts'

test('has bookings, passes, the credit ledger and notes', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  const booking = (await ana.book(await studio.createClass('Tuesday 18:00'))).body
  await ana.cancel(booking.id)
  const note = (await dora.call(addNote, { params: { id: ana.id }, body: { text: 'Prefers mornings' } })).body
  await dora.call(addNote, { params: { id: ana.id }, body: { text: 'Brings a friend' } })
  expect((await boris.call(addNote, { params: { id: ana.id }, body: { text: 'x' } })).status).toBe(403)

  const { body } = await dora.call(getMemberPage, { params: { id: ana.id } })
  expect(body.user).toMatchObject({ id: ana.id, totalCredits: 10, bookingsCount: 1 })
  expect(body.bookings).toMatchObject([{ id: booking.id, status: 'cancelled' }])
  expect(body.passes).toMatchObject([{ creditsRemaining: 10 }])
  const lines = body.ledger.map(({ kind, credits }: { kind: string; credits: number }) => `${kind} ${credits}`)
  expect(lines).toEqual(['return 1', 'booking -1', 'gift 10'])
  expect(body.notes).toMatchObject([{ text: 'Brings a friend', author: 'Dora Cast' }, { text: 'Prefers mornings' }])
  expect((await boris.call(getMemberPage, { params: { id: ana.id } })).status).toBe(403)

  expect((await dora.call(deleteNote, { params: { id: note.id } })).status).toBe(200)
  expect(await dora.call(deleteNote, { params: { id: note.id } })).toBeRefused(accountRefusals.note_not_found)
  // The audit log does not contain the text of a note.
  const { rows } = await studio.server.database.pool.query('select * from audit_log')
  expect(JSON.stringify(rows)).not.toMatch(/mornings|friend/)
  await dora.call(deleteUser, { params: { id: ana.id } })
  expect(await studio.count('select count(*) from member_notes')).toBe(0)
  expect(await dora.call(getMemberPage, { params: { id: ana.id } })).toBeRefused(accountRefusals.user_not_found)
  const response = await dora.call(addNote, { params: { id: ana.id }, body: { text: 'Gone' } })
  expect(response).toBeRefused(accountRefusals.user_not_found)
})

test('has when and why a mail server refused the address', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  await studio.server.database.pool.query(`insert into refused_addresses values ($1, '550 no such user', $2)`, [
    ana.email,
    '2026-12-06T18:20:00Z',
  ])
  const refusedOf = async ({ id }: { id: string }) => (await dora.read(getMemberPage, { params: { id } })).mailRefused
  expect(await refusedOf(ana)).toEqual({ since: '2026-12-06T18:20:00Z', reason: '550 no such user' })
  expect(await refusedOf(boris)).toBeNull()
})
