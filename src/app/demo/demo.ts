import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { users } from '#accounts/tables.ts'
import type { Clock } from '#foundation/instants.ts'
import { readCardFees } from '#payments/server/payments.ts'
import { wasRestored } from '#platform/database/backup/records.ts'
import { openDatabase } from '#platform/database/database.ts'
import { LIMITS } from '#platform/limits.ts'
import { createVault } from '#platform/vault/vault.ts'
import type { Settings } from '../settings.ts'
import { openBank } from './bank.ts'
import { seed } from './seed.ts'

export { demoAccounts } from './cast.ts'

/** An arbitrary number. */
const DEMO_LOCK = 7_210_515
/** A second process waits until the first has loaded everything. */
const LOADING = { ...LIMITS.background, lockMs: LIMITS.background.statementMs }

/**
 * Loads the sample studio into an empty database, all or nothing, through the real use cases; no email is sent. Does
 * nothing where there are users already, or where a backup was restored.
 */
export async function loadDemoData(
  settings: Settings & { databaseUrl: string },
  { clock, log, print }: { clock: Clock; log: Logger; print: (sentence: string) => void },
): Promise<void> {
  // Without `enqueue`, so that no email is sent about the past.
  const database = openDatabase(settings.databaseUrl, { connections: 4, name: 'studio demo data', limits: LOADING })
  try {
    const hasUsers = async () => (await database.db.select({ id: users.id }).from(users).limit(1)).length > 0
    const isEmpty = async () => !(await hasUsers()) && !(await wasRestored(database.db))
    if (!(await isEmpty())) return
    print('Loading sample members, classes and bookings.')
    const bank = await openBank(settings, { pool: database.pool, log, clock })
    try {
      await database.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(${DEMO_LOCK})`)
        // Another process may have been first.
        if (!(await isEmpty())) return
        await seed(tx, { vault: createVault(settings.healthDataKeys), bank, now: clock.now() })
      })
      await readCardFees(database, bank.provider, clock.now())
    } finally {
      await bank.close()
    }
  } finally {
    await database.close()
  }
}
