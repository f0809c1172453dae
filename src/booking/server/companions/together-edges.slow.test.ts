import { expect, test } from 'vitest'
import { editStudio } from '#facts/contract.ts'
import { extendPass, listPasses, resumePass } from '#passes/contract.ts'
import { activatePass, openStudioWithBank, startPayment } from '#payments/server/bank-under-test.ts'
import { deleteUser } from '#privacy/contract.ts'
import { undoCancellation } from '#schedule/contract.ts'
import { copyWeek } from '#schedule/contract-bulk.ts'
import { closeDays } from '#schedule/contract-closures.ts'
import { pausePass } from '#schedule/contract-pauses.ts'
import { editClassAs, remove, upcomingOf } from '#schedule/server/classes-under-test.ts'
import { brokenInvariants } from '#testing/invariants.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { listClasses } from '#timetable/contract.ts'
import { planTerm } from '#timetable/contract-term.ts'
import { rescheduleBooking } from '../../contract.ts'
import { acceptInvitation, addCompanion, declineInvitation } from '../../contract-companions.ts'
import { listRegularBookings, setRegularBooking } from '../../contract-regular.ts'
import { listWaiting } from '../../contract-waiting.ts'
import { bookingRefusals, companionRefusals } from '../../refusals.ts'

const companion = { firstName: 'Ben', lastName: 'Beck', email: 'boris@people.example' }
const datesOf = async (person: Person) => (await upcomingOf(person)).map((one) => one.class.date)
const subjectsSince = async (studio: StudioUnderTest, person: Person, seen = 0) =>
  (await studio.mailTo(person)).slice(seen).map(({ subject }) => subject.replace(/ on .*/, ''))
const expectSound = async (studio: StudioUnderTest) =>
  expect(await brokenInvariants(studio.server.database.pool)).toEqual([])

async function lastToken(studio: StudioUnderTest, person: Person): Promise<string> {
  const texts = (await studio.mailTo(person)).map(({ text }) => /#invitation=([\w.-]+)/.exec(text)?.[1])
  return texts.findLast((found) => found !== undefined) ?? 'none'
}

test('a dispute freezes the pass that pays for two, and once it is lost both places and the held place end', async () => {
  const { studio, bank, boris } = await openStudioWithBank()
  await studio.completeHealth(boris)
  const amy = await studio.member('Amy', { health: true })
  const bought = await studio.createPackage({ name: 'Pass', price: '80.00', classCount: 8 })
  const payment = await startPayment(amy, bought)
  await bank.pay(payment)
  await activatePass(amy, bought, payment)
  const [confirmed, held] = [await studio.createClass('Thursday 18:00'), await studio.createClass('Friday 18:00')]
  expect((await amy.book(confirmed, { companion })).status).toBe(201)
  await boris.call(acceptInvitation, { body: { token: await lastToken(studio, boris) } })
  expect((await amy.book(held, { companion })).status).toBe(201)
  const token = await lastToken(studio, boris)

  const intentId = payment.body.paymentIntentId
  const dispute = await bank.simulate('dispute', intentId)
  await bank.deliverEvents(studio, intentId)
  const other = (await amy.book(await studio.createClass('Saturday 18:00'), { companion })).body
  expect(other).toMatchObject({ code: 'pass_on_hold' })
  expect(await datesOf(amy)).toEqual(['2026-12-10', '2026-12-11'])
  const seen = [(await studio.mailTo(amy)).length, (await studio.mailTo(boris)).length]
  await bank.decideDispute(dispute.id, 'losing_evidence')
  await bank.deliverEvents(studio, intentId)
  expect([await datesOf(amy), await datesOf(boris)]).toEqual([[], []])
  expect(await boris.call(acceptInvitation, { body: { token } })).toBeRefused(companionRefusals.invitation_ended)
  expect(await studio.creditsOf(amy)).toBe(0)
  expect((await subjectsSince(studio, amy, seen[0])).sort()).toEqual([
    'We no longer hold a place for Ben',
    'Your Pass has ended',
    'Your class',
    'Your class',
  ])
  expect((await subjectsSince(studio, boris, seen[1])).sort()).toEqual([
    'Your class',
    'Your invitation for Friday 11 December at 18:00 has ended',
  ])
  await expectSound(studio)
})

test('moving to another class moves only the member’s own place: a companion keeps theirs, a held place ends', async () => {
  const { studio, ana, boris } = await openStudio()
  await studio.completeHealth(boris)
  const [first, second, third] = [
    await studio.createClass('Wednesday 18:00'),
    await studio.createClass('Thursday 18:00'),
    await studio.createClass('Friday 18:00'),
  ]
  const own = (await ana.book(first, { companion })).body
  await boris.call(acceptInvitation, { body: { token: await lastToken(studio, boris) } })
  const moved = await ana.call(rescheduleBooking, { params: { id: own.id }, body: { classId: second } })
  expect(moved).toMatchObject({ status: 201, body: { companion: null } })
  expect([await datesOf(ana), await datesOf(boris)]).toEqual([['2026-12-10'], ['2026-12-09']])
  expect(await subjectsSince(studio, boris)).toContain('Ana is no longer coming')

  expect((await ana.call(addCompanion, { params: { id: moved.body.id }, body: companion })).status).toBe(201)
  expect(await studio.creditsOf(ana)).toBe(7)
  const again = await ana.call(rescheduleBooking, { params: { id: moved.body.id }, body: { classId: third } })
  await studio.runQueue('end-holds')
  expect(again).toMatchObject({ status: 201, body: { companion: null } })
  expect(await studio.creditsOf(ana)).toBe(8)
  expect(await studio.count('select booked_count from classes where id = $1', [second])).toBe(0)
  await expectSound(studio)
})

test('two members who invite the same person to one class hold one place', async () => {
  const { studio, ana, boris } = await openStudio()
  await studio.completeHealth(boris)
  const cleo = await studio.member('Cleo', { health: true, credits: 2 })
  const id = await studio.createClass('Thursday 18:00')
  const responses = await Promise.all([ana, cleo].map((person) => person.book(id, { companion })))
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 400])
  expect(responses.find(({ status }) => status === 400)).toBeRefused(bookingRefusals.class_full)
  expect((await studio.creditsOf(ana)) + (await studio.creditsOf(cleo))).toBe(10)

  // An invitation is answered once, however often the link is opened at the same time.
  const token = await lastToken(studio, boris)
  const accept = () => boris.call(acceptInvitation, { body: { token } })
  const both = await Promise.all([accept(), accept(), boris.call(declineInvitation, { body: { token } })])
  expect(both.filter(({ status }) => status < 300)).toHaveLength(1)
  await expectSound(studio)
})

