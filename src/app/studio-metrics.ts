import type pg from 'pg'
import { keysOf } from '#foundation/collections.ts'
import type { Clock } from '#foundation/instants.ts'
import { pageVitals } from '#insights/server/vitals.ts'
import { countFailedMails } from '#messages/server/messages.ts'
import { countOpenPayments, countTroubledRefunds } from '#payments/server/payments.ts'
import { lastBackup } from '#platform/database/backup/records.ts'
import type { Database, Reader } from '#platform/database/database.ts'
import { queueStates } from '#platform/jobs/job-tables.ts'
import { type Metrics, openMetrics } from '#platform/metrics/metrics.ts'
import { singleFlight } from '#platform/single-flight.ts'
import { queuePlans } from './queues.ts'

/** The metrics of `/metrics`. Those from the database are read on each scrape; several processes report the same. */
export function studioMetrics(parts: {
  database: Database
  background: Database
  watch: Reader
  clock: Clock
  /** How long a metric may take to read. */
  limitMs: number
}): Metrics {
  const { database, background, watch, clock, limitMs } = parts
  const metrics = openMetrics({ limitMs })
  metrics.gauge(
    { name: 'studio_database_connections', help: 'Connections of this process', labels: ['pool', 'state'] },
    () => [...connectionsOf('web', database.pool), ...connectionsOf('background', background.pool)],
  )
  gaugeQueues(metrics, watch)
  metrics.gauge(
    { name: 'studio_mails_failed', help: 'Emails that the mail server did not accept', labels: ['state'] },
    async () => {
      const { retrying, givenUp } = await countFailedMails(watch)
      return byState({ retrying, given_up: givenUp })
    },
  )
  metrics.gauge({ name: 'studio_refunds_troubled', help: 'Refunds not sent, or failed', labels: ['state'] }, async () =>
    byState(await countTroubledRefunds(watch)),
  )
  metrics.gauge({ name: 'studio_payments_open', help: 'Payments not settled yet', labels: ['state'] }, async () =>
    byState(await countOpenPayments(watch)),
  )
  metrics.gauge({ name: 'studio_last_backup_age_seconds', help: 'Age of the newest backup', labels: [] }, async () => {
    const { made } = await lastBackup(watch)
    return made ? [{ labels: {}, value: made.endedAt.until(clock.now()).total('seconds') }] : []
  })
  metrics.gauge(
    {
      name: 'studio_web_vitals_p75',
      help: 'Speed in browsers in 28 days, 75th percentile: milliseconds, CLS a score',
      labels: ['page', 'metric'],
    },
    async () =>
      (await pageVitals(watch, clock.now())).flatMap(({ page, visits: _, ...values }) =>
        Object.entries(values).flatMap(([metric, value]) =>
          value === null ? [] : [{ labels: { page, metric }, value }],
        ),
      ),
  )
  return metrics
}

function gaugeQueues(metrics: Metrics, watch: Reader): void {
  const states = singleFlight(() => queueStates(watch))
  const ofEach = async (figure: 'waiting' | 'oldestSeconds' | 'failed') => {
    const found = new Map((await states()).map((state) => [state.queue, state[figure]]))
    return keysOf(queuePlans).map((queue) => ({ labels: { queue }, value: found.get(queue) ?? 0 }))
  }
  const labels = ['queue']
  metrics.gauge({ name: 'studio_queue_jobs', help: 'Jobs waiting or in progress', labels }, () => ofEach('waiting'))
  metrics.gauge({ name: 'studio_queue_oldest_seconds', help: 'Age of the oldest of them', labels }, () =>
    ofEach('oldestSeconds'),
  )
  metrics.gauge({ name: 'studio_queue_given_up', help: 'Jobs given up since one last succeeded', labels }, () =>
    ofEach('failed'),
  )
}

function connectionsOf(name: string, pool: pg.Pool) {
  const states = { in_use: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }
  return byState(states).map(({ labels, value }) => ({ labels: { pool: name, ...labels }, value }))
}

const byState = (states: Record<string, number>) =>
  Object.entries(states).map(([state, value]) => ({ labels: { state }, value }))
