import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { Tx } from '#platform/database/database.ts'
import { KEY_ID_PLACE, type Place, type Purpose, type Vault } from '#platform/vault/vault.ts'
import { emergencyContacts, healthQuestionnaires, healthUpdates, sessionNotes } from '../tables.ts'

type SealedColumn = {
  table: PgTable
  key: PgColumn
  owner: PgColumn
  sealed: PgColumn
  version: PgColumn
  purpose: Purpose
}

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
  {
    table: sessionNotes,
    key: sessionNotes.bookingId,
    owner: sessionNotes.userId,
    sealed: sessionNotes.sealed,
    version: sessionNotes.version,
    purpose: 'session-note',
  },
]
/** Rows locked per transaction. */
const BATCH = 100
/** Retries for rows that other transactions have locked. */
const MAX_PASSES = 100
const PAUSE_MS = 50

/** Runs work in a new transaction, or in the current one. */
export type InTransaction = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>

const keyIdIn = (sealed: PgColumn) =>
  sql`substring(${sealed} from ${KEY_ID_PLACE.from}::int for ${KEY_ID_PLACE.length}::int)`

/**
 * Encrypts everything again under the newest key, so that older keys can be dropped. Unreadable values stay as they
 * are. Works in small batches while the site runs; processes that start together share the work.
 *
 * @returns how many values were encrypted again
 * @throws {VaultError} naming the missing key, if no value can be decrypted
 */
export async function rotateHealthKeys(inTransaction: InTransaction, vault: Vault): Promise<number> {
  let total = 0
  const unreadable: Row[] = []
  for (const column of SEALED) {
    const resealed = await resealAll(inTransaction, vault, column)
    total += resealed.total
    unreadable.push(...resealed.unreadable)
  }
  const [first] = unreadable
  if (first && total === 0 && !(await inTransaction((tx) => anyUnderNewest(tx, vault))))
    vault.open(first, first.purpose, first.sealed)
  return total
}

type Row = Place & { sealed: Buffer; purpose: Purpose }

const isDue = ({ sealed }: SealedColumn, { newestKeyId }: Vault) => sql`${keyIdIn(sealed)} <> ${newestKeyId}`

/** Repeats until only unreadable values are left; locked rows are left to the next pass. */
async function resealAll(inTransaction: InTransaction, vault: Vault, column: SealedColumn) {
  let total = 0
  for (let passCount = 1; ; passCount++) {
    const unreadable: Row[] = []
    let last: Row['row'] | undefined
    do {
      const after = last
      const done = await inTransaction((tx) => resealSome(tx, vault, column, after))
      total += done.total
      unreadable.push(...done.unreadable)
      last = done.last
    } while (last !== undefined)
    const due = await inTransaction((tx) => countDue(tx, vault, column))
    if (due <= unreadable.length || passCount === MAX_PASSES) return { total, unreadable }
    await pause(PAUSE_MS)
  }
}

/** @param after the key of the last row of the previous batch */
async function resealSome(tx: Tx, vault: Vault, column: SealedColumn, after: Row['row'] | undefined) {
  const { table, key, owner, sealed, version, purpose } = column
  const { rows } = await tx.execute<Omit<Row, 'purpose'>>(sql`
    select ${key} as row, ${owner} as owner, ${sealed} as sealed, ${version} as version
    from ${table} where ${isDue(column, vault)} and ${after === undefined ? sql`true` : sql`${key} > ${after}`}
    order by ${key} limit ${BATCH} for update skip locked`)
  const unreadable: Row[] = []
  const updates = rows.flatMap((row) => {
    const value = vault.openIfReadable(row, { purpose, shape: z.unknown() }, row.sealed)
    if (value === undefined) {
      unreadable.push({ ...row, purpose })
      return []
    }
    const resealed = vault.seal(row, purpose, value)
    return [sql`update ${table} set ${sql.identifier(sealed.name)} = ${resealed} where ${key} = ${row.row}`]
  })
  await Promise.all(updates.map((update) => tx.execute(update)))
  return { total: updates.length, unreadable, last: rows.at(-1)?.row }
}

async function countDue(tx: Tx, vault: Vault, column: SealedColumn): Promise<number> {
  const { rows } = await tx.execute<{ due: number }>(sql`
    select count(*)::int as due from ${column.table} where ${isDue(column, vault)}`)
  return rows[0]?.due ?? 0
}

async function anyUnderNewest(tx: Tx, vault: Vault): Promise<boolean> {
  for (const { table, sealed } of SEALED) {
    const { rows } = await tx.execute<{ found: number }>(sql`
      select 1 as found from ${table} where ${keyIdIn(sealed)} = ${vault.newestKeyId} limit 1`)
    if (rows.length > 0) return true
  }
  return false
}
