import type { Connection } from '#platform/database/backup/catalog.ts'
import type { Tx } from '#platform/database/database.ts'
import { recordSecurity, type SecurityEvent } from '#security/server/security.ts'

/** Copies what the replaced database knows into temporary tables, until the transaction ends. */
const COPY_REPLACED = `
  create temp table replaced_users on commit drop as
    select id, email, is_admin, password_hash, blocked_at, blocked_reason from users;
  create temp table replaced_passkeys on commit drop as select user_id, credential_id from passkeys;
  create temp table replaced_apps on commit drop as select user_id, created_at from authenticator_apps;
  create temp table replaced_codes on commit drop as select code_hash from recovery_codes;
  create temp table replaced_calendars on commit drop as select secret_hash from calendar_feeds;
  create temp table replaced_subscribers on commit drop as select token from newsletter_subscribers;
  create temp table replaced_restores on commit drop as select taken_at, restored_at from restores;
  create temp table replaced_refusals on commit drop as
    select user_id, consented_at from health_questionnaires where not marketing_consent`

type Revocation = {
  what: string
  /** What the owner has to do where no replaced database knew. */
  unknown: string
  /** SQL that revokes it and returns the user of each row; `$1` is now. */
  revoke: string
  /** The security event for each user. */
  event?: Pick<SecurityEvent, 'kind' | 'details'>
}

const BY_COMMAND = { cause: 'command' } as const

/** Rights of restored users that had been revoked. Nothing is granted: the restore may be meant to undo that. */
const REVOCATIONS: readonly Revocation[] = [
  {
    what: 'admins whose role was taken away since',
    unknown: 'take the role away again',
    revoke: `update users u set is_admin = false, updated_at = greatest($1, u.updated_at + interval '1 microsecond')
      from replaced_users r where r.id = u.id and u.is_admin and not r.is_admin returning u.id`,
    event: { kind: 'role_taken', details: BY_COMMAND },
  },
  {
    what: 'members blocked since',
    unknown: 'block them again',
    revoke: `update users u set blocked_at = r.blocked_at, blocked_reason = r.blocked_reason, is_teacher = false,
        updated_at = greatest($1, u.updated_at + interval '1 microsecond')
      from replaced_users r where r.id = u.id and u.blocked_at is null and r.blocked_at is not null returning u.id`,
  },
  {
    // A person who knows the old password must not get in. The new one is not carried over: it may be a thief's.
    // `invited_at` keeps retention from deleting the account as never used.
    what: 'passwords changed since; the older ones no longer work',
    unknown: 'the older ones work again: a member whose password was known to another person sets a new one',
    revoke: `update users u set password_hash = null, invited_at = $1,
        updated_at = greatest($1, u.updated_at + interval '1 microsecond')
      from replaced_users r where r.id = u.id and u.password_hash is not null
        and u.password_hash is distinct from r.password_hash returning u.id`,
    event: { kind: 'password_removed', details: BY_COMMAND },
  },
  {
    what: 'passkeys removed since',
    unknown: 'they work again: ask the members to remove them again',
    revoke: `delete from passkeys p using replaced_users r where r.id = p.user_id and not exists (
        select from replaced_passkeys k where k.user_id = p.user_id and k.credential_id = p.credential_id)
      returning p.user_id as id`,
    event: { kind: 'passkey_removed', details: BY_COMMAND },
  },
  {
    what: 'authenticator apps removed since',
    unknown: 'they work again: admins remove them again',
    revoke: `delete from authenticator_apps a using replaced_users r where r.id = a.user_id and not exists (
        select from replaced_apps k where k.user_id = a.user_id and k.created_at = a.created_at)
      returning a.user_id as id`,
    event: { kind: 'second_factor_removed', details: { factor: 'totp', ...BY_COMMAND } },
  },
  {
    what: 'recovery codes used or renewed since',
    unknown: 'they work again: admins make new ones',
    revoke: `delete from recovery_codes c using replaced_users r where r.id = c.user_id and not exists (
        select from replaced_codes k where k.code_hash = c.code_hash)
      returning c.user_id as id`,
  },
  {
    what: 'calendar addresses ended since',
    unknown: 'they work again: ask the members to make new ones',
    revoke: `delete from calendar_feeds f using replaced_users r where r.id = f.user_id and not exists (
        select from replaced_calendars k where k.secret_hash = f.secret_hash)
      returning f.user_id as id`,
  },
  {
    what: 'consents to news withdrawn in the health form since',
    unknown: 'members save the form again; send no news before',
    revoke: `with forms as (
        update health_questionnaires q set marketing_consent = false from replaced_refusals r
        where r.user_id = q.user_id and q.marketing_consent and r.consented_at >= q.consented_at
        returning q.user_id as id
      ), elsewhere as (
        delete from marketing_consents m using replaced_refusals r
        where r.user_id = m.user_id and r.consented_at >= m.agreed_at
          and not exists (select from health_questionnaires q
            where q.user_id = m.user_id and not q.marketing_consent and q.consented_at >= m.agreed_at)
        returning m.user_id as id
      )
      select id from forms union select id from elsewhere`,
  },
  {
    // A database that was restored itself does not know the subscriptions of the time that it lost.
    what: 'newsletter subscriptions ended since',
    unknown: 'end those that you know of',
    revoke: `delete from newsletter_subscribers s
      where not exists (select from replaced_subscribers k where k.token = s.token)
        and not exists (select from replaced_restores k
          where s.requested_at >= k.taken_at and s.requested_at < k.restored_at)
      returning null as id`,
  },
]

/** Revoked rights, in the words of the report. */
export const REVOKED_RIGHTS: readonly Pick<Revocation, 'what' | 'unknown'>[] = REVOCATIONS

/** Remembers the rights in the database that is about to be replaced. */
export async function rememberRights(connection: Connection): Promise<void> {
  await connection.query(COPY_REPLACED)
}

/** Revokes in the restored database what {@link rememberRights} found revoked. Returns counts by description. */
export async function revokeRights(
  connection: Connection,
  tx: Tx,
  now: Temporal.Instant,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { what, revoke, event } of REVOCATIONS) {
    const values = revoke.includes('$1') ? [now.toString()] : []
    const { rows } = await connection.query<{ id: string | null }>(revoke, values)
    counts.set(what, rows.length)
    for (const id of new Set(rows.map((row) => row.id))) {
      if (event && id) await recordSecurity(tx, { ...event, subject: id }, now)
    }
  }
  return counts
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
  unblocked: `select count(*) from users u join replaced_users r on r.id = u.id
    where r.blocked_at is null and u.blocked_at is not null`,
  addresses: 'select count(*) from users u join replaced_users r on r.id = u.id where r.email <> u.email',
} as const
export type NotGranted = Record<keyof typeof NOT_GRANTED, number>

/** Counts what the owner may want to grant again. */
export async function countNotGranted(connection: Connection): Promise<NotGranted> {
  const questions = Object.entries(NOT_GRANTED).map(([what, question]) => `(${question})::int as "${what}"`)
  const { rows } = await connection.query<NotGranted>(`select ${questions.join(', ')}`)
  return rows[0] ?? { admins: 0, unblocked: 0, addresses: 0 }
}