/** Ana has booked this class for two, and Boris has accepted. */
async function bookBoth({ studio, ana, boris }: { studio: StudioUnderTest; ana: Person; boris: Person }, at: string) {
  const id = await studio.createClass(at)
  const booking: number = (await ana.book(id, { companion })).body.id
  const response = await boris.call(acceptInvitation, { body: { token: await lastToken(studio, boris) } })
  expect(response.status).toBe(201)
  return { id, booking }
}

const lastMailTo = async (studio: StudioUnderTest, person: Person) => {
  const mail = (await studio.mailTo(person)).at(-1)
  return `${mail?.subject}: ${mail?.text.replaceAll(/\s+/g, ' ')}`
}

test('tells a companion that the member who paid gets the credit back, when a class is coming up and when it moves', async () => {
  const story = await openStudio()
  const { studio, ana, boris, dora } = story
  await studio.completeHealth(boris)
  const { id } = await bookBoth(story, 'Thursday 18:00')
  studio.travelTo('Wednesday 18:00')
  await studio.server.workers['remind-members']({}, 'by hand')
  const reminders = [await lastMailTo(studio, ana), await lastMailTo(studio, boris)]
  expect(reminders[0]).toMatch(/If you cancel before 16:00 on Thursday 10 December, you get your credit back/)
  expect(reminders[1]).toMatch(
    /^See you on .*If you cancel before 16:00 on Thursday 10 December, Ana gets the credit back/,
  )
  await editClassAs(dora, id, { startTime: '19:00', endTime: '19:45' })
  const moves = [await lastMailTo(studio, ana), await lastMailTo(studio, boris)]
  expect(moves[0]).toMatch(
    /If you cancel before the class starts on Thursday 10 December at 19:00, you get your credit back/,
  )
  expect(moves[1]).toMatch(/ has moved to .*stays paid for.*, Ana gets the credit back/)
  expect([reminders[1], moves[1]].join()).not.toMatch(/your (credit|pass)/i)
})

