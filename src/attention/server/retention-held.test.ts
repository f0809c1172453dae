import { expect, test } from 'vitest'
import { applyRetention } from '#privacy/server/privacy.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { attentionRefusals, confirm, listAttention } from '../contract.ts'

const HELD = { kind: 'retention_held', about: 'all' } as const
const runRetention = (studio: StudioUnderTest) => studio.server.workers['apply-retention']({}, 'by hand')
const users = (studio: StudioUnderTest) => studio.count('select count(*) from users')
const countRuns = (studio: StudioUnderTest) => studio.count('select count(*) from retention_runs')

test('erases no member when the clock is years ahead, asks the owner, and erases once the owner confirms', async () => {
  const { studio, boris, dora } = await openStudio()
  await runRetention(studio)
  studio.travelTo('2036-12-08 03:45')
  await runRetention(studio)
  await studio.logIn(dora)
  expect(await users(studio)).toBe(3)
  const [item, ...others] = await dora.read(listAttention)
  expect(others).toEqual([])
  expect(item).toMatchObject({ ...HELD, actions: ['confirm'], title: 'Nothing was erased: please check the date' })
  expect(item?.text).toContain('ran on 08/12/2036 03:45')
  expect(item?.text).toContain('health information of 2 of 2 members. It last ran on 07/12/2026 09:00')
  expect((await boris.call(confirm, { body: HELD })).status).toBe(401)

  expect((await dora.call(confirm, { body: HELD })).body).toEqual([])
  await studio.runQueue('apply-retention')
  expect(await users(studio)).toBe(1)
  expect(await dora.call(confirm, { body: HELD })).toBeRefused(attentionRefusals.already_settled)
  const onRecord = "select count(*) from audit_log where action = 'confirmed' and subject_id = 'retention_held'"
  expect(await studio.count(onRecord)).toBe(1)
  await runRetention(studio)
  expect(await countRuns(studio)).toBe(3)
})

test('runs again once the clock is right; a confirmation covers one night only', async () => {
  const { studio, dora } = await openStudio()
  await runRetention(studio)
  studio.travelTo('2036-12-08 03:45')
  await runRetention(studio)
  await studio.logIn(dora)
  await dora.call(confirm, { body: HELD })
  // The clock was corrected before the confirmed run started.
  studio.travelTo('2026-12-08 03:45')
  await runRetention(studio)
  expect([await users(studio), await countRuns(studio)]).toEqual([3, 2])
  studio.travelTo('2036-12-09 03:45')
  await runRetention(studio)
  expect([await users(studio), await countRuns(studio)]).toEqual([3, 2])
})

test('holds a run while the last one is in the future', async () => {
  const { studio, dora } = await openStudio({ now: '2036-12-08 03:45' })
  await runRetention(studio)
  studio.travelTo('2026-12-08 03:45')
  await runRetention(studio)
  await studio.logIn(dora)
  const [item] = await dora.read(listAttention)
  expect(item?.text).toContain('It last ran on 08/12/2036 03:45, which is in the future.')
  expect(await countRuns(studio)).toBe(1)
})

test('holds a run while this machine and the database disagree about the time', async () => {
  const { studio, dora } = await openStudio()
  const { background } = studio.server
  const now = studio.clock.now()
  const fail = (error: Error) => {
    throw error
  }
  const ahead = Temporal.Now.instant().add({ minutes: 6 })
  await applyRetention(background, now, fail, ahead)
  expect((await dora.read(listAttention))[0]?.text).toContain('differ by more than 5 minutes')
  expect(await countRuns(studio)).toBe(0)
  await applyRetention(background, now, fail)
  expect(await dora.read(listAttention)).toEqual([])
  expect(await countRuns(studio)).toBe(1)
})

test('holds a run that would erase five members and more than 5 % of all', async () => {
  const { studio, dora } = await openStudio()
  const add = (name: string, members: number, since: string) =>
    studio.server.database.pool.query(
      `insert into users (id, username, email, first_name, last_name, created_at, updated_at)
       select $1 || n, $1 || n, $1 || n || '@people.example', 'O', 'L', $2, $2 from generate_series(1, $3::int) as n`,
      [name, since, members],
    )
  await add('old-', 4, '2024-01-01')
  await runRetention(studio)
  expect(await studio.count("select count(*) from users where id like 'old-%'")).toBe(0)
  await add('old-', 5, '2024-01-01')
  await runRetention(studio)
  expect(await studio.count("select count(*) from users where id like 'old-%'")).toBe(5)
  expect((await dora.read(listAttention))[0]?.text).toContain('of 5 of 7 members. That is more than usual')
  // Among a hundred they are no more than 5 %: the next run erases them.
  await add('new-', 93, '2026-12-01')
  await runRetention(studio)
  expect(await studio.count("select count(*) from users where id like 'old-%'")).toBe(0)
  expect(await dora.read(listAttention)).toEqual([])
})
