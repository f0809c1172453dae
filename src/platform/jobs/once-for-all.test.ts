import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { queuePlans } from '../../app/queues.ts'
import { keysOf, recordOf } from '../../foundation/collections.ts'
import { openTestDatabase } from '../../testing/test-databases.ts'
import { openDatabase } from '../database/database.ts'
import { startJobs } from './jobs.ts'
import { scheduled } from './queues.ts'

test('what is due at an hour is queued once and done once, however many processes see that it is due', async () => {
  const { url, drop } = await openTestDatabase(inject('databaseServer'))
  const { pool, close } = openDatabase(url, { connections: 1 })
  const stops: (() => Promise<void>)[] = []
  onTestFinished(async () => {
    for (const stop of [...stops, close, drop]) await stop()
  })
  const done: string[] = []
  // Nobody waits for the night: now is always due.
  const plans = { ...queuePlans, 'back-up': scheduled('* * * * *') }
  const startOne = async (name: string) => {
    const jobs = await startJobs(url, { plans, timeZone: 'Europe/London', onError: () => {} })
    stops.unshift(jobs.stop)
    await jobs.work({ ...recordOf(keysOf(plans), () => async () => {}), 'back-up': async () => void done.push(name) })
  }
  /** As if half a minute had passed since somebody looked what is due. */
  const letLookAgain = () => pool.query('update pgboss.version set cron_on = null')
  const looked = async () =>
    (await pool.query('select cron_on is not null as looked from pgboss.version')).rows[0].looked === true

  await startOne('first')
  for (const name of ['second', 'third', 'fourth']) {
    await vi.waitUntil(looked, { timeout: 60_000 })
    await letLookAgain()
    await startOne(name)
  }
  await vi.waitUntil(looked, { timeout: 60_000 })
  await vi.waitUntil(() => done.length > 0, { timeout: 60_000 })

  const { rows } = await pool.query(
    `select (select count(*)::int from pgboss.job where name = 'back-up') as queued,
            (select count(distinct singleton_on)::int from pgboss.job where name = '__pgboss__send-it'
              and singleton_key like 'back-up%') as turns`,
  )
  await vi.waitUntil(() => done.length >= rows[0].queued, { timeout: 60_000 })
  expect(rows[0].queued).toBe(rows[0].turns)
  expect(done).toHaveLength(rows[0].queued)
})
