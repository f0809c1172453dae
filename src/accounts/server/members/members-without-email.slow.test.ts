import { describe, expect, test } from 'vitest'
import { listAttention, markDone } from '#attention/contract.ts'
import { bookClass } from '#booking/contract.ts'
import { listClassPeople } from '#booking/contract-classes.ts'
import { acceptInvitation } from '#booking/contract-companions.ts'
import {
  confirmPlace,
  joinForMember,
  joinWaitingList,
  leaveForMember,
  leaveWaitingList,
  waitingRefusals,
} from '#booking/contract-waiting.ts'
import { bookingRefusals } from '#booking/refusals.ts'
import { healthRefusals, savePaperForm } from '#health/contract.ts'
import { getMemberPage, listUsers } from '#insights/contract.ts'
import { previewMessage, sendMessage, testMessage } from '#mailings/contract.ts'
import { queueMail } from '#messages/server/messages.ts'
import { recordSale } from '#payments/contract-desk.ts'
import { exportPurchases, receiptForAdmin } from '#payments/contract-receipts.ts'
import { deleteUser, exportMemberData } from '#privacy/contract.ts'
import { editClass } from '#schedule/contract.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { accountRefusals, editUser } from '../../contract.ts'
import { addMember, sendInvitation } from '../../contract-invitations.ts'
import { mailedTokens, setNewPassword } from '../links-under-test.ts'

const PHONE = '01423 960 111'
const add = (dora: Person, more: object = {}) =>
  dora.call(addMember, { body: { firstName: 'Winifred', lastName: 'Old', phone: PHONE, ...more } })
const calls = async (dora: Person) => (await dora.read(listAttention)).filter(({ kind }) => kind === 'call_member')
const mails = (studio: StudioUnderTest) => studio.count("select count(*) from pgboss.job where name = 'mail'")

test('is added with a phone number alone, and keeps one of the two', async () => {
  const { studio, dora } = await openStudio()
  const before = await mails(studio)
  expect((await add(dora, { phone: '' })).status).toBe(400)
  expect((await add(dora, { email: 'not an address' })).status).toBe(400)
  const { status, body: winifred } = await add(dora, { email: '' })
  expect([status, winifred]).toMatchObject([201, { email: null, username: null, phone: PHONE }])
  expect((await add(dora)).status).toBe(201)
  expect(await mails(studio)).toBe(before)

  const edit = (body: object) => dora.call(editUser, { params: { id: winifred.id }, body })
  expect(await edit({ phone: '' })).toBeRefused(accountRefusals.phone_needed)
  expect(await edit({ role: 'admin' })).toBeRefused(accountRefusals.email_needed)
  expect((await edit({ lastName: 'Older' })).body).toMatchObject({ lastName: 'Older', email: null })
  expect(await dora.call(sendInvitation, { params: { id: winifred.id } })).toBeRefused(accountRefusals.email_needed)
  for (const search of ['Older', '01423960']) {
    const found = await dora.read(listUsers, { query: { search } })
    expect(found.map(({ id }) => id)).toContain(winifred.id)
  }
  const breaking = ['update users set phone = null where id = $1', "update users set password_hash = 'x' where id = $1"]
  for (const statement of breaking) {
    await expect(studio.server.database.pool.query(statement, [winifred.id])).rejects.toMatchObject({ code: '23514' })
  }
})

test('is called about what is true now, and no more once the class has started', async () => {
  const { studio, dora } = await openStudio()
  const { body: winifred } = await add(dora)
  const sold = await studio.createPackage({ price: '45.00', classCount: 4 })
  const sale = { packageId: sold.id, method: 'cash' as const }
  await dora.call(recordSale, { params: { id: winifred.id }, body: sale })
  const classId = await studio.createClass('Friday 10:00')
  const booked = await dora.call(bookClass, { body: { classId, userId: winifred.id, override: true } })
  expect(booked.status).toBe(201)
  for (const [startTime, endTime] of [
    ['11:00', '11:45'],
    ['12:00', '12:45'],
  ] as const) {
    studio.clock.advance({ minutes: 5 })
    expect((await dora.call(editClass, { params: { id: classId }, body: { startTime, endTime } })).status).toBe(200)
  }
  const texts = async () => (await calls(dora)).map(({ text }) => text).filter((text) => !text.includes('receipt'))
  expect(await texts()).toEqual([expect.stringMatching(/at 10:00 has moved to .*12:00/)])
  const back = { startTime: '10:00', endTime: '10:45' }
  expect((await dora.call(editClass, { params: { id: classId }, body: back })).status).toBe(200)
  expect(await texts()).toEqual([expect.stringContaining('at 10:00 is booked')])
  studio.travelTo('Friday 10:00')
  expect(await texts()).toEqual([])
})

