import { describe, expect, test } from 'vitest'
import { editClass } from '#schedule/contract.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { listClasses, timetableRefusals } from '#timetable/contract.ts'
import { blockMember } from '../../contract.ts'
import { getClassForAdmin } from '../../contract-classes.ts'
import {
  confirmPlace,
  declineOffer,
  joinForMember,
  joinWaitingList,
  leaveWaitingList,
  listWaiting,
  waitingRefusals,
} from '../../contract-waiting.ts'
import { bookingRefusals } from '../../refusals.ts'

const join = (person: Person, id: number) => person.call(joinWaitingList, { params: { id } })
const decline = (person: Person, id: number) => person.call(declineOffer, { params: { id } })
const handOut = (studio: StudioUnderTest) => studio.server.workers['offer-reserved-places']({}, 'by hand')
const offersOf = async (person: Person) => (await person.read(listWaiting)).map(({ offeredUntil }) => offeredUntil)
const mailsTo = async (studio: StudioUnderTest, person: Person) =>
  (await studio.mailTo(person)).filter(({ subject }) => /place/.test(subject)).map(({ subject }) => subject)
const OFFER = (until: string) => `Yours until ${until}: a place on Monday 7 December at 18:00`
const FREE = 'A place is free on Monday 7 December at 18:00'
const SKIPPED = 'We could not give you a place on Monday 7 December at 18:00'

/** Carl has the only place of a class on Monday at 18:00; Ana, Eve and Finn wait in this order, each with a credit. */
async function fullClass({ at = 'Monday 18:00', now = 'Monday 09:00' } = {}) {
  const story = await openStudio({ now: '2026-12-06 09:00' })
  const { studio, ana } = story
  const carl = await studio.member('Carl', { health: true, credits: 2 })
  const eve = await studio.member('Eve', { health: true, credits: 1 })
  const finn = await studio.member('Finn', { health: true, credits: 1 })
  const full = await studio.createClass({ at, places: 1 })
  const { body: booking } = await carl.book(full)
  for (const person of [ana, eve, finn]) await join(person, full)
  const free = async () => {
    await carl.cancel(booking.id)
    await studio.endUndo()
  }
  studio.travelTo(now)
  await studio.logIn(story.dora)
  return { ...story, carl, eve, finn, full, free }
}

