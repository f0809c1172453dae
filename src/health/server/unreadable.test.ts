import { expect, test } from 'vitest'
import { listSessions } from '#booking/contract-classes.ts'
import { defined } from '#foundation/collections.ts'
import { createVault } from '#platform/vault/vault.ts'
import { exportOwnData } from '#privacy/contract.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import {
  getEmergencyContact,
  getMemberHealth,
  getQuestionnaire,
  listHealthUpdates,
  saveQuestionnaire,
} from '../contract.ts'
import { UNREADABLE } from '../rules.ts'
import { ofMember } from './answers.ts'
import { rotateHealthKeys } from './health.ts'

const SECRET = 'latex-and-nuts'

/** Ana, Boris and Carl come on Monday evening; something of Ana's was damaged on the disk. */
async function damaged(damage: string) {
  const cast = await openStudio()
  const { studio, ana, boris } = cast
  await studio.completeHealth(boris)
  await studio.grantCredits(boris, 1)
  await ana.call(saveQuestionnaire, { body: { allergies: SECRET, hasBackProblems: true } })
  await boris.call(saveQuestionnaire, { body: { hasHeartCondition: true } })
  const evening = await studio.createClass('Monday 18:00')
  for (const person of [ana, boris]) expect((await person.book(evening)).status).toBe(201)
  for (const [table, column] of [
    ['health_questionnaires', 'sealed'],
    ['emergency_contacts', 'sealed'],
    ['health_updates', 'sealed_changes'],
  ]) {
    const set = damage.replaceAll('value', column as string)
    await studio.server.database.pool.query(`update ${table} set ${column} = ${set} where user_id = $1`, [ana.id])
  }
  return cast
}

const complaints = (studio: StudioUnderTest) =>
  studio.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a sealed health record cannot be read')

test.each([
  ['one byte was changed', 'set_byte(value, length(value) - 1, (get_byte(value, length(value) - 1) + 1) % 256)'],
  ['it was cut off', 'substring(value from 1 for 10)'],
  ['its key is unknown', "overlay(value placing '\\x0102030405060708'::bytea from 2 for 8)"],
])('shows a record as unreadable if %s, and reads the others', async (_, damage) => {
  const { studio, ana, boris, dora } = await damaged(damage)

  const days = { from: '2026-12-07', to: '2026-12-07' }
  const { body: sessions } = await dora.call(listSessions, { query: days })
  expect(sessions[0].bookings).toMatchObject([
    { userId: ana.id, notes: ['unreadable'] },
    { userId: boris.id, notes: ['heart_condition'] },
  ])
  const { body: updates } = await dora.call(listHealthUpdates)
  for (const update of updates) {
    expect([update.userId, update.unreadable, update.changes === '{}']).toEqual([
      update.userId,
      update.userId === ana.id ? UNREADABLE : undefined,
      update.userId === ana.id || update.changes === '{}',
    ])
  }
  expect((await dora.call(getMemberHealth, { params: { id: ana.id } })).body).toMatchObject({
    questionnaire: { unreadable: UNREADABLE },
    emergencyContact: { unreadable: UNREADABLE, updatedAt: '2026-12-07T09:00:00Z' },
  })
  const { status, body: data } = await ana.call(exportOwnData)
  expect([status, data.health.questionnaire, data.bookings.length]).toEqual([
    200,
    { unreadable: UNREADABLE, updatedAt: '2026-12-07T09:00:00Z' },
    1,
  ])
  expect(data.health.updates).toContainEqual(expect.objectContaining({ changes: {}, unreadable: UNREADABLE }))

  const reported = complaints(studio)
  expect(reported.length).toBeGreaterThan(3)
  expect(new Set(reported.map(({ record }) => record.owner))).toEqual(new Set([ana.id]))
  expect(studio.logged.join()).not.toContain(SECRET)
})

test('shows a member that their record is unreadable; saving again repairs it', async () => {
  const { studio, ana } = await damaged('substring(value from 1 for 10)')
  for (const endpoint of [getQuestionnaire, getEmergencyContact]) {
    expect(await ana.call(endpoint)).toMatchObject({ status: 200, body: { unreadable: UNREADABLE } })
  }
  expect((await ana.call(saveQuestionnaire, { body: { allergies: SECRET } })).status).toBe(200)
  await studio.completeHealth(ana)
  expect((await ana.call(getQuestionnaire)).body).toMatchObject({ hasBackProblems: false })
  expect((await ana.call(getEmergencyContact)).body).toMatchObject({ name: 'Sam' })
})

test('one value under a lost key does not prevent a start or a key rotation', async () => {
  const { studio, boris } = await damaged("overlay(value placing '\\x0102030405060708'::bytea from 2 for 8)")
  const [old] = studio.settings.healthDataKeys
  const both = createVault([Buffer.alloc(32, 7), defined(old)])
  const rotate = () => rotateHealthKeys(studio.server.database.transaction, both)
  expect(await rotate()).toBeGreaterThan(1)
  expect(await rotate()).toBe(0)
  const sealedAgain = createVault([Buffer.alloc(32, 7)])
  const { rows } = await studio.server.database.pool.query(
    'select user_id as "userId", version, sealed from health_questionnaires where user_id = $1',
    [boris.id],
  )
  expect(sealedAgain.open(ofMember(rows[0]), 'questionnaire', rows[0].sealed)).toMatchObject({
    hasHeartCondition: true,
  })
})