test('is called instead of emailed: one call per event, done with one tap, with a receipt to print', async () => {
  const { studio, ana, dora } = await openStudio()
  const { body: winifred } = await add(dora)
  const sold = await studio.createPackage({ price: '45.00', classCount: 4 })
  const sale = await dora.call(recordSale, {
    params: { id: winifred.id },
    body: { packageId: sold.id, method: 'cash' },
  })
  expect(sale.body.user).toMatchObject({ id: winifred.id, isByPhone: true })
  const classId = await studio.createClass('Friday 10:00')
  const booked = await dora.call(bookClass, { body: { classId, userId: winifred.id, override: true } })
  expect(booked.status).toBe(201)
  const [receipt, booking, ...more] = await calls(dora)
  expect(more).toEqual([])
  expect(receipt).toMatchObject({ title: `Call Winifred Old, ${PHONE}`, actions: ['done'] })
  expect(receipt?.text).toContain('Your receipt for')
  expect(booking?.text).toContain('Your class on Friday 11 December at 10:00 is booked')
  expect(booking?.text).not.toMatch(/attached|http|email/i)
  expect(await studio.mailTo({ email: '' })).toEqual([])

  const purchaseId = await studio.count('select id from purchases where user_id = $1', [winifred.id])
  const paper = await dora.request('GET', receiptForAdmin.path.replace(':id', String(purchaseId)))
  expect([paper.status, paper.headers.get('content-type')]).toMatchObject([200, 'application/pdf'])
  expect((await dora.request('GET', exportPurchases.path)).status).toBe(200)

  const done = { kind: 'call_member' as const, about: booking?.about ?? '' }
  expect((await ana.call(markDone, { body: done })).status).toBe(403)
  expect((await dora.call(markDone, { body: done })).status).toBe(200)
  expect((await calls(dora)).map(({ about }) => about)).toEqual([receipt?.about])
  const data = (await dora.call(exportMemberData, { params: { id: winifred.id } })).body
  expect(data.calls).toMatchObject([{ subject: expect.stringContaining('receipt') }])

  // Studio cancellations and messages too.
  const draft = { audience: { classId }, subject: 'The door', text: 'Please use the side door.' }
  await ana.book(classId)
  const preview = (await dora.call(previewMessage, { body: draft })).body
  expect(preview).toMatchObject({ recipients: 1, leftOut: [{ reason: 'no_address', count: 1 }] })
  expect((await dora.call(testMessage, { body: draft })).status).toBeLessThan(300)
  expect((await dora.call(sendMessage, { body: draft })).body).toMatchObject({ recipients: 1 })
  await dora.request('DELETE', `/api/classes/${classId}`)
  studio.clock.advance({ minutes: 2 })
  await studio.server.workers['email-cancellations']({}, 'a job')
  expect((await calls(dora)).map(({ text }) => text).slice(1)).toEqual([
    expect.stringContaining('Please use the side door.'),
    expect.stringContaining('is cancelled'),
  ])

  expect((await dora.call(deleteUser, { params: { id: winifred.id } })).status).toBe(200)
  expect(await calls(dora)).toEqual([])
  expect(await studio.count('select count(*) from calls')).toBe(0)
})

test('gets an invitation with their first email address, which must be free', async () => {
  const { studio, ana, dora } = await openStudio()
  const { body: winifred } = await add(dora)
  const give = (email: string) => dora.call(editUser, { params: { id: winifred.id }, body: { email } })
  expect(await give(ana.email.toUpperCase())).toBeRefused(accountRefusals.email_taken)
  expect((await give('win@people.example')).body).toMatchObject({
    email: 'win@people.example',
    username: 'win@people.example',
  })
  const [token = ''] = await mailedTokens(studio, { email: 'win@people.example' })
  expect((await setNewPassword(studio.visitor(), token)).body).toMatchObject({ id: winifred.id })
})

