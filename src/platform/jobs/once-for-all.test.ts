import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { queuePlans } from '#app/queues.ts'
import { keysOf, recordOf } from '#foundation/collections.ts'
import { openTestDatabase } from '#testing/test-databases.ts'
import { openDatabase } from '../database/database.ts'
import { startJobs } from './jobs.ts'
import { scheduled } from './queues.ts'

test('queues and runs a scheduled job once, however many processes are running', async () => {
  const { url, drop } = await openTestDatabase(inject('databaseServer'))
  const { pool, close } = openDatabase(url, { connections: 1 })
  const stops: (() => Promise<void>)[] = []
  onTestFinished(async () => {
    for (const stop of [...stops, close, drop]) await stop()
  })
  const done: string[] = []
  // Due every minute.
  const plans = { ...queuePlans, 'back-up': scheduled('* * * * *') }
  const startOne = async (name: string) => {
    const jobs = await startJobs(url, { plans, timeZone: 'Europe/London', onError: () => {} })
    stops.unshift(jobs.stop)
    await jobs.work({ ...recordOf(keysOf(plans), () => async () => {}), 'back-up': async () => void done.push(name) })
  }
  /** As if half a minute had passed since the last check of the schedules. */
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

  // If the minute changes there is one more of each; compare them when no job is in progress.
  const counted = async () => {
    const times = done.length
    const { rows } = await pool.query(
      `select (select count(*)::int from pgboss.job where name = 'back-up') as queued,
              count(distinct singleton_on)::int as turns,
              count(*) filter (where state <> 'completed')::int as underway
       from pgboss.job where name = '__pgboss__send-it' and singleton_key like 'back-up%'`,
    )
    const [{ queued, turns, underway }] = rows
    return turns > 0 && underway === 0 && times >= queued ? { queued, turns, times } : undefined
  }
  const { queued, turns, times } = await vi.waitUntil(counted, { timeout: 60_000 })
  expect(queued).toBe(turns)
  expect(times).toBe(queued)
})
