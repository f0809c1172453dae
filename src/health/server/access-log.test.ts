import { expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { getMemberHealth, healthRefusals, listHealthReads, listHealthUpdates, saveQuestionnaire } from '../contract.ts'

const openHealth = (admin: Person, id: string) => admin.call(getMemberHealth, { params: { id } })
const log = (admin: Person, query: Record<string, string> = {}) => admin.read(listHealthReads, { query })

test('shows an admin all answers of a member and records the read', async () => {
  const { studio, ana, dora } = await openStudio()
  await ana.call(saveQuestionnaire, { body: { previousInjuries: 'Left knee', hasDiabetes: true } })
  studio.travelTo('Tuesday 10:00')
  const { status, body } = await openHealth(dora, ana.id)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    member: { id: ana.id, firstName: 'Ana' },
    questionnaire: { previousInjuries: 'Left knee', hasDiabetes: true },
    emergencyContact: { name: 'Sam', phone: '01632 960199' },
  })
  expect(await log(dora)).toEqual([
    {
      id: expect.any(Number),
      admin: { id: dora.id, firstName: 'Dora', lastName: 'Cast' },
      member: { id: ana.id, firstName: 'Ana', lastName: 'Cast' },
      what: 'answers',
      at: '2026-12-08T10:00:00Z',
    },
  ])
})

test('shows nothing for a member without answers; refuses unknown members, and callers who are not admins', async () => {
  const { ana, boris, dora } = await openStudio()
  expect((await openHealth(dora, boris.id)).body).toMatchObject({ questionnaire: null, emergencyContact: null })
  expect(await openHealth(dora, 'nobody')).toBeRefused(healthRefusals.user_not_found)
  expect(await openHealth(ana, ana.id)).toBeRefused(commonRefusals.forbidden)
  expect(await ana.call(listHealthReads)).toBeRefused(commonRefusals.forbidden)
})

test('lists the access log newest first, paged, by member name, without recording that', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  for (const id of [ana.id, boris.id]) {
    studio.clock.advance({ minutes: 1 })
    await openHealth(dora, id)
  }
  studio.clock.advance({ minutes: 1 })
  await dora.call(listHealthUpdates)
  const all = await log(dora)
  expect(all.map(({ what, member }) => [what, member.firstName])).toEqual([
    ['health_updates', 'Ana'],
    ['answers', 'Boris'],
    ['answers', 'Ana'],
  ])
  const page = await dora.call(listHealthReads, { query: { limit: '1', offset: '1' } })
  expect(page.body).toEqual([all[1]])
  expect((await log(dora, { search: 'BORIS' })).map(({ id }) => id)).toEqual([all[1]?.id])
  expect(await log(dora, { search: '%' })).toEqual([])
})

test('keeps lines as pseudonyms when the reader or the member is deleted', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  const zoe = await studio.admin('Zoe')
  await openHealth(zoe, ana.id)
  studio.clock.advance({ minutes: 1 })
  await openHealth(zoe, boris.id)
  await dora.request('DELETE', `/api/admin/users/${zoe.id}`)
  await dora.request('DELETE', `/api/admin/users/${boris.id}`)
  const gone = (id: string) => ({ id, firstName: null, lastName: null })
  expect(await log(dora)).toMatchObject([
    { admin: gone(zoe.id), member: gone(boris.id) },
    { admin: gone(zoe.id), member: { firstName: 'Ana' } },
  ])
  expect(await log(dora, { search: 'Boris' })).toEqual([])
})

test('refuses changes to the access log by anyone', async () => {
  const { studio, ana, dora } = await openStudio()
  await openHealth(dora, ana.id)
  const { pool } = studio.server.database
  for (const attempt of [
    "update health_reads set admin_id = 'somebody'",
    'update health_reads set at = now()',
    'delete from health_reads',
    "delete from health_reads where at < now() + interval '10 years'",
    'truncate health_reads',
  ]) {
    await expect(pool.query(attempt), attempt).rejects.toThrow('health_reads is append-only')
  }
  await expect(
    pool.query("insert into health_reads (member_id, what, at) values ('ana', 'answers', now())"),
  ).rejects.toThrow('null value in column "admin_id"')
  expect(await studio.count('select count(*) from health_reads')).toBe(1)
})