test('promises no credit to a companion whose payer was erased, when a class is coming up and when it moves', async () => {
  const story = await openStudio()
  const { studio, ana, boris, dora } = story
  await studio.completeHealth(boris)
  const { id } = await bookBoth(story, 'Thursday 18:00')
  expect((await dora.call(deleteUser, { params: { id: ana.id } })).status).toBe(200)
  studio.travelTo('Wednesday 18:00')
  await studio.server.workers['remind-members']({}, 'by hand')
  const reminder = await lastMailTo(studio, boris)
  expect(reminder).toMatch(/^See you on .*please cancel the class on your dashboard/)
  await editClassAs(dora, id, { startTime: '19:00', endTime: '19:45' })
  const move = await lastMailTo(studio, boris)
  expect(move).toMatch(/ has moved to .*stays paid for.* cancel on your dashboard/)
  expect([reminder, move].join()).not.toMatch(/credit back/)
})

test('emails a member who left the companion alone about the credit when the studio cancels the class', async () => {
  const story = await openStudio()
  const { studio, ana, boris, dora } = story
  await studio.completeHealth(boris)
  const take = async (act: () => Promise<unknown>) => {
    await act()
    studio.clock.advance({ seconds: 61 })
    await studio.server.workers['email-cancellations']({}, 'by hand')
  }
  const mailTo = async (person: Person, start: string) => {
    const [mail, ...more] = (await studio.mailTo(person)).filter(({ subject }) => subject.startsWith(start))
    expect(more).toEqual([])
    return mail?.text.replaceAll(/\s+/g, ' ')
  }
  const inTime = await bookBoth(story, 'Wednesday 18:00')
  await ana.cancel(inTime.booking)
  await take(() => remove(dora, inTime.id))
  expect(await studio.creditsOf(ana)).toBe(10)
  expect(await mailTo(ana, 'Your credit for Wednesday 9 December at 18:00 is back')).toContain(
    'had to cancel this class',
  )
  expect(await mailTo(boris, 'We are sorry: your class on Wednesday')).toContain('The credit is back on Ana’s pass.')

  const closed = await bookBoth(story, 'Thursday 18:00')
  await ana.cancel(closed.booking)
  const days = { from: '2026-12-10', to: '2026-12-10', reason: 'A burst pipe', notify: true }
  await take(() => dora.call(closeDays, { body: days }))
  expect(await mailTo(ana, 'We are closed: your credit for Thursday 10 December at 18:00 is back')).toMatch(
    /You paid for a companion’s place.*valid for at least another 14 days/,
  )

  // The credit that Ana lost and the one for Boris come back in one email.
  const late = await bookBoth(story, 'Friday 18:00')
  studio.travelTo('Friday 17:00')
  await ana.cancel(late.booking)
  await take(() => remove(dora, late.id))
  expect(await studio.creditsOf(ana)).toBe(10)
  expect(await mailTo(ana, 'Your credits for Friday')).toContain('both credits')
  expect((await subjectsSince(studio, ana)).filter((subject) => /^Your credit for Friday/.test(subject))).toEqual([])
  await expectSound(studio)
})

test('emails both when the studio brings a class back without the companion’s place', async () => {
  const story = await openStudio()
  const { studio, ana, boris, dora } = story
  await studio.completeHealth(boris)
  const { id } = await bookBoth(story, 'Wednesday 18:00')
  const { body } = await remove(dora, id)
  for (let left = await studio.creditsOf(ana); left > 1; left -= 1)
    await ana.book(await studio.createClass(`2026-12-${10 + left} 18:00`))
  await dora.call(undoCancellation, { params: { id: body.undo.id } })
  expect([await datesOf(boris), (await datesOf(ana))[0]]).toEqual([[], '2026-12-09'])
  expect(await lastMailTo(studio, boris)).toMatch(
    /^Your class on .* is cancelled: .*The credit is back on Ana’s pass\./,
  )
  expect(await lastMailTo(studio, ana)).toMatch(/^Ben is no longer coming.*back on your pass/)
  await expectSound(studio)
})

/** Fay and Ana come every Friday at 08:00; Fay's regular booking is the older one. */
async function openFridays() {
  const story = await openStudio()
  const { studio, ana, dora } = story
  const fay = await studio.member('Fay', { health: true, credits: 10 })
  const [first = 0] = [await studio.createClass('2026-12-11 08:00'), await studio.createClass('2026-12-18 08:00')]
  expect((await fay.call(setRegularBooking, { body: { classId: first } })).status).toBe(201)
  studio.clock.advance({ minutes: 1 })
  expect((await ana.call(setRegularBooking, { body: { classId: first } })).status).toBe(201)
  return { studio, ana, dora, fay }
}