describe('a place that is free less than 12 hours before the start', () => {
  test('is offered to the first on the list for 20 minutes, and taken for everyone else', async () => {
    const { studio, ana, eve, carl, dora, full, free } = await fullClass()
    await free()
    expect(await offersOf(ana)).toEqual(['2026-12-07T09:20:00Z'])
    expect(await offersOf(eve)).toEqual([null])
    expect(await mailsTo(studio, ana)).toEqual([OFFER('09:20')])
    expect(await mailsTo(studio, eve)).toEqual([])
    expect(await ana.read(listClasses)).toMatchObject([{ bookedCount: 0, availableSpots: 0, reservedPlaces: 1 }])
    expect((await dora.call(getClassForAdmin, { params: { id: full } })).body.waiting).toMatchObject([
      { user: { firstName: 'Ana' }, offeredUntil: '2026-12-07T09:20:00Z' },
      { offeredUntil: null },
      { offeredUntil: null },
    ])
    for (const person of [eve, carl]) expect(await person.book(full)).toBeRefused(bookingRefusals.class_full)

    studio.travelTo('Monday 09:19:59')
    await handOut(studio)
    expect((await ana.book(full)).status).toBe(201)
    expect(await ana.read(listClasses)).toMatchObject([{ bookedCount: 1, reservedPlaces: 0 }])
    expect(await offersOf(ana)).toEqual([])
    studio.travelTo('Monday 09:21')
    await handOut(studio)
    expect(await mailsTo(studio, eve)).toEqual([])
  })

  test('goes to the next when the turn runs out, once, also with two processes', async () => {
    const { studio, ana, eve, finn, full, free } = await fullClass()
    const other = await studio.startSecondProcess()
    await free()
    studio.travelTo('Monday 09:20')
    expect(await ana.book(full)).toBeRefused(bookingRefusals.class_full)
    await Promise.all([handOut(studio), other.server.workers['offer-reserved-places']({}, 'by hand')])
    expect([await offersOf(ana), await offersOf(eve)]).toEqual([[null], ['2026-12-07T09:40:00Z']])
    expect(await mailsTo(studio, eve)).toEqual([OFFER('09:40')])
    expect(await mailsTo(studio, ana)).toEqual([OFFER('09:20')])
    studio.travelTo('Monday 09:40')
    await handOut(studio)
    expect(await offersOf(finn)).toEqual(['2026-12-07T10:00:00Z'])

    // Everyone has had a turn: now anyone can book it, and the list is emailed once.
    studio.travelTo('Monday 10:00')
    await handOut(studio)
    await handOut(studio)
    expect(await ana.read(listClasses)).toMatchObject([{ availableSpots: 1, reservedPlaces: 0 }])
    expect(await mailsTo(studio, finn)).toEqual([OFFER('10:00'), FREE])
    expect((await eve.book(full)).status).toBe(201)
  })

  test('goes to the next at once when it is declined, and the member keeps their position', async () => {
    const { studio, ana, eve, boris, full, free } = await fullClass()
    await free()
    expect(await decline(eve, full)).toBeRefused(waitingRefusals.no_offer)
    expect(await decline(boris, full)).toBeRefused(waitingRefusals.no_offer)
    expect(await decline(ana, 999_999)).toBeRefused(timetableRefusals.class_not_found)
    expect((await decline(ana, full)).status).toBe(200)
    expect(await ana.read(listWaiting)).toMatchObject([{ position: 1, offeredUntil: null }])
    expect(await offersOf(eve)).toEqual(['2026-12-07T09:20:00Z'])
    expect(await decline(ana, full)).toBeRefused(waitingRefusals.no_offer)
    // For another place, everyone has a turn again.
    expect((await eve.book(full)).status).toBe(201)
    const [hers] = (await eve.request('GET', '/api/bookings/upcoming')).body
    await eve.cancel(hers.id)
    await studio.endUndo()
    expect(await offersOf(ana)).toEqual(['2026-12-07T09:20:00Z'])
  })

  test('goes to the next when the member leaves, is blocked or deleted', async () => {
    const { studio, ana, eve, finn, dora, full, free } = await fullClass()
    await free()
    expect((await ana.call(leaveWaitingList, { params: { id: full } })).status).toBe(200)
    expect(await offersOf(eve)).toEqual(['2026-12-07T09:20:00Z'])
    await dora.call(blockMember, { params: { id: eve.id }, body: { reason: 'Did not come five times' } })
    await handOut(studio)
    expect(await offersOf(finn)).toEqual(['2026-12-07T09:20:00Z'])
    expect((await dora.request('DELETE', `/api/admin/users/${finn.id}`)).status).toBe(200)
    await handOut(studio)
    expect(await ana.read(listClasses)).toMatchObject([{ availableSpots: 1, reservedPlaces: 0 }])
  })

  test('skips members who cannot take it, emails them why once, and lets them in again once they can', async () => {
    const { studio, ana, eve, boris, full, free } = await fullClass()
    const { pool } = studio.server.database
    // Boris is first, and has neither credit nor health information.
    await join(boris, full)
    await pool.query(`update waiting_list set joined_at = '2026-12-01T09:00:00Z' where user_id = $1`, [boris.id])
    await free()
    expect(await mailsTo(studio, boris)).toEqual([SKIPPED])
    expect(await offersOf(ana)).toEqual(['2026-12-07T09:20:00Z'])
    await decline(ana, full)
    expect(await mailsTo(studio, boris)).toEqual([SKIPPED])
    expect(await offersOf(eve)).toEqual(['2026-12-07T09:20:00Z'])
    await studio.completeHealth(boris)
    await studio.grantCredits(boris, 1)
    await decline(eve, full)
    expect(await offersOf(boris)).toEqual(['2026-12-07T09:20:00Z'])
  })

  test('is free for anyone if nobody on the list can take it, and they are emailed', async () => {
    const { studio, ana, eve, finn, free } = await fullClass()
    await studio.server.database.pool.query('delete from health_questionnaires')
    await free()
    for (const person of [ana, eve, finn]) expect(await mailsTo(studio, person)).toEqual([FREE])
    expect(await ana.read(listClasses)).toMatchObject([{ availableSpots: 1, reservedPlaces: 0 }])
    await handOut(studio)
    expect(await mailsTo(studio, ana)).toEqual([FREE])
  })

  test('is anyone’s from 3 hours before the start, and everyone left on the list is emailed once', async () => {
    const { studio, ana, eve, finn, full, free } = await fullClass({ now: 'Monday 14:50' })
    await free()
    expect(await offersOf(ana)).toEqual(['2026-12-07T15:00:00Z'])
    studio.travelTo('Monday 15:00')
    await handOut(studio)
    await handOut(studio)
    expect(await mailsTo(studio, ana)).toEqual([OFFER('15:00'), FREE])
    for (const person of [eve, finn]) expect(await mailsTo(studio, person)).toEqual([FREE])
    expect((await finn.book(full)).status).toBe(201)
  })

  test('waits from 22:00 to 07:00, and a turn that started before continues', async () => {
    const { studio, ana, eve, full, free } = await fullClass({ at: 'Tuesday 09:58', now: 'Monday 21:59' })
    const late = await studio.createClass({ at: 'Tuesday 11:00', places: 1 })
    const { body: booked } = await ana.book(late)
    await join(eve, late)
    await free()
    studio.travelTo('Monday 22:05')
    await handOut(studio)
    expect(await offersOf(ana)).toEqual(['2026-12-07T22:19:00Z'])
    // For a class before 10:00 everyone is emailed at once, when the turn is over.
    studio.travelTo('Monday 22:19')
    await handOut(studio)
    expect(await mailsTo(studio, eve)).toEqual(['A place is free on Tuesday 8 December at 09:58'])
    expect((await eve.book(full)).status).toBe(201)

    studio.travelTo('Monday 23:00')
    await ana.cancel(booked.id)
    await studio.endUndo()
    await handOut(studio)
    await studio.grantCredits(eve, 1)
    expect(await offersOf(eve)).toEqual([null])
    studio.travelTo('Tuesday 07:00')
    await handOut(studio)
    expect(await mailsTo(studio, eve)).toEqual([
      'A place is free on Tuesday 8 December at 09:58',
      'Yours until 07:20: a place on Tuesday 8 December at 11:00',
    ])
  })

  test('is no longer offered once the studio moves the class', async () => {
    const { studio, ana, dora, full, free } = await fullClass()
    await free()
    await dora.call(editClass, { params: { id: full }, body: { startTime: '19:00' } })
    expect(await ana.read(listWaiting)).toMatchObject([{ needsConfirming: true, offeredUntil: null }])
    expect(await ana.read(listClasses)).toMatchObject([{ availableSpots: 1, reservedPlaces: 0 }])
    expect(await studio.count('select count(*) from waiting_list where turn is not null')).toBe(0)
  })

  test('is offered to a member without an email address, whom the owner calls in that time', async () => {
    const { studio, ana, eve, finn, dora, full, free } = await fullClass()
    const names = { firstName: 'Noa', lastName: 'Cast', phone: '01423 960 111' }
    const { body: noa } = await dora.request('POST', '/api/admin/users', names)
    const gift = { packageId: (await studio.createPackage()).id, creditsToGift: 1, expiryMonths: 3 }
    await dora.request('POST', `/api/admin/users/${noa.id}/gift-credits`, gift)
    await dora.call(joinForMember, { params: { id: full }, body: { userId: noa.id } })
    const { pool } = studio.server.database
    await pool.query(
      `insert into health_questionnaires select (q).* from (select jsonb_populate_record(q, jsonb_build_object('user_id', $1::text)) as q from health_questionnaires q where user_id = $2) as copy`,
      [noa.id, ana.id],
    )
    await pool.query(
      `insert into emergency_contacts select (q).* from (select jsonb_populate_record(q, jsonb_build_object('user_id', $1::text)) as q from emergency_contacts q where user_id = $2) as copy`,
      [noa.id, ana.id],
    )
    await free()
    for (const person of [ana, eve, finn]) await decline(person, full)
    const items = (await dora.request('GET', '/api/admin/attention')).body
    expect(items).toContainEqual(
      expect.objectContaining({ kind: 'place_to_offer', text: expect.stringContaining('until 07/12/2026 09:20') }),
    )
    const confirmed = await dora.call(confirmPlace, { params: { id: full, userId: noa.id } })
    expect(confirmed.status).toBe(200)
    expect(await ana.read(listClasses)).toMatchObject([{ bookedCount: 1, reservedPlaces: 0 }])
  })

  test('cannot be taken away by the studio while it is offered', async () => {
    const { studio, ana, carl, dora } = await fullClass()
    const eve = await studio.member('Eva', { health: true, credits: 1 })
    const duo = await studio.createClass({ at: 'Monday 19:00', places: 2 })
    const { body: booked } = await carl.book(duo)
    await eve.book(duo)
    await join(ana, duo)
    await carl.cancel(booked.id)
    await studio.endUndo()
    const shrink = () => dora.call(editClass, { params: { id: duo }, body: { maxParticipants: 1 } })
    expect(await shrink()).toBeRefused(bookingRefusals.place_offered)
    studio.travelTo('Monday 09:20')
    expect((await shrink()).body).toMatchObject({ maxParticipants: 1, reservedPlaces: 0 })
    expect(await studio.count(`select count(*) from waiting_list where turn = 'offered'`)).toBe(0)
  })

  test('must have an end in the database', async () => {
    const { studio, ana } = await fullClass()
    const set = (text: string) =>
      studio.server.database.pool.query(`update waiting_list set ${text} where user_id = $1`, [ana.id])
    await expect(set(`turn = 'offered'`)).rejects.toMatchObject({ constraint: 'an_offer_has_an_end' })
    await expect(set(`offered_until = now()`)).rejects.toMatchObject({ constraint: 'an_offer_has_an_end' })
    await expect(set(`turn = 'offered', offered_until = now(), unconfirmed_since = now()`)).rejects.toMatchObject({
      constraint: 'an_offer_is_confirmed',
    })
  })
})

test('gives an offered place only to its member when others try to book it at the same time', async () => {
  const { studio, ana, eve, finn, carl, full, free } = await fullClass()
  await free()
  const responses = await Promise.all([
    eve.book(full),
    ana.book(full),
    finn.book(full),
    carl.book(full),
    handOut(studio),
    ana.book(full),
  ])
  expect(await studio.count(`select count(*) from bookings where status = 'confirmed'`)).toBe(1)
  expect((await ana.request('GET', '/api/bookings/upcoming')).body).toHaveLength(1)
  expect(responses.filter((response) => response && response.status === 201)).toHaveLength(1)
})
