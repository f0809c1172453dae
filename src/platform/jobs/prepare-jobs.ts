import { setTimeout as pause } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import type { QueuePlan, QueuePlans } from './queues.ts'

/**
 * Brings pg-boss' own schema (`pgboss`) and its queues to where this code wants them. Part of migrating: whoever serves
 * changes no schema.
 *
 * @param url a PostgreSQL URL whose role may create the schema or owns it; where nothing is to do, any role that serves
 */
export async function prepareJobs(url: string, plans: QueuePlans): Promise<void> {
  const boss = new PgBoss({
    connectionString: url,
    max: 2,
    application_name: 'studio migrations',
    supervise: false,
    schedule: false,
  })
  let fault: Error | undefined
  boss.on('error', (error) => {
    fault = error
  })
  try {
    await boss.start()
    const existing = new Set((await boss.getQueues()).map((queue) => queue.name))
    for (const [name, plan] of Object.entries<QueuePlan>(plans)) {
      if (!existing.has(name)) await boss.createQueue(name, { ...KEPT, ...planned(plan) })
    }
    // Indexes that a new version of pg-boss builds beside the work.
    while (!fault && (await boss.getBamStatus()).some(({ status }) => status !== 'completed')) await pause(200)
    if (fault) throw fault
  } finally {
    await boss.stop({ graceful: false })
  }
}

const MINUTE = 60
const DAY = 86_400
const KEPT = {
  retentionSeconds: 30 * DAY,
  // A finished mail is needed no longer: it holds a name and an address.
  deleteAfterSeconds: DAY,
}

const planned = ({ retryLimit, retryDelay, retryDelayMax, limitSeconds = MINUTE }: QueuePlan) => ({
  expireInSeconds: limitSeconds,
  retryLimit,
  retryDelay,
  retryDelayMax,
  retryBackoff: true,
})
