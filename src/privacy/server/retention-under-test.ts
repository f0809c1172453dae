import { expect } from 'vitest'
import type { Person } from '#testing/person.ts'
import { openEmptyStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { listRetentionRuns } from '../contract.ts'

/** Runs the job as if it had also run the day before, so that a jump in time does not hold it. */
export async function runRetention(studio: StudioUnderTest): Promise<void> {
  const now = studio.clock.now()
  await studio.server.database.pool.query('update retention_runs set ran_at = $1 where ran_at < $2', [
    now.subtract({ hours: 24 }).toString(),
    now.subtract({ hours: 7 * 24 }).toString(),
  ])
  await studio.server.workers['apply-retention']({}, 'by hand')
}
export const countUsers = (studio: StudioUnderTest, person: Person) =>
  studio.count('select count(*) from users where id = $1', [person.id])
export const hasHealth = (studio: StudioUnderTest, person: Person) =>
  studio.count(
    `select (select count(*) from health_questionnaires where user_id = $1) + (select count(*) from emergency_contacts
       where user_id = $1) + (select count(*) from health_updates where user_id = $1)`,
    [person.id],
  )
export const retentionRunsFor = (admin: Person) => admin.read(listRetentionRuns)

/** Ana has used up her pass; her last class was on Tuesday 8 December 2026 from 18:00 to 18:45. */
export async function afterLastClass() {
  const studio = await openEmptyStudio()
  const dora = await studio.admin('Dora')
  const ana = await studio.member('Ana', { health: true, credits: 1 })
  expect((await ana.book(await studio.createClass('Tuesday 18:00'))).status).toBe(201)
  studio.travelTo('Tuesday 19:00')
  await studio.server.workers['complete-classes']({}, 'by hand')
  return { studio, ana, dora }
}
