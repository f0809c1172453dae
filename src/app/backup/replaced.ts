import { keysOf } from '#foundation/collections.ts'
import type { Connection } from '#platform/database/backup/catalog.ts'

/** Copies users and restores of the database that is about to be replaced, until the transaction ends. */
export async function rememberReplaced(connection: Connection): Promise<void> {
  await connection.query(`
    create temp table replaced_users on commit drop as
      select id, email, is_admin, is_teacher, blocked_at from users;
    create temp table replaced_restores on commit drop as select taken_at, restored_at from restores`)
}

/**
 * How far the replaced database can be trusted, once the backup is loaded. `isSame`: it has members in common, so it is
 * the same studio. `isLater`: it was in use at the moment of the backup, and was not restored from an older one.
 */
export async function compareReplaced(
  connection: Connection,
  takenAt: string,
): Promise<{ isSame: boolean; isLater: boolean }> {
  const { rows } = await connection.query<{ isSame: boolean; isLater: boolean }>(
    `select exists (select from users u join replaced_users r on r.id = u.id) as "isSame",
       not exists (select from replaced_restores where taken_at < $1 and restored_at > $1) as "isLater"`,
    [takenAt],
  )
  return rows[0] ?? { isSame: false, isLater: false }
}

/** The lines that each of several queries finds. */
export async function linesOf<Name extends string>(
  connection: Connection,
  queries: Readonly<Record<Name, string>>,
  values: unknown[] = [],
): Promise<Record<Name, string[]>> {
  const found: Partial<Record<Name, string[]>> = {}
  for (const name of keysOf(queries)) {
    const { rows } = await connection.query<{ line: string }>(queries[name], values)
    found[name] = rows.map(({ line }) => line)
  }
  return found as Record<Name, string[]>
}

const REPLACED = "select u.first_name || ' ' || u.last_name as line from users u join replaced_users r on r.id = u.id"
/** What the replaced database had granted since, and the restored one lacks. */
const NOT_GRANTED = {
  admins: `${REPLACED} where r.is_admin and not u.is_admin`,
  teachers: `${REPLACED} where r.is_teacher and not u.is_teacher`,
  unblocked: `${REPLACED} where r.blocked_at is null and u.blocked_at is not null`,
  addresses: `${REPLACED} where r.email <> u.email`,
} as const
export type NotGranted = Record<keyof typeof NOT_GRANTED, string[]>

/** The members to whom the owner may want to grant something again. */
export const notGrantedIn = (connection: Connection): Promise<NotGranted> => linesOf(connection, NOT_GRANTED)