test('has a paper health form typed in, with the day it was signed and a line in the read log', async () => {
  const { studio, ana, dora } = await openStudio()
  const { body: winifred } = await add(dora)
  const type = (id: string, signedOn: string, questionnaire: object = { hasHeartCondition: true }) =>
    dora.call(savePaperForm, {
      params: { id },
      body: {
        signedOn,
        questionnaire,
        contact: { contactName: 'Bert', relationship: 'Husband', phoneNumber: '01423 960 112' },
      },
    })
  const before = await mails(studio)
  expect(await type(winifred.id, '2026-12-08')).toBeRefused(healthRefusals.signed_in_future)
  expect(await type(ana.id, '2026-12-01')).toBeRefused(healthRefusals.fills_in_own_form)
  expect((await type(winifred.id, '2026-12-01')).status).toBe(200)
  // The owner gets no email about what they have just typed.
  expect(await mails(studio)).toBe(before)
  const signed =
    "select count(*) from health_questionnaires where user_id = $1 and consented_at = '2026-12-01T12:00:00Z'"
  expect(await studio.count(signed, [winifred.id])).toBe(1)
  const reads = "select count(*) from health_reads where member_id = $1 and admin_id = $2 and what = 'answers'"
  expect(await studio.count(reads, [winifred.id, dora.id])).toBe(1)
  const audited =
    "select count(*) from audit_log where subject_id = $1 and action = 'health_typed_in' and changes::text not like '%eart%'"
  expect(await studio.count(audited, [winifred.id])).toBe(1)

  await studio.grantCredits(winifred, 1)
  const classId = await studio.createClass('Friday 10:00')
  expect((await dora.call(bookClass, { body: { classId, userId: winifred.id } })).status).toBe(201)
})

test('is shown on their companion’s page as the member who paid and has no email address', async () => {
  const { studio, ana, dora } = await openStudio()
  const { body: winifred } = await add(dora)
  const contact = { contactName: 'Bert', relationship: 'Husband', phoneNumber: '01423 960 112' }
  const params = { id: winifred.id }
  await dora.call(savePaperForm, { params, body: { signedOn: '2026-12-01', questionnaire: {}, contact } })
  await studio.grantCredits(winifred, 2)
  const companion = { firstName: 'Ana', lastName: 'Blackwood', email: ana.email }
  const classId = await studio.createClass('Friday 10:00')
  expect((await dora.call(bookClass, { body: { classId, userId: winifred.id, companion } })).status).toBe(201)
  const token = /#invitation=([\w.-]+)/.exec((await studio.mailTo(ana)).at(-1)?.text ?? '')?.[1] ?? 'none'
  expect((await ana.call(acceptInvitation, { body: { token } })).status).toBe(201)
  const { bookings } = await dora.read(getMemberPage, { params: { id: ana.id } })
  expect(bookings).toMatchObject([{ isByPhone: false, payer: { firstName: 'Winifred', isByPhone: true } }])
})

test('is removed from queued emails to the owner once erased', async () => {
  const { studio, dora } = await openStudio()
  const { body: winifred } = await add(dora)
  const notice = { to: { email: 'owner@studio.example', firstName: '' }, member: { name: 'Winifred Old' } }
  await studio.server.database.transaction((tx) => queueMail(tx, 'health-update-notice', notice))
  const named = "select count(*) from pgboss.job where name = 'mail' and data::text like '%Winifred Old%'"
  expect(await studio.count(named)).toBe(1)
  await dora.call(deleteUser, { params: { id: winifred.id } })
  expect(await studio.count(named)).toBe(0)
})

