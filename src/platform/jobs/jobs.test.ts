import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { queuePlans } from '#app/queues.ts'
import { keysOf, recordOf } from '#foundation/collections.ts'
import { administer, databaseUrl, openTestDatabase } from '#testing/test-databases.ts'
import { onlyRow, openDatabase } from '../database/database.ts'
import { queueStates, retryNow, WRITTEN_FOR_SCHEMA } from './job-tables.ts'
import { type Attempt, startJobs, type Workers } from './jobs.ts'

const options = { plans: queuePlans, timeZone: 'Europe/London', notifies: true, onError: () => {} }
/** The delay before the first retry, in the place of five seconds. */
const retryAfter = (seconds: number) => `update pgboss.queue set retry_delay = ${seconds} where name = 'send-refund'`

/** @param prepare run in the database first; `set` sets it for every later connection */
async function openJobs(...prepare: string[]) {
  const server = inject('databaseServer')
  const { url, drop } = await openTestDatabase(server)
  const name = new URL(url).pathname.slice(1)
  for (const statement of prepare) {
    await administer(databaseUrl(server, name), statement.replace(/^set/, `alter database ${name} set`))
  }
  const errors: Error[] = []
  const jobs = await startJobs(url, { ...options, onError: (error) => errors.push(error) })
  const database = openDatabase(url, { enqueue: jobs.enqueue, connections: 2 })
  onTestFinished(async () => {
    await jobs.stop()
    await database.close()
    await drop()
  })
  const states = async (): Promise<Record<string, string>> => {
    const { rows } = await database.pool.query(
      `select data->>'refundId' as id, state from pgboss.job where name = 'send-refund'`,
    )
    return Object.fromEntries(rows.map(({ id, state }) => [id, state]))
  }
  return { jobs, database, errors, states, url }
}

/** Idle workers, except the given one. */
const only = (sendRefund: Workers['send-refund']) => ({
  ...recordOf(keysOf(queuePlans), () => async () => {}),
  'send-refund': sendRefund,
})

test('our SQL for pg-boss was written for the schema version in use', async () => {
  const { database } = await openJobs()
  const { rows } = await database.pool.query('select version from pgboss.version')
  // After an upgrade, compare job-tables.ts with pg-boss's migrations before you change the number.
  expect(rows).toEqual([{ version: WRITTEN_FOR_SCHEMA }])
})

test('refuses to serve while pg-boss’s schema is older than the code', async () => {
  const { database, url } = await openJobs()
  await database.pool.query('update pgboss.version set version = version - 1')
  await expect(startJobs(url, options)).rejects.toThrow('requires migrations')
})

test('a job exists exactly when its transaction commits', async () => {
  const { database, states } = await openJobs()
  await database.transaction((tx) => tx.enqueue('send-refund', { refundId: 1 }))
  const undone = database.transaction(async (tx) => {
    await tx.enqueue('send-refund', { refundId: 2 })
    throw new Error('after all not')
  })
  await expect(undone).rejects.toThrow('after all not')
  expect(await states()).toEqual({ 1: 'created' })
})

test('waits for the disk when it queues a job, and not when it fetches and completes one', async () => {
  const { jobs, database, states } = await openJobs('set synchronous_commit = on')
  await database.pool.query(`
    create table seen (state text, waits text);
    create function see() returns trigger language plpgsql as
      $$ begin insert into seen values (new.state, current_setting('synchronous_commit')); return null; end $$;
    create trigger see after insert or update on pgboss.job_common for each row when (new.name = 'send-refund')
      execute function see()`)
  await database.transaction((tx) => tx.enqueue('send-refund', { refundId: 1 }))
  await jobs.work(only(async () => {}))
  await vi.waitUntil(async () => (await states())[1] === 'completed', { timeout: 60_000 })
  const { rows } = await database.pool.query('select state, waits from seen')
  expect(rows).toEqual([
    { state: 'created', waits: 'on' },
    { state: 'active', waits: 'off' },
    { state: 'completed', waits: 'off' },
  ])
})

/** Runs jobs one after the other, and fails after 30 seconds. */
async function runJobs(count: number, { database, states }: Awaited<ReturnType<typeof openJobs>>) {
  const ended = AbortSignal.timeout(30_000)
  for (let refundId = 1; refundId <= count; refundId++) {
    await database.transaction((tx) => tx.enqueue('send-refund', { refundId }))
    await vi.waitUntil(async () => (await states())[refundId] === 'completed', { timeout: 30_000 })
    ended.throwIfAborted()
  }
}

// Workers that are not notified would look every two seconds, or once a minute.
test('a commit wakes the workers', async () => {
  const opened = await openJobs()
  await opened.jobs.work(only(async () => {}))
  await runJobs(20, opened)
})

test('notifies the workers after the commit, in a transaction of its own', async () => {
  const seen = `
    create table notified (queue text, transaction xid8 default pg_current_xact_id());
    create schema seen;
    create function seen.pg_notify(channel text, queue text) returns void language sql as
      $$ insert into public.notified values (queue); select pg_catalog.pg_notify(channel, queue) $$`
  const { database } = await openJobs(seen, 'set search_path = seen, public, pg_catalog')
  const committed = await database.transaction(async (tx) => {
    await tx.enqueue('send-refund', { refundId: 1 })
    await tx.enqueue('mail-link', { userId: null, purpose: 'set_password' })
    const { rows } = await tx.execute<{ id: string }>('select pg_current_xact_id() as id')
    return onlyRow(rows).id
  })
  const notified = () =>
    database.pool.query(`select queue, transaction > $1 as "isLater" from notified where queue <> '' order by queue`, [
      committed,
    ])
  await vi.waitUntil(async () => (await notified()).rowCount === 2, { timeout: 30_000 })
  expect((await notified()).rows).toEqual([
    { queue: 'mail-link', isLater: true },
    { queue: 'send-refund', isLater: true },
  ])
})

