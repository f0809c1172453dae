import { describe, expect, test } from 'vitest'
import { listPasses } from '#passes/contract.ts'
import { refundPurchase } from '#payments/contract.ts'
import { recordSale } from '#payments/contract-desk.ts'
import { deleteUser } from '#privacy/contract.ts'
import { closeDays } from '#schedule/contract-closures.ts'
import { pausePass } from '#schedule/contract-pauses.ts'
import { mailSubjectsTo, remove, upcomingOf } from '#schedule/server/classes-under-test.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { listBookings, markAttendance, returnForfeitedCredit, undoCancel } from '../../contract.ts'
import { acceptInvitation, cancelCompanion } from '../../contract-companions.ts'
import { endRegularBooking, setRegularBooking } from '../../contract-regular.ts'

import { addAs, bookForTwo, expectSound, job, openWithHold, takenIn, tokenFor } from './companions-under-test.ts'

describe('a booked companion', () => {
  const openWithTwo = async () => {
    const story = await openWithHold()
    const accepted = await story.boris.call(acceptInvitation, { body: { token: story.token } })
    await story.studio.mailbox()
    return { ...story, second: accepted.body.id as number }
  }

  test('can leave; the credit goes back to the member who paid, who is emailed and keeps the place', async () => {
    const { studio, ana, boris, id, second } = await openWithTwo()
    await boris.cancel(second)
    expect(await studio.creditsOf(ana)).toBe(9)
    expect(await studio.creditsOf(boris)).toBe(0)
    expect(await takenIn(studio, id)).toBe(1)
    expect((await mailSubjectsTo(studio, ana)).at(-1)).toMatch(/^Ben is no longer coming/)
    await expectSound(studio)
  })

  test('keeps the place when the member leaves, and is emailed', async () => {
    const { studio, ana, boris, id, booking } = await openWithTwo()
    await ana.cancel(booking)
    expect((await mailSubjectsTo(studio, boris)).at(-1)).toMatch(/^Ana is no longer coming/)
    await job(studio)
    expect(await upcomingOf(boris)).toMatchObject([{ classId: id }])
    expect(await studio.creditsOf(ana)).toBe(9)
    await expectSound(studio)
  })

  test('keeps the place when the member ends a regular booking, and is emailed', async () => {
    const { studio, ana, boris, id } = await openWithTwo()
    const next = await studio.createClass('2026-12-17 18:00')
    await studio.createClass('2026-12-24 18:00')
    const { body } = await ana.call(setRegularBooking, { body: { classId: next } })
    const [made] = body.booked
    await addAs(ana, made.id, boris)
    await boris.call(acceptInvitation, { body: { token: await tokenFor(studio, boris) } })
    await ana.call(endRegularBooking, { params: { id: body.id }, query: { cancelBookings: 'true' } })
    expect(await upcomingOf(ana)).toMatchObject([{ classId: id }])
    expect(await upcomingOf(boris)).toMatchObject([{ classId: id }, { classId: next }])
    expect((await mailSubjectsTo(studio, boris)).at(-1)).toMatch(/^Ana is no longer coming/)
    await expectSound(studio)
  })

  test('is cancelled by the member who paid, who alone can undo it', async () => {
    const { studio, ana, boris, booking, second } = await openWithTwo()
    expect((await boris.call(cancelCompanion, { params: { id: booking } })).status).toBe(404)
    await ana.call(cancelCompanion, { params: { id: booking } })
    expect(await upcomingOf(boris)).toEqual([])
    expect((await boris.call(undoCancel, { params: { id: second } })).status).toBe(404)
    expect((await ana.call(undoCancel, { params: { id: second } })).status).toBe(200)
    expect(await upcomingOf(boris)).toMatchObject([{ id: second }])
    await ana.call(cancelCompanion, { params: { id: booking } })
    const text = (await studio.mailTo(boris)).at(-1)?.text
    expect(text).toContain('Ana has cancelled your place')
    expect(await studio.creditsOf(ana)).toBe(9)
    await expectSound(studio)
  })

  test('is emailed where the credit is when the studio cancels the class, and so is the member who paid', async () => {
    const { studio, ana, boris, dora, id } = await openWithTwo()
    await remove(dora, id)
    studio.clock.advance({ seconds: 61 })
    await studio.server.workers['email-cancellations']({}, 'by hand')
    const mailTo = async (person: Person) => {
      const mails = (await studio.mailTo(person)).filter(({ subject }) => subject.startsWith('We are sorry'))
      return mails.map(({ text }) => text.replaceAll(/\s+/g, ' '))
    }
    expect(await mailTo(ana)).toEqual([
      expect.stringContaining('Your credits for you and Ben are back. They are valid'),
    ])
    expect(await mailTo(boris)).toEqual([expect.stringContaining('The credit is back on Ana’s pass.')])
    expect((await mailTo(boris))[0]).not.toContain('days')

    const closed = await studio.createClass('Friday 18:00')
    await bookForTwo(ana, closed, boris)
    await boris.call(acceptInvitation, { body: { token: await tokenFor(studio, boris) } })
    const days = { from: '2026-12-11', to: '2026-12-11', reason: 'A burst pipe', notify: true }
    expect((await dora.call(closeDays, { body: days })).status).toBe(201)
    studio.clock.advance({ seconds: 61 })
    await studio.server.workers['email-cancellations']({}, 'by hand')
    expect((await mailTo(ana)).at(-1)).toContain('Your credits are back on your pass.')
    const told = (await mailTo(boris)).at(-1)
    expect(told).toContain('These classes cannot take place. What Ana paid is back on Ana’s pass.')
    expect(told).not.toContain('your pass')
    await expectSound(studio)
  })

  test('and the member are each emailed once when the pass that paid for both is paused', async () => {
    const { studio, ana, boris, dora } = await openWithTwo()
    const [pass] = await ana.read(listPasses)
    const pause = { from: '2026-12-10', to: '2026-12-10', reason: 'Away' }
    await dora.call(pausePass, { params: { id: pass?.id ?? 0 }, body: pause })
    const about = async (person: Person) =>
      (await mailSubjectsTo(studio, person)).filter((subject) => /is cancelled|is no longer coming/.test(subject))
    expect([await about(ana), await about(boris)].map(({ length }) => length)).toEqual([1, 1])
  })

  test('and the member are each emailed once when a pass that paid for one of them is paused or refunded', async () => {
    const { studio, boris, dora } = await openStudio({ now: 'Monday 09:00' })
    await studio.completeHealth(boris)
    const amy = await studio.member('Amy', { health: true, credits: 1 })
    const sold = await studio.createPackage({ name: 'Package', price: '80.00', classCount: 8, validityMonths: 12 })
    const sale = { packageId: sold.id, method: 'cash' as const }
    const { body: purchase } = await dora.call(recordSale, { params: { id: amy.id }, body: sale })
    const [own, second] = (await amy.read(listPasses)).toSorted((a, b) => a.creditsTotal - b.creditsTotal)
    const book = async (at: string) => {
      await bookForTwo(amy, await studio.createClass(at), boris)
      await boris.call(acceptInvitation, { body: { token: await tokenFor(studio, boris) } })
      for (const person of [amy, boris]) seen.set(person, (await mailSubjectsTo(studio, person)).length)
    }
    const seen = new Map<Person, number>()
    const since = async (person: Person) => (await studio.mailTo(person)).slice(seen.get(person))
    const pauseOn = (passId: number | undefined, day: string) =>
      dora.call(pausePass, { params: { id: passId ?? 0 }, body: { from: day, to: day, reason: 'Away' } })

    await book('Thursday 18:00')
    expect((await pauseOn(second?.id, '2026-12-10')).status).toBe(201)
    const [told, ...more] = await since(boris)
    expect([told?.subject, more]).toEqual([expect.stringMatching(/^Your class on .* is cancelled$/), []])
    expect(told?.text).toContain('The pass that paid for it is paused on that day. The credit is back on Amy’s pass.')
    const toAmy = (await since(amy)).map(({ subject }) => subject.replace(/ on .*/, '')).sort()
    expect(toAmy).toEqual(['Ben is no longer coming', 'Your Package is paused'])

    // Amy's own place, which the other pass pays for.
    expect((await pauseOn(own?.id, '2026-12-10')).status).toBe(201)
    expect(await since(boris)).toHaveLength(1)

    await book('Friday 18:00')
    const full = { amount: '80.00', reason: 'A kindness', credits: 7 }
    expect((await dora.call(refundPurchase, { params: { id: purchase.id }, body: full })).status).toBe(200)
    expect(
      (await since(boris)).map(({ text }) => /The pass that paid for it has ended[^.]*\./.exec(text)?.[0]),
    ).toEqual(['The pass that paid for it has ended, and the booking with it.'])
    const about = (await since(amy)).filter(({ subject }) => subject.startsWith('Ben is no longer coming'))
    expect(about.map(({ text }) => text)).toEqual([expect.stringContaining('The pass that paid for it has ended.')])
    await expectSound(studio)
  })

  test('keeps the place when the member who paid is erased, and leaves the credit when erased', async () => {
    const { studio, ana, boris, dora, id } = await openWithTwo()
    const erase = (person: Person) => dora.call(deleteUser, { params: { id: person.id } })
    expect((await erase(ana)).status).toBe(200)
    expect(await upcomingOf(boris)).toMatchObject([{ classId: id, bookedBy: null, hasPassEnded: true }])
    expect(await takenIn(studio, id)).toBe(1)
    expect(await studio.creditsOf(boris)).toBe(0)
    await expectSound(studio)
    const other = await openWithTwo()
    expect((await other.dora.call(deleteUser, { params: { id: other.boris.id } })).status).toBe(200)
    expect(await other.studio.creditsOf(other.ana)).toBe(9)
    await expectSound(other.studio)
  })

  test('keeps the place once the member who paid is erased, without a pass of their own', async () => {
    const { studio, ana, boris, dora, second } = await openWithTwo()
    studio.travelTo('Thursday 19:00')
    await studio.logIn(dora)
    const params = { id: second }
    expect((await dora.call(markAttendance, { params, body: { status: 'no_show' } })).status).toBe(200)
    expect((await dora.call(returnForfeitedCredit, { params, body: { reason: 'Ill' } })).status).toBe(200)
    expect((await dora.call(deleteUser, { params: { id: ana.id } })).status).toBe(200)
    expect(await boris.read(listPasses)).toEqual([])
    expect(await boris.read(listBookings)).toMatchObject([{ id: second, status: 'no_show', bookedBy: null }])
    await expectSound(studio)
  })
})

test('sells the last place once to a companion, a member and the waiting list', async () => {
  const { studio, ana, boris } = await openStudio({ now: 'Monday 09:00' })
  const cleo = await studio.member('Cleo', { health: true, credits: 50 })
  await studio.grantCredits(ana, 50)
  for (let round = 0; round < 10; round++) {
    studio.clock.advance({ hours: 2 })
    const id = await studio.createClass({ at: 'Friday 10:00', title: `Round ${round}` })
    const own = (await ana.book(id)).body.id
    const responses = await Promise.all([addAs(ana, own, boris), cleo.book(id), addAs(ana, own, boris)])
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(await takenIn(studio, id)).toBe(2)
    await ana.call(cancelCompanion, { params: { id: own } })
  }
  await expectSound(studio)
})