describe('on a waiting list', () => {
  /** Carl has the only place of a class; Winifred, without an email address, is next on the list, then Ana. */
  async function fullClass() {
    const story = await openStudio({ now: 'Monday 09:00' })
    const { studio, ana, dora } = story
    const { body: winifred } = await add(dora)
    await studio.grantCredits(winifred, 1)
    const paper = { contactName: 'Bert', relationship: 'Husband', phoneNumber: '01423 960 112' }
    await dora.call(savePaperForm, {
      params: { id: winifred.id },
      body: { signedOn: '2026-12-01', questionnaire: {}, contact: paper },
    })
    const carl = await studio.member('Carl', { health: true, credits: 2 })
    const full = await studio.createClass({ at: 'Friday 18:00', places: 1 })
    const booking = (await carl.book(full)).body
    const join = (userId: string) => dora.call(joinForMember, { params: { id: full }, body: { userId } })
    expect((await join(winifred.id)).body).toMatchObject({ position: 1, isBooked: false })
    expect(await join(winifred.id)).toBeRefused(waitingRefusals.already_on_waiting_list)
    expect((await ana.call(joinWaitingList, { params: { id: full } })).status).toBe(201)
    const cancel = () => carl.request('PUT', `/api/bookings/${booking.id}/cancel`)
    const places = async () => (await dora.read(listAttention)).filter(({ kind }) => kind === 'place_to_offer')
    const handOut = async () => {
      studio.clock.advance({ minutes: 1 })
      await studio.server.workers['end-undo']({}, 'a job')
      await studio.server.workers['offer-reserved-places']({}, 'a job')
    }
    const friday = { query: { from: '2026-12-11', to: '2026-12-11' } }
    const [shown] = await dora.read(listClassPeople, friday)
    expect(shown?.waiting.map(({ isByPhone }) => isByPhone)).toEqual([true, false])
    const params = { id: full, userId: winifred.id }
    return { ...story, winifred, full, cancel, places, handOut, params }
  }

  test('a free place is kept until the owner confirms it', async () => {
    const { studio, ana, dora, winifred, full, cancel, places, handOut, params } = await fullClass()
    expect(await dora.call(confirmPlace, { params })).toBeRefused(waitingRefusals.no_place_to_confirm)
    await cancel()
    await handOut()
    await handOut()
    const [place, ...more] = await places()
    expect(more).toEqual([])
    expect(place).toMatchObject({ title: `Call Winifred Old, ${PHONE}: a place is free`, actions: [] })
    expect(await studio.count('select count(*) from bookings where user_id = $1', [winifred.id])).toBe(0)
    // Kept for Winifred: nobody else can book it, and the waiting list is not emailed every minute.
    expect(await ana.book(full)).toBeRefused(bookingRefusals.class_full)
    expect((await studio.mailTo(ana)).filter(({ subject }) => /place/.test(subject))).toEqual([])
    expect((await ana.call(confirmPlace, { params })).status).toBe(403)

    expect((await dora.call(confirmPlace, { params })).status).toBe(200)
    const confirmed = "select count(*) from bookings where user_id = $1 and status = 'confirmed'"
    expect(await studio.count(confirmed, [winifred.id])).toBe(1)
    expect(await places()).toEqual([])
    // The owner has just spoken to them on the phone.
    expect((await calls(dora)).filter(({ text }) => text.includes('A place for you'))).toEqual([])
    expect(await dora.call(confirmPlace, { params })).toBeRefused(waitingRefusals.no_place_to_confirm)
  })

  test('a place that nobody else on the list can take is announced once, not every minute', async () => {
    const { studio, ana, boris, dora, full, cancel, places, handOut } = await fullClass()
    await ana.call(leaveWaitingList, { params: { id: full } })
    expect((await boris.call(joinWaitingList, { params: { id: full } })).body.wouldBeSkipped).not.toBeNull()
    await cancel()
    await handOut()
    await dora.call(editClass, { params: { id: full }, body: { maxParticipants: 2 } })
    await handOut()
    await handOut()
    expect(await places()).toHaveLength(1)
    expect((await studio.mailTo(boris)).filter(({ subject }) => /^A place is free/.test(subject))).toHaveLength(1)
  })

  test('a declined place goes to the next; from 12 hours before the start it is theirs for 20 minutes', async () => {
    const { ana, studio, dora, full, cancel, places, handOut, params } = await fullClass()
    await cancel()
    await handOut()
    expect(await places()).toHaveLength(1)
    expect((await dora.call(leaveForMember, { params })).status).toBe(200)
    const confirmed = "select count(*) from bookings where user_id = $1 and class_id = $2 and status = 'confirmed'"
    expect(await studio.count(confirmed, [ana.id, full])).toBe(1)
    expect(await dora.call(leaveForMember, { params })).toBeRefused(waitingRefusals.not_on_waiting_list)

    const later = await fullClass()
    await later.cancel()
    await later.handOut()
    later.studio.travelTo('Friday 07:00')
    await later.handOut()
    expect(await later.places()).toMatchObject([{ text: expect.stringContaining('until 11/12/2026 07:21') }])
    later.studio.travelTo('Friday 07:21')
    await later.handOut()
    expect(await later.places()).toEqual([])
    expect((await later.ana.book(later.full)).status).toBe(201)
  })
})