test('a commit wakes the workers again after their connections were lost', async () => {
  const opened = await openJobs()
  await opened.jobs.work(only(async () => {}))
  const { rows } = await opened.database.pool.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'studio jobs'`)
  expect(rows.length).toBeGreaterThan(0)
  await runJobs(20, opened)
})

test('workers look for jobs where no notification arrives, as behind a transaction pooler', async () => {
  const silent = `
    create schema silent;
    create function silent.pg_notify(text, text) returns void language sql as $$ select $$`
  const opened = await openJobs(silent, 'set search_path = silent, public, pg_catalog')
  await opened.jobs.work(only(async () => {}))
  await runJobs(3, opened)
})

test('retries and reports a failed job, and runs the rest of its batch once', async () => {
  const { jobs, database, errors, states } = await openJobs(retryAfter(600))
  const ids = [1, 2, 3, 4, 5, 6, 7]
  const broken = 3
  await database.transaction(async (tx) => {
    for (const refundId of ids) await tx.enqueue('send-refund', { refundId })
  })
  const done: number[] = []
  await jobs.work(
    only(async ({ refundId }) => {
      done.push(refundId)
      if (refundId === broken) throw new Error('the bank is closed')
    }),
  )
  await vi.waitUntil(
    async () => Object.values(await states()).every((state) => state === 'completed' || state === 'retry'),
    {
      timeout: 60_000,
    },
  )
  expect(done.sort()).toEqual([...ids].sort())
  expect(await states()).toEqual(Object.fromEntries(ids.map((id) => [id, id === broken ? 'retry' : 'completed'])))
  expect(errors.map(({ message, cause }) => [message, String(cause)])).toEqual([
    ['job send-refund failed and will be tried again', 'Error: the bank is closed'],
  ])
})

test('shows why a job failed, retries it early on request, and passes the number of tries to the worker', async () => {
  const { jobs, database } = await openJobs(retryAfter(600))
  await database.transaction((tx) => tx.enqueue('send-refund', { refundId: 1 }))
  const attempts: (Attempt | undefined)[] = []
  await jobs.work(
    only(async (_data, _id, attempt) => {
      attempts.push(attempt)
      if (attempts.length === 1) throw new Error('the bank is closed')
    }),
  )
  const mine = async () => (await queueStates(database.db)).filter(({ queue }) => queue === 'send-refund')
  await vi.waitUntil(async () => (await mine())[0]?.reason, { timeout: 60_000 })
  expect(await mine()).toMatchObject([{ waiting: 1, failed: 0, reason: 'the bank is closed' }])
  expect(await database.transaction((tx) => retryNow(tx, 'send-refund'))).toBe(1)
  await vi.waitUntil(async () => (await mine()).length === 0, { timeout: 60_000 })
  expect(attempts).toEqual([
    { tries: 1, isLast: false },
    { tries: 2, isLast: false },
  ])
})

test('looks for a failed job when it is due', async () => {
  const { jobs, database, states } = await openJobs(retryAfter(1))
  await database.transaction((tx) => tx.enqueue('send-refund', { refundId: 1 }))
  let tries = 0
  await jobs.work(
    only(async () => {
      tries++
      if (tries === 1) throw new Error('the bank is closed')
    }),
  )
  // Without a look of its own, the worker would find it after a minute.
  await vi.waitUntil(async () => (await states())[1] === 'completed', { timeout: 30_000 })
})

test('counts failed jobs until one succeeds again', async () => {
  const { database } = await openJobs()
  const { pool } = database
  const count = async () =>
    (await queueStates(database.db)).map(({ queue, waiting, failed }) => [queue, waiting, failed])
  await database.transaction((tx) => tx.enqueue('send-refund', { refundId: 1 }, { refundId: 2 }))
  const end = (id: number, state: string, at: string) =>
    pool.query(`update pgboss.job set state = $2::pgboss.job_state, completed_on = $3 where data->>'refundId' = $1`, [
      id,
      state,
      at,
    ])
  await end(1, 'failed', '2026-12-07T09:00:00Z')
  expect(await count()).toEqual([['send-refund', 1, 1]])
  await end(2, 'completed', '2026-12-07T08:59:59Z')
  expect(await count()).toEqual([['send-refund', 0, 1]])
  await end(2, 'completed', '2026-12-07T09:00:01Z')
  expect(await count()).toEqual([])
})

test('finishes the job in progress when it stops, and leaves later ones to other processes', async () => {
  const { jobs, database, states, url } = await openJobs()
  const queue = (refundId: number) => database.transaction((tx) => tx.enqueue('send-refund', { refundId }))
  const done: [who: string, refundId: number][] = []
  const [started, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await queue(1)
  await jobs.work(
    only(async ({ refundId }) => {
      started.resolve()
      await over.promise
      done.push(['resting', refundId])
    }),
  )
  await started.promise
  jobs.rest()
  over.resolve()
  await vi.waitUntil(async () => (await states())[1] === 'completed', { timeout: 60_000 })

  const other = await startJobs(url, options)
  await other.work(only(async ({ refundId }) => void done.push(['other', refundId])))
  // A process that still listened would take some of these.
  for (const refundId of [2, 3, 4, 5, 6, 7, 8, 9]) {
    await queue(refundId)
    await vi.waitUntil(() => done.length === refundId, { timeout: 60_000 })
  }
  await other.stop()
  expect(done).toEqual([['resting', 1], ...[2, 3, 4, 5, 6, 7, 8, 9].map((refundId) => ['other', refundId])])
})
