import { expect, test } from 'vitest'
import { joinWaitingList } from '#booking/contract-waiting.ts'
import type { Person, TestResponse } from '#testing/person.ts'
import { countStatements } from '#testing/statements.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { deleteClass, editClass } from '../contract.ts'

type People = Record<'eva' | 'frank' | 'carl', Person>

/** Similar weekly classes, each with two bookings and a waiting member. Returns the first. */
async function series(studio: StudioUnderTest, { eva, frank, carl }: People, weeks: number, time: string) {
  const dates = Array.from({ length: weeks }, (_, week) => Temporal.PlainDate.from('2026-12-08').add({ weeks: week }))
  const ids = await Promise.all(dates.map((date) => studio.createClass(`${date} ${time}`)))
  await Promise.all(ids.flatMap((id) => [eva, frank].map((person) => person.book(id))))
  await Promise.all(ids.map((id) => carl.call(joinWaitingList, { params: { id } })))
  return Math.min(...ids)
}

const statementsOf = (change: () => Promise<TestResponse>) =>
  countStatements(async () => expect((await change()).status).toBe(200))

test('moving, deactivating and deleting need as many statements for 40 classes as for 2', async () => {
  const { studio, dora } = await openStudio()
  const has = { health: true, credits: 200 }
  const [eva, frank, carl] = await Promise.all([
    studio.member('Eva', has),
    studio.member('Frank', has),
    studio.member('Carl'),
  ])
  const edit = (id: number, body: object) =>
    dora.call(editClass, { params: { id }, body: { ...body, applyToRecurring: true } })
  const changes = [
    { from: '08:00', mail: 'moved', change: (id: number) => edit(id, { startTime: '09:00', endTime: '09:45' }) },
    { from: '12:00', mail: 'cancelled', change: (id: number) => edit(id, { isActive: false }) },
    {
      from: '16:00',
      mail: 'cancelled',
      change: (id: number) => dora.call(deleteClass, { params: { id }, body: { applyToRecurring: true } }),
    },
  ]
  const mailed = (mail: string) =>
    studio.count("select count(*) from pgboss.job_common where data ->> 'mail' like '%class-' || $1", [mail])
  for (const { from, mail, change } of changes) {
    const short = await series(studio, { eva, frank, carl }, 2, from)
    const long = await series(studio, { eva, frank, carl }, 40, from.replace(':00', ':01'))
    const before = await mailed(mail)
    const [two, forty] = [await statementsOf(() => change(short)), await statementsOf(() => change(long))]
    expect(forty).toBe(two)
    studio.clock.advance({ minutes: 1 })
    await studio.server.workers['email-cancellations']({}, 'by hand')
    expect(await mailed(mail)).toBe(before + 3 * 42)
  }
}, 240_000)
