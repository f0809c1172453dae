import { expect, test } from 'vitest'
import { defined } from '#foundation/collections.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { getQuestionnaire, type HealthUpdate, listHealthUpdates, saveQuestionnaire } from '../contract.ts'
import { UNREADABLE } from '../rules.ts'

test('does not decrypt a value that was copied to another row of the same member', async () => {
  const { studio, ana, dora } = await openStudio()
  await ana.call(saveQuestionnaire, { body: { allergies: 'latex' } })
  await ana.call(saveQuestionnaire, { body: { allergies: 'nuts' } })
  const { body: before } = await dora.call(listHealthUpdates)
  const [latest, earlier] = before as HealthUpdate[]
  await studio.server.database.pool.query(
    `update health_updates set sealed_changes = other.sealed_changes, version = greatest(health_updates.version, other.version)
     from health_updates other where other.id = $1 and health_updates.id = $2`,
    [defined(earlier).id, defined(latest).id],
  )
  const { body: after } = await dora.call(listHealthUpdates)
  expect(after[0]).toMatchObject({ id: latest?.id, unreadable: UNREADABLE, changes: '{}' })
  expect(after[1]).toEqual(earlier)

  // Nor where its version goes with it.
  await studio.server.database.pool.query(
    `update health_updates set sealed_changes = other.sealed_changes, version = other.version
     from health_updates other where other.id = $1 and health_updates.id = $2`,
    [defined(latest).id, defined(earlier).id],
  )
  expect((await dora.call(listHealthUpdates)).body[1]).toMatchObject({ unreadable: UNREADABLE })
})

test('does not decrypt an earlier value or version that was put back', async () => {
  const { studio, ana } = await openStudio()
  const { pool } = studio.server.database
  const kept = async () =>
    (await pool.query('select sealed, version from health_questionnaires where user_id = $1', [ana.id])).rows[0]
  await ana.call(saveQuestionnaire, { body: { hasHeartCondition: false } })
  const old = await kept()
  await ana.call(saveQuestionnaire, { body: { hasHeartCondition: true } })
  await pool.query('update health_questionnaires set sealed = $1 where user_id = $2', [old.sealed, ana.id])
  expect((await ana.call(getQuestionnaire)).body).toMatchObject({ unreadable: UNREADABLE })

  const putBack = 'update health_questionnaires set sealed = $1, version = $2 where user_id = $3'
  await expect(pool.query(putBack, [old.sealed, old.version, ana.id])).rejects.toThrow('only grows')
  // Saving again mends it.
  await ana.call(saveQuestionnaire, { body: { hasHeartCondition: true } })
  expect((await ana.call(getQuestionnaire)).body).toMatchObject({ hasHeartCondition: true })
})
