import { describe, expect, test } from 'vitest'
import { getMemberHealth } from '#health/contract.ts'
import { deleteUser } from '#privacy/contract.ts'
import { openStudio, shareStudio } from '#testing/studio-under-test.ts'
import { recordSecurity } from './security.ts'

const RECORDS = {
  security_events: 'details',
  audit_log: 'changes',
  health_reads: 'what',
} as const

describe('the three logs are append-only', () => {
  const story = shareStudio()

  test.each(Object.entries(RECORDS))('%s', async (table, column) => {
    const { studio, ana, dora } = story
    const { pool } = studio.server.database
    await studio.server.database.transaction((tx) =>
      recordSecurity(tx, { kind: 'signed_in', actor: ana.id, details: { browser: 'Firefox' } }, studio.clock.now()),
    )
    await dora.call(getMemberHealth, { params: { id: ana.id } })
    await dora.request('POST', `/api/admin/users/${ana.id}/notes`, { text: 'Likes mornings' })
    const count = () => studio.count(`select count(*) from ${table}`)
    const before = await count()
    expect(before).toBeGreaterThan(0)
    const empty = column === 'what' ? "'answers'" : "'{}'"
    for (const change of [
      `update ${table} set at = now()`,
      // Allowed only when the person is being erased.
      `update ${table} set ${column} = ${empty}`,
      `delete from ${table}`,
      `truncate ${table}`,
      // Erasing expired rows cannot delete newer ones.
      `select set_config('studio.records_end', '2026-12-07T08:59:59Z', true); delete from ${table}`,
    ]) {
      await expect(pool.query(change), change).rejects.toThrow('append-only')
    }
    expect(await count()).toBe(before)
  })

  test('a line has the caller’s network and cannot have the full address', async () => {
    const { studio, ana, dora } = story
    const { pool } = studio.server.database
    await dora.call(getMemberHealth, { params: { id: ana.id } })
    await dora.request('POST', `/api/admin/users/${ana.id}/notes`, { text: 'Likes evenings' })
    for (const table of ['audit_log', 'health_reads'])
      expect(await studio.count(`select count(*) from ${table} where address = '127.0.0.0/24'`)).toBeGreaterThan(0)
    for (const [table, address] of [
      ['security_events', '203.0.113.9/32'],
      ['security_events', '2001:db8:7:1::/64'],
    ]) {
      const insert = `insert into ${table} (at, kind, outcome, address) values (now(), 'signed_in', 'done', $1)`
      await expect(pool.query(insert, [address])).rejects.toThrow('addresses_are_shortened')
    }
  })
})

test('erases the details of an erased person, keeps a pseudonym, and leaves other lines', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  const { transaction, pool } = studio.server.database
  await transaction(async (tx) => {
    const details = { browser: 'Firefox', system: 'Linux' }
    await recordSecurity(tx, { kind: 'signed_in', actor: ana.id, details }, studio.clock.now())
    await recordSecurity(tx, { kind: 'signed_in', actor: boris.id, details }, studio.clock.now())
    const failed = { kind: 'sign_in_failed', outcome: 'failed', subject: ana.id } as const
    await recordSecurity(tx, { ...failed, details: { ...details, why: 'wrong_password' } }, studio.clock.now())
  })
  await dora.call(deleteUser, { params: { id: ana.id } })
  const { rows } = await pool.query(
    `select kind, actor_id, subject_id, details from security_events where details ? 'browser' or subject_id = $1
     order by id`,
    [ana.id],
  )
  expect(rows.filter(({ subject_id: id }) => id === ana.id).map(({ kind, details }) => [kind, details])).toEqual(
    expect.arrayContaining([
      ['signed_in', {}],
      ['sign_in_failed', {}],
    ]),
  )
  expect(rows.filter(({ details }) => 'browser' in details).map(({ subject_id: id }) => id)).toEqual([boris.id])
})

test('refuses kinds and details that are not in the list', async () => {
  const { studio, ana } = await openStudio()
  const write = (details: object) =>
    studio.server.database.transaction((tx) =>
      recordSecurity(tx, { kind: 'sign_in_failed', subject: ana.id, details }, studio.clock.now()),
    )
  for (const details of [{ name: 'ana@people.example' }, { why: 'hunter2' }, { browser: 'ana@people.example' }])
    await expect(write(details)).rejects.toThrow()
})
