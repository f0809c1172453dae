import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { editUser } from '#accounts/contract.ts'
import { rescheduleBooking, undoCancel } from '#booking/contract.ts'
import { joinWaitingList, leaveWaitingList } from '#booking/contract-waiting.ts'
import { defined } from '#foundation/collections.ts'
import { refundPurchase } from '#payments/contract.ts'
import { recordSale, voidSale } from '#payments/contract-desk.ts'
import { activatePass, openStudioWithBank, startPayment } from '#payments/server/bank-under-test.ts'
import { deleteUser } from '#privacy/contract.ts'
import { deleteClass, editClass, undoCancellation } from '#schedule/contract.ts'
import { previewEmails } from '#schedule/contract-emails.ts'
import type { Person, TestResponse } from '#testing/person.ts'
import type { StudioUnderTest } from '#testing/studio-under-test.ts'

type Story = Awaited<ReturnType<typeof openStudioWithBank>>

const ROUNDS = 4
const NAMES = ['Edda', 'Frank', 'Greta', 'Hugo', 'Ilse', 'Jakob', 'Klara', 'Ludwig']

/** Separate connections, which may be closed. */
async function openSeparateConnection(studio: StudioUnderTest): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: studio.settings.databaseUrl })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** PostgreSQL's own count. Ends every backend first, because a backend may report only when it ends. */
async function deadlocksIn(studio: StudioUnderTest): Promise<number> {
  const client = await openSeparateConnection(studio)
  await client.query(
    'select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  const { rows } = await client.query('select deadlocks::int from pg_stat_database where datname = current_database()')
  return rows[0].deadlocks
}

/** Two pairs of equal classes, each with bookings and a waiting list. */
async function filledClasses(studio: StudioUnderTest, members: Person[], round: number) {
  const dates = ['2026-12-15', '2026-12-16', '2026-12-22', '2026-12-23']
  const ids: number[] = []
  for (const date of dates) ids.push(await studio.createClass(`${date} ${String(8 + round).padStart(2, '0')}:00`))
  const bookings = await Promise.all(
    ids.flatMap((id, place) =>
      [0, 1].map(async (side) => {
        const person = defined(members[(2 * place + side) % members.length])
        return { person, classId: id, response: await person.book(id) }
      }),
    ),
  )
  await Promise.all(
    ids.map((id, place) => members[(2 * place + 2) % members.length]?.call(joinWaitingList, { params: { id } })),
  )
  return { ids, bookings: bookings.filter(({ response }) => response.status === 201) }
}

/** Buys a pass for each member, to refund or dispute. */
async function purchases({ studio, bank, dora }: Story, buyers: Person[]) {
  const bought = await studio.createPackage({ classCount: 4, price: '50.00' })
  return await Promise.all(
    buyers.map(async (person) => {
      const payment = await startPayment(person, bought)
      await bank.pay(payment)
      await activatePass(person, bought, payment)
      const [purchase] = (await dora.request('GET', `/api/admin/purchases?search=${person.name}&limit=1`)).body
      return { purchaseId: purchase?.id as number, intentId: payment.body.paymentIntentId as string }
    }),
  )
}

/** Runs all use cases that lock classes, passes or payments, concurrently and in crossing orders. */
async function storm(story: Story, members: Person[], round: number): Promise<TestResponse[]> {
  const { studio, bank, dora } = story
  const { ids, bookings } = await filledClasses(studio, members, round)
  const [refunded, disputed] = await purchases(story, members.slice(0, 2))
  const late = await studio.createPackage({ classCount: 1, price: '10.00' })
  const payment = await startPayment(defined(members[2]), late)
  await bank.pay(payment)
  if (disputed) await bank.simulate('dispute', disputed.intentId)
  const sell = (person: Person | undefined) =>
    dora.call(recordSale, { params: { id: person?.id ?? '' }, body: { packageId: late.id, method: 'cash' } })
  const sold = (await sell(members[0])).body
  const deleted = (await dora.call(deleteClass, { params: { id: ids.at(-1) ?? 0 }, body: {} })).body.undo
  const edit = (id: number | undefined, body: object) =>
    dora.call(editClass, { params: { id: id ?? 0 }, body: { applyToRecurring: true, ...body } })
  const worker = async (name: keyof StudioUnderTest['server']['workers']) => {
    await studio.server.workers[name]({} as never, 'by hand')
    return []
  }
  const cancelAndUndo = async (person: Person, id: number) => {
    const response = await person.cancel(id)
    return [response, await person.call(undoCancel, { params: { id } })]
  }
  const all = [
    ...bookings.map(({ person, classId, response }, place) => {
      const other = ids[(ids.indexOf(classId) + (place % 2 === 0 ? 1 : ids.length - 1)) % ids.length]
      return place % 3 === 0
        ? cancelAndUndo(person, response.body.id)
        : person.call(rescheduleBooking, { params: { id: response.body.id }, body: { classId: other } })
    }),
    ...members.flatMap((person, place) => [
      person.book(ids[place % ids.length] ?? 0),
      person.call(joinWaitingList, { params: { id: ids[(place + 1) % ids.length] ?? 0 } }),
      person.call(leaveWaitingList, { params: { id: ids[(place + 2) % ids.length] ?? 0 } }),
    ]),
    edit(ids[2], { endTime: `${String(8 + round).padStart(2, '0')}:50` }),
    edit(ids[0], { maxParticipants: 1 }),
    edit(ids[3], { isActive: false }),
    edit(ids[0], { title: `Later ${round}`, applyToRecurring: 'later' }),
    dora.call(previewEmails, { body: { change: 'delete', classId: ids[1] ?? 0, applyToRecurring: 'later' } }),
    dora.call(deleteClass, { params: { id: ids[1] ?? 0 }, body: { applyToRecurring: true } }),
    dora.call(undoCancellation, { params: { id: deleted.id } }),
    dora.call(refundPurchase, { params: { id: refunded?.purchaseId ?? 0 } }),
    disputed ? bank.deliverEvents(studio, disputed.intentId).then(() => []) : [],
    activatePass(defined(members[2]), late, payment),
    ...members.map(sell),
    dora.call(voidSale, { params: { id: members[0]?.id ?? '', purchaseId: sold?.id ?? 0 } }),
    dora.call(refundPurchase, { params: { id: sold?.id ?? 0 }, body: { amount: '1', reason: 'At the same time' } }),
    bank.deliverEvents(studio, payment.body.paymentIntentId).then(() => []),
    dora.request('POST', `/api/admin/users/${members[3]?.id}/gift-credits`, { packageId: late.id, creditsToGift: 1 }),
    ...members
      .slice(0, 2)
      .map(({ id }) => dora.call(editUser, { params: { id }, body: { lastName: `Newname ${round}` } })),
    dora.call(deleteUser, { params: { id: members.at(-1 - round)?.id ?? '' } }),
    worker('expire-passes'),
    worker('complete-classes'),
    worker('remind-members'),
    worker('offer-reserved-places'),
    worker('email-cancellations'),
    studio.endUndo().then(() => []),
    worker('apply-retention'),
  ]
  return (await Promise.all(all)).flat()
}

test('causes no deadlock when use cases run concurrently in every lock order, and detects a deliberate one', async () => {
  const story = await openStudioWithBank()
  const { studio } = story
  const members = await Promise.all(NAMES.map((name) => studio.member(name, { health: true, credits: 30 })))
  // A second pass each, because the order of a member's passes counts too.
  await Promise.all(members.toReversed().map((member) => studio.grantCredits(member, 30)))
  for (let round = 0; round < ROUNDS; round++) {
    const responses = await storm(story, members, round)
    const faults = responses.filter(({ status }) => status === 500)
    expect(faults, studio.logged.filter((line) => line.includes('"err"')).join('')).toEqual([])
    expect(responses.filter(({ status }) => status < 300).length).toBeGreaterThan(8)
  }
  expect(await deadlocksIn(studio)).toBe(0)

  const [one, two] = [await openSeparateConnection(studio), await openSeparateConnection(studio)]
  const [first, second] = [await studio.createClass('Tuesday 18:00'), await studio.createClass('Tuesday 19:00')]
  const lockClass = (client: pg.Client, id: number) =>
    client.query('select from classes where id = $1 for update', [id])
  for (const client of [one, two]) await client.query('begin')
  await Promise.all([lockClass(one, first), lockClass(two, second)])
  const crossed = await Promise.allSettled([lockClass(one, second), lockClass(two, first)])
  expect(crossed.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  expect(await deadlocksIn(studio)).toBe(1)
}, 240_000)
