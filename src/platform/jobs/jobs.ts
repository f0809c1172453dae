import { sql } from 'drizzle-orm'
import { type Clock, fromDrizzle, type Job, type JobResult, PgBoss, systemClock } from 'pg-boss'
import { keysOf } from '#foundation/collections.ts'
import { type Enqueue, type Tx, UNTIL_NEXT_MINUTE_MS } from '../database/database.ts'
import { listenOn } from './listen.ts'
import { openQueueDatabase } from './prepare-jobs.ts'
import type { QueueName, QueuePlans, Queues } from './queues.ts'

/** The number of tries, including this one, and whether it is the last. */
export type Attempt = { tries: number; isLast: boolean }

/**
 * Processes the jobs of a queue. If it throws, the job is retried; it may run twice and must survive that. Without
 * `attempt` it is the first try.
 */
export type Worker<Q extends QueueName> = (data: Queues[Q], jobId: string, attempt?: Attempt) => Promise<void>
export type Workers = { readonly [Q in QueueName]: Worker<Q> }

/** A job that was kept outside its queue. */
type WaitingJob = { id: string; queue: string; data: object }

export type Jobs = {
  enqueue: Enqueue
  /** Inserts jobs that were kept elsewhere, under their ids, in an open transaction. */
  insertKept(tx: Tx, jobs: readonly WaitingJob[]): Promise<void>
  /** Starts the workers and the schedules. */
  work(workers: Workers): Promise<void>
  /** Runs the waiting jobs of one queue in order; for tests, which start no workers. Returns how many. */
  drain<Q extends QueueName>(queue: Q, worker: Worker<Q>): Promise<number>
  /** Takes no further jobs; those in progress continue. Jobs can still be queued. */
  rest(): void
  /** Waits up to ten seconds for jobs in progress, then stops. */
  stop(): Promise<void>
}

/** Concurrent jobs of one queue in a process. A full batch is followed immediately by the next. */
const MAX_CONCURRENT = 10

/**
 * Fetching and completing jobs does not wait for the disk: if PostgreSQL crashes, a job runs again. Only in the
 * transaction, as a pooler shares the session.
 */
const BEGIN = 'begin; set local synchronous_commit = off'

/** While commits notify the workers, they still look for jobs this often. */
const FLOOR_SECONDS = 60
/** In queues whose jobs notify in their own transaction. */
const SCHEDULED_FLOOR_SECONDS = 600
/** Commits wait this long for others, as each NOTIFY takes a lock on all commits of the server. */
const NOTIFY_AFTER_MS = 20
/** How often workers look behind a transaction pooler, which passes no notification on. */
const WITHOUT_NOTICE_SECONDS = 2
const SCHEDULED_WITHOUT_NOTICE_SECONDS = 10

/** pg-boss emits what its workers do every two seconds, to nobody. */
const calmClock: Clock = {
  ...systemClock,
  setInterval: (work, ms) => systemClock.setInterval(work, Math.max(ms, 60_000)),
}

/**
 * Starts pg-boss on the studio's database, after `prepareJobs`.
 *
 * @param options.plans every queue
 * @param options.timeZone of the schedules
 * @param options.notifies whether commits notify the workers, of this process too
 * @param options.onError receives background errors; must not throw
 */
