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

/** What the replaced database had granted since, and the restored one lacks. */
const NOT_GRANTED = {
  admins: 'select count(*) from users u join replaced_users r on r.id = u.id where r.is_admin and not u.is_admin',
  teachers: 'select count(*) from users u join replaced_users r on r.id = u.id where r.is_teacher and not u.is_teacher',
  unblocked: `select count(*) from users u join replaced_users r on r.id = u.id
    where r.blocked_at is null and u.blocked_at is not null`,
  addresses: 'select count(*) from users u join replaced_users r on r.id = u.id where r.email <> u.email',
} as const
export type NotGranted = Record<keyof typeof NOT_GRANTED, number>

/** Counts what the owner may want to grant again. */
export async function countNotGranted(connection: Connection): Promise<NotGranted> {
  const questions = Object.entries(NOT_GRANTED).map(([what, question]) => `(${question})::int as "${what}"`)
  const { rows } = await connection.query<NotGranted>(`select ${questions.join(', ')}`)
  return rows[0] ?? { admins: 0, teachers: 0, unblocked: 0, addresses: 0 }
}
