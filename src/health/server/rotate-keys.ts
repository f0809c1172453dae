import { sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../../server/database/database.ts'
import { emergencyContacts, healthQuestionnaires, healthUpdates } from '../tables.ts'
import { type HealthVault, KEY_ID_PLACE, type Purpose } from './vault.ts'

type SealedColumn = { table: PgTable; key: PgColumn; owner: PgColumn; sealed: PgColumn; purpose: Purpose }

/** Every column that holds something sealed. */
const SEALED: SealedColumn[] = [
  {
    table: healthQuestionnaires,
    key: healthQuestionnaires.userId,
    owner: healthQuestionnaires.userId,
    sealed: healthQuestionnaires.sealed,
    purpose: 'questionnaire',
  },
  {
    table: emergencyContacts,
    key: emergencyContacts.userId,
    owner: emergencyContacts.userId,
    sealed: emergencyContacts.sealed,
    purpose: 'emergency-contact',
  },
  {
    table: healthUpdates,
    key: healthUpdates.id,
    owner: healthUpdates.userId,
    sealed: healthUpdates.sealedChanges,
    purpose: 'changes',
  },
]
/** How many sealed values are opened at a time. */
const BATCH = 500

/**
 * Seals everything that is under an older key under the newest one; afterwards the older keys can be dropped.
 * Costs three short queries when there is nothing to do. Processes that start together wait for each other.
 *
 * @returns how many values were sealed anew
 * @throws {VaultError} naming the key that is missing, when something can no longer be opened; nothing is changed then
 */
export async function rotateHealthKeys(tx: Tx, vault: HealthVault): Promise<number> {
  let total = 0
  for (const column of SEALED) {
    for (let some = await resealSome(tx, vault, column); some > 0; some = await resealSome(tx, vault, column)) {
      total += some
    }
  }
  return total
}

async function resealSome(tx: Tx, vault: HealthVault, column: SealedColumn): Promise<number> {
  const { table, key, owner, sealed, purpose } = column
  const keyId = sql`substring(${sealed} from ${KEY_ID_PLACE.from}::int for ${KEY_ID_PLACE.length}::int)`
  const { rows } = await tx.execute<{ key: string | number; owner: string; sealed: Buffer }>(sql`
    select ${key} as key, ${owner} as owner, ${sealed} as sealed
    from ${table} where ${keyId} <> ${vault.newestKeyId}
    order by ${key} limit ${BATCH} for update`)
  for (const row of rows) {
    const anew = vault.seal(row.owner, purpose, vault.open(row.owner, purpose, row.sealed))
    await tx.execute(sql`update ${table} set ${sql.identifier(sealed.name)} = ${anew} where ${key} = ${row.key}`)
  }
  return rows.length
}
