import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { Tx } from '#platform/database/database.ts'
import { emergencyContacts, healthQuestionnaires, healthUpdates } from '../tables.ts'
import { type HealthVault, KEY_ID_PLACE, type Place, type Purpose } from './vault.ts'

type SealedColumn = {
  table: PgTable
  key: PgColumn
  owner: PgColumn
  sealed: PgColumn
  version: PgColumn
  purpose: Purpose
}

/** Every column that holds something sealed. */
const SEALED: SealedColumn[] = [
  {
    table: healthQuestionnaires,
    key: healthQuestionnaires.userId,
    owner: healthQuestionnaires.userId,
    sealed: healthQuestionnaires.sealed,
    version: healthQuestionnaires.version,
    purpose: 'questionnaire',
  },
  {
    table: emergencyContacts,
    key: emergencyContacts.userId,
    owner: emergencyContacts.userId,
    sealed: emergencyContacts.sealed,
    version: emergencyContacts.version,
    purpose: 'emergency-contact',
  },
  {
    table: healthUpdates,
    key: healthUpdates.id,
    owner: healthUpdates.userId,
    sealed: healthUpdates.sealedChanges,
    version: healthUpdates.version,
    purpose: 'changes',
  },
]
/** How many rows one transaction holds: who saves meanwhile waits for no more than these. */
const BATCH = 100
/** How often what others hold is looked at again, and how long that is waited for between. */
const TURNS = 100
const BETWEEN_TURNS_MS = 50

/** Runs work in a transaction: one of its own each time, or one that is open already. */
export type InTransaction = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>

const keyIdIn = (sealed: PgColumn) =>
  sql`substring(${sealed} from ${KEY_ID_PLACE.from}::int for ${KEY_ID_PLACE.length}::int)`

/**
 * Seals everything that is under an older key under the newest one; afterwards the older keys can be dropped. A value
 * that does not open is left as it is. Costs a few short queries when there is nothing to do. A few rows at a time, so
 * that the site runs meanwhile; processes that start together share the work, and each ends when all of it is done.
 *
 * @param options.binds whether to do so as well with what an earlier release sealed, which knows neither row nor version
 * @returns how many values were sealed anew
 * @throws {VaultError} naming the key that is missing, when nothing at all can be opened: the wrong keys were given
 */
export async function rotateHealthKeys(
  inTransaction: InTransaction,
  vault: HealthVault,
  options: { binds: boolean } = { binds: false },
): Promise<number> {
  let total = 0
  const unreadable: Row[] = []
  for (const column of SEALED) {
    const resealed = await resealAll(inTransaction, vault, { ...column, binds: options.binds })
    total += resealed.total
    unreadable.push(...resealed.unreadable)
  }
  const [first] = unreadable
  if (first && total === 0 && !(await inTransaction((tx) => anyUnderNewest(tx, vault))))
    vault.open(first, first.purpose, first.sealed)
  return total
}

type Row = Place & { sealed: Buffer; purpose: Purpose }
type Wanted = SealedColumn & { binds: boolean }

const isDue = ({ sealed, version, binds }: Wanted, { newestKeyId }: HealthVault) =>
  binds ? sql`(${keyIdIn(sealed)} <> ${newestKeyId} or ${version} is null)` : sql`${keyIdIn(sealed)} <> ${newestKeyId}`

/** Goes through a column until nothing is left but what cannot be opened; what somebody holds is left to the next turn. */
async function resealAll(inTransaction: InTransaction, vault: HealthVault, wanted: Wanted) {
  let total = 0
  for (let turn = 1; ; turn++) {
    const unreadable: Row[] = []
    let last: Row['row'] | undefined
    do {
      const after = last
      const done = await inTransaction((tx) => resealSome(tx, vault, wanted, after))
      total += done.total
      unreadable.push(...done.unreadable)
      last = done.last
    } while (last !== undefined)
    const due = await inTransaction((tx) => countDue(tx, vault, wanted))
    if (due <= unreadable.length || turn === TURNS) return { total, unreadable }
    await pause(BETWEEN_TURNS_MS)
  }
}

/** @param after the key of the row before; undefined: from the beginning */
async function resealSome(tx: Tx, vault: HealthVault, wanted: Wanted, after: Row['row'] | undefined) {
  const { table, key, owner, sealed, version, purpose } = wanted
  const { rows } = await tx.execute<Omit<Row, 'purpose'> & { next: number }>(sql`
    select ${key} as row, ${owner} as owner, ${sealed} as sealed, ${version} as version,
      coalesce(${version}, nextval('health_versions')::int) as next
    from ${table} where ${isDue(wanted, vault)} and ${after === undefined ? sql`true` : sql`${key} > ${after}`}
    order by ${key} limit ${BATCH} for update skip locked`)
  const unreadable: Row[] = []
  const updates = rows.flatMap(({ next, ...row }) => {
    const value = vault.openIfReadable(row, { purpose, shape: z.unknown() }, row.sealed)
    if (value === undefined) {
      unreadable.push({ ...row, purpose })
      return []
    }
    const anew = vault.seal({ ...row, version: next }, purpose, value)
    return [
      sql`update ${table} set ${sql.identifier(sealed.name)} = ${anew}, version = ${next} where ${key} = ${row.row}`,
    ]
  })
  await Promise.all(updates.map((update) => tx.execute(update)))
  return { total: updates.length, unreadable, last: rows.at(-1)?.row }
}

async function countDue(tx: Tx, vault: HealthVault, wanted: Wanted): Promise<number> {
  const { rows } = await tx.execute<{ due: number }>(sql`
    select count(*)::int as due from ${wanted.table} where ${isDue(wanted, vault)}`)
  return rows[0]?.due ?? 0
}

async function anyUnderNewest(tx: Tx, vault: HealthVault): Promise<boolean> {
  for (const { table, sealed } of SEALED) {
    const { rows } = await tx.execute<{ found: number }>(sql`
      select 1 as found from ${table} where ${keyIdIn(sealed)} = ${vault.newestKeyId} limit 1`)
    if (rows.length > 0) return true
  }
  return false
}
