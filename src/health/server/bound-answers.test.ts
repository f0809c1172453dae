import { expect, test } from 'vitest'
import { defined } from '#foundation/collections.ts'
import { sealedAsBefore } from '#platform/vault/vault-under-test.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import {
  getEmergencyContact,
  getQuestionnaire,
  type HealthUpdate,
  listHealthUpdates,
  saveQuestionnaire,
} from '../contract.ts'
import { UNREADABLE } from '../rules.ts'
import { unanswered } from './answers.ts'

/** The format and version of every value in the database. */
async function sealedIn(studio: StudioUnderTest) {
  const { rows } = await studio.server.database.pool.query<{ format: number; version: number | null }>(`
    select get_byte(sealed, 0) as format, version from health_questionnaires
    union all select get_byte(sealed, 0), version from emergency_contacts
    union all select get_byte(sealed_changes, 0), version from health_updates`)
  return rows
}

const allBound = (rows: Awaited<ReturnType<typeof sealedIn>>) =>
  rows.every(({ format, version }) => format === 2 && version !== null)

/** Ana and Boris with everything as the release before sealed it. */
async function fromBefore() {
  const cast = await openStudio()
  const { studio, ana, boris } = cast
  await studio.completeHealth(boris)
  const key = defined(studio.settings.healthDataKeys[0])
  for (const { id } of [ana, boris]) {
    const contact = { name: 'Sam', relationship: 'Partner', phone: '01632 960199', email: null }
    const seal = (purpose: 'questionnaire' | 'emergency-contact' | 'changes', value: object) =>
      sealedAsBefore(key, id, purpose, value)
    for (const [table, column, sealed] of [
      ['health_questionnaires', 'sealed', seal('questionnaire', { ...unanswered, allergies: 'latex' })],
      ['emergency_contacts', 'sealed', seal('emergency-contact', contact)],
      ['health_updates', 'sealed_changes', seal('changes', { allergies: { old: null, new: 'latex' } })],
    ] as const)
      await withoutTriggers(studio, `update ${table} set ${column} = $1, version = null where user_id = $2`, [
        sealed,
        id,
      ])
  }
  return cast
}

async function withoutTriggers(studio: StudioUnderTest, text: string, values: unknown[]) {
  const client = await studio.server.background.pool.connect()
  try {
    await client.query('begin; set local session_replication_role = replica')
    await client.query(text, values)
    await client.query('commit')
  } finally {
    client.release()
  }
}

test('reads values of format 1; saving and the nightly job convert them', async () => {
  const { studio, ana, boris, dora } = await fromBefore()
  expect((await sealedIn(studio)).some(({ format, version }) => format === 2 || version !== null)).toBe(false)
  for (const person of [ana, boris]) {
    expect((await person.call(getQuestionnaire)).body).toMatchObject({ allergies: 'latex' })
    expect((await person.call(getEmergencyContact)).body).toMatchObject({ name: 'Sam' })
  }
  expect((await ana.call(saveQuestionnaire, { body: { allergies: 'nuts' } })).status).toBe(200)
  const bound = (await sealedIn(studio)).filter(({ format, version }) => format === 2 && version !== null)
  expect(bound).toHaveLength(2) // the answers, and what changed in them

  await studio.server.workers['tidy-up']({}, 'by hand')
  const afterwards = await sealedIn(studio)
  expect(allBound(afterwards)).toBe(true)
  const versions = afterwards.map(({ version }) => version)
  expect(new Set(versions).size).toBe(versions.length)
  expect((await ana.call(getQuestionnaire)).body).toMatchObject({ allergies: 'nuts' })
  expect((await boris.call(getQuestionnaire)).body).toMatchObject({ allergies: 'latex' })
  const { body: updates } = await dora.call(listHealthUpdates)
  expect(updates.filter((update: HealthUpdate) => update.unreadable)).toEqual([])
})

test('does not convert values at a start, because older processes must still read them', async () => {
  const { studio } = await fromBefore()
  await studio.startSecondProcess()
  expect((await sealedIn(studio)).some(({ format }) => format === 2)).toBe(false)
})

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

  for (const version of [old.version, null]) {
    const back = pool.query('update health_questionnaires set sealed = $1, version = $2 where user_id = $3', [
      old.sealed,
      version,
      ana.id,
    ])
    await expect(back).rejects.toThrow('only grows')
  }
  // Nor what the release before had sealed for her.
  const key = defined(studio.settings.healthDataKeys[0])
  const unbound = sealedAsBefore(key, ana.id, 'questionnaire', unanswered)
  await pool.query('update health_questionnaires set sealed = $1 where user_id = $2', [unbound, ana.id])
  expect((await ana.call(getQuestionnaire)).body).toMatchObject({ unreadable: UNREADABLE })
  // Saving again mends it.
  await ana.call(saveQuestionnaire, { body: { hasHeartCondition: true } })
  expect((await ana.call(getQuestionnaire)).body).toMatchObject({ hasHeartCondition: true })
})
