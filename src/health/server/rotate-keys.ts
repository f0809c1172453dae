import { sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { Tx } from '../../platform/database/database.ts'
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

const keyIdIn = (sealed: PgColumn) =>
  sql`substring(${sealed} from ${KEY_ID_PLACE.from}::int for ${KEY_ID_PLACE.length}::int)`

/**
 * Seals everything that is under an older key under the newest one; afterwards the older keys can be dropped. A value
 * that does not open is left as it is. Costs a few short queries when there is nothing to do. Processes that start
 * together wait for each other.
 *
 * @returns how many values were sealed anew
 * @throws {VaultError} naming the key that is missing, when nothing at all can be opened: the wrong keys were given
 */
export async function rotateHealthKeys(tx: Tx, vault: HealthVault): Promise<number> {
  let total = 0
  const unreadable: Row[] = []
  for (const column of SEALED) {
    const resealed = await reseal(tx, vault, column)
    total += resealed.total
    unreadable.push(...resealed.unreadable)
  }
  const [first] = unreadable
  if (first && total === 0 && !(await anyUnderNewest(tx, vault))) vault.open(first.owner, first.purpose, first.sealed)
  return total
}

type Sealed = { key: string | number; owner: string; sealed: Buffer }
type Row = Sealed & { purpose: Purpose }

async function reseal(tx: Tx, vault: HealthVault, { table, key, owner, sealed, purpose }: SealedColumn) {
  const unreadable: Row[] = []
  let total = 0
  let beyond = sql`true`
  for (;;) {
    const { rows } = await tx.execute<Sealed>(sql`
      select ${key} as key, ${owner} as owner, ${sealed} as sealed
      from ${table} where ${keyIdIn(sealed)} <> ${vault.newestKeyId} and ${beyond}
      order by ${key} limit ${BATCH} for update`)
    for (const row of rows) {
      const value = vault.openIfReadable(row.owner, { purpose, shape: z.unknown() }, row.sealed)
      if (value === undefined) {
        unreadable.push({ ...row, purpose })
        continue
      }
      const anew = vault.seal(row.owner, purpose, value)
      await tx.execute(sql`update ${table} set ${sql.identifier(sealed.name)} = ${anew} where ${key} = ${row.key}`)
      total++
    }
    const last = rows.at(-1)
    if (!last) return { total, unreadable }
    beyond = sql`${key} > ${last.key}`
  }
}

async function anyUnderNewest(tx: Tx, vault: HealthVault): Promise<boolean> {
  for (const { table, sealed } of SEALED) {
    const { rows } = await tx.execute<{ found: number }>(sql`
      select 1 as found from ${table} where ${keyIdIn(sealed)} = ${vault.newestKeyId} limit 1`)
    if (rows.length > 0) return true
  }
  return false
}