export async function startJobs(
  url: string,
  options: { plans: QueuePlans; timeZone: string; notifies?: boolean; onError: (error: Error) => void },
): Promise<Jobs> {
  const { plans, timeZone, notifies = false, onError } = options
  // One of them listens.
  const config = { max: 3, application_name: 'studio jobs', idleTimeoutMillis: UNTIL_NEXT_MINUTE_MS }
  const { db, pool, close } = openQueueDatabase(url, config, { begin: BEGIN })
  /** Absent behind a transaction pooler. */
  let channel: string | undefined
  const workerIds = new Map<string, string>()
  const listen: typeof db.listen = async (name, onNotification, onListening) => {
    const listening = await listenOn(pool, name, onNotification, () => {
      onListening()
      for (const id of workerIds.values()) boss.notifyWorker(id)
    })
    channel = name
    return listening
  }
  const boss = new PgBoss({
    db: { ...db, listen },
    migrate: false,
    useListenNotify: notifies,
    cronWorkerIntervalSeconds: 30,
    // For jobs that wait for others, which we have none of.
    flowIntervalSeconds: 600,
    clock: calmClock,
  })
  boss.on('error', onError)
  /** For jobs that become due without a commit, so without a notification. */
  function lookAgainIn(seconds: number, queue: QueueName): void {
    const look = () => {
      const id = workerIds.get(queue)
      if (id) boss.notifyWorker(id)
    }
    setTimeout(look, seconds * 1000).unref()
  }
  try {
    await boss.start()
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {})
    await close()
    throw error
  }
  const toNotify = new Set<QueueName>()
  let notifying: NodeJS.Timeout | undefined
  /** Notifies the workers of all processes: after many commits once. */
  function notifyWorkers(queue: QueueName): void {
    if (!channel) return
    toNotify.add(queue)
    notifying ??= setTimeout(() => void notifyNow(), NOTIFY_AFTER_MS)
  }
  async function notifyNow(): Promise<void> {
    clearTimeout(notifying)
    notifying = undefined
    const queues = [...toNotify]
    toNotify.clear()
    if (queues.length === 0) return
    await db.executeSql('select pg_notify($1, queue) from unnest($2::text[]) queue', [channel, queues]).catch(onError)
  }
  /** A failed job is retried, whatever became of the others. */
  async function doJob<Q extends QueueName>(
    name: Q,
    work: Worker<Q>,
    job: Job<Queues[Q]> & { retryLimit: number },
  ): Promise<JobResult> {
    const { id, data } = job
    const attempt = attemptOf(job)
    try {
      await work(data, id, attempt)
      return { id, status: 'completed' }
    } catch (error) {
      const then = attempt.isLast ? 'for the last time' : 'and will be tried again'
      onError(new Error(`job ${name} failed ${then}`, { cause: error }))
      const { retryDelay, retryDelayMax } = plans[name]
      lookAgainIn(Math.min(retryDelay * 2 ** attempt.tries, retryDelayMax), name)
      return { id, status: 'failed', output: { message: error instanceof Error ? error.message : String(error) } }
    }
  }

  /** A queue is notified by pg-boss or, after commits, by us. */
  function intervalsOf(name: QueueName) {
    if (plans[name].cron) {
      return {
        pollingIntervalSeconds: SCHEDULED_WITHOUT_NOTICE_SECONDS,
        notifyPollingIntervalSeconds: SCHEDULED_FLOOR_SECONDS,
      }
    }
    return { pollingIntervalSeconds: channel ? FLOOR_SECONDS : WITHOUT_NOTICE_SECONDS }
  }

  async function workQueue<Q extends QueueName>(name: Q, workers: Workers) {
    const options = {
      ...intervalsOf(name),
      batchSize: MAX_CONCURRENT,
      burstWhenBatchFull: true,
      perJobResults: true,
    } as const
    // Each job has its queue's limit; reading it with every job would bring 30 columns.
    const { retryLimit = 0 } = (await boss.getQueue(name)) ?? {}
    const id = await boss.work<Queues[Q], unknown, typeof options>(name, options, (batch) =>
      Promise.all(batch.map((job) => doJob(name, workers[name], { ...job, retryLimit }))),
    )
    workerIds.set(name, id)
  }

  return {
    async enqueue(connection, queue, jobs) {
      // Every booking queues an email with the same statement, so it is prepared.
      const executeSql = (text: string, values?: unknown[]) =>
        connection.query({ name: `enqueue ${queue}`, text, values })
      const { delaySeconds } = plans[queue]
      const startAfterOf = (data: object) =>
        'sendAfter' in data && data.sendAfter ? String(data.sendAfter) : delaySeconds
      await boss.insert(
        queue,
        // A job of the same id is not inserted again.
        jobs.map((data) => ({ data, startAfter: startAfterOf(data), ...('jobId' in data && { id: data.jobId }) })),
        { db: { executeSql } },
      )
      return () => (delaySeconds ? lookAgainIn(delaySeconds, queue) : notifyWorkers(queue))
    },
    async insertKept(tx, waiting) {
      for (const name of keysOf(plans)) {
        const jobs = waiting.filter(({ queue }) => queue === name).map(({ id, data }) => ({ id, data }))
        if (jobs.length > 0) await boss.insert(name, jobs, { db: fromDrizzle(tx, sql) })
      }
    },
    async work(workers) {
      for (const name of keysOf(plans)) {
        const { cron } = plans[name]
        if (cron) await boss.schedule(name, cron, {}, { tz: timeZone })
        await workQueue(name, workers)
      }
    },
    async drain(queue, worker) {
      for (let done = 0; ; done++) {
        const [job] = await boss.fetch<Queues[typeof queue]>(queue, { includeMetadata: true })
        if (!job) return done
        await worker(job.data, job.id, attemptOf(job))
        await boss.complete(queue, job.id)
      }
    },
    rest() {
      for (const name of keysOf(plans)) boss.offWork(name, { wait: false }).catch(onError)
    },
    async stop() {
      await notifyNow()
      await boss.stop({ graceful: true, timeout: 10_000 }).finally(close)
    },
  }
}

function attemptOf({ retryCount, retryLimit }: { retryCount: number; retryLimit: number }): Attempt {
  return { tries: retryCount + 1, isLast: retryCount >= retryLimit }
}