test('a copied week and a planned term book regular members before anyone else, the oldest regular booking first', async () => {
  const { studio, ana, dora, fay } = await openFridays()
  studio.travelTo('Tuesday 09:00')
  await studio.logIn(dora)
  const copied = await dora.call(copyWeek, { body: { from: '2026-12-14', to: '2026-12-21' } })
  expect(copied).toMatchObject({ status: 201, body: { classes: 1 } })
  expect(await datesOf(fay)).toEqual(['2026-12-11', '2026-12-18', '2026-12-25'])
  expect(await datesOf(ana)).toEqual(['2026-12-11', '2026-12-18', '2026-12-25'])

  const slots = [{ day: 'Friday', startTime: '08:00', maxParticipants: 1 }]
  await dora.call(editStudio, { body: { timetables: [{ from: '2026-01-01', slots }] } })
  const planned = await dora.call(planTerm, { body: { from: '2027-01-04', to: '2027-01-17' } })
  expect(planned.status).toBe(200)
  expect((await datesOf(fay)).slice(3)).toEqual(['2027-01-08', '2027-01-15'])
  expect(await datesOf(ana)).toHaveLength(3)
  expect((await ana.read(listWaiting)).map((entry) => entry.class.date)).toEqual(['2027-01-08', '2027-01-15'])
  const [last] = (await ana.read(listClasses)).filter(({ date }) => date === '2027-01-15')
  const eva = await studio.member('Eva', { health: true, credits: 1 })
  expect(await eva.book(last?.id ?? 0)).toBeRefused(bookingRefusals.class_full)
  await expectSound(studio)
})

test('a pause takes a regular booking’s dates off and brings them back when it ends early', async () => {
  const { studio, dora, fay } = await openFridays()
  const [pass] = await fay.read(listPasses)
  const id = pass?.id ?? 0
  const codes = async () => (await fay.read(listRegularBookings))[0]?.dates.map(({ code }) => code)
  const night = () => studio.server.workers['book-for-regulars']({}, 'by hand')
  const body = { from: '2026-12-10', to: '2026-12-31', reason: 'Away' }
  expect((await dora.call(pausePass, { params: { id }, body })).status).toBe(201)
  expect(await datesOf(fay)).toEqual([])
  expect(await studio.creditsOf(fay)).toBe(10)
  // Neither at night nor with another pass: Fay is away.
  await studio.grantCredits(fay, 2)
  studio.travelTo('Tuesday 00:20')
  await night()
  expect([await datesOf(fay), await codes()]).toEqual([[], ['pass_paused', 'pass_paused']])
  studio.travelTo('2026-12-12 09:00')
  await studio.logIn(dora)
  expect((await dora.call(resumePass, { params: { id } })).status).toBe(200)
  studio.travelTo('2026-12-13 00:20')
  await night()
  expect(await datesOf(fay)).toEqual(['2026-12-18'])
  await expectSound(studio)
})

test('an extension lets a regular booking reach the dates beyond a pass that ended between two Fridays', async () => {
  const { studio, dora } = await openFridays()
  const eva = await studio.member('Eva', { health: true })
  const id = await studio.grantCredits(eva, 3, 1)
  const made = []
  for (const week of [0, 1, 2])
    made.push(await studio.createClass(`${['2027-01-01', '2027-01-08', '2027-01-15'][week]} 09:00`))
  const { body } = await eva.call(setRegularBooking, { body: { classId: made[0] ?? 0 } })
  // Valid until Thursday 7 January.
  expect(body.notBooked.map((one: { date: string; code: string }) => `${one.date} ${one.code}`)).toEqual([
    '2027-01-08 no_credit',
    '2027-01-15 no_credit',
  ])
  const to = (expiresAt: string) => dora.call(extendPass, { params: { id }, body: { expiresAt, reason: 'Kindness' } })
  expect((await to('2027-01-08')).status).toBe(200)
  studio.travelTo('Tuesday 00:20')
  await studio.server.workers['book-for-regulars']({}, 'by hand')
  expect(await datesOf(eva)).toEqual(['2027-01-01', '2027-01-08'])
  await expectSound(studio)
})
