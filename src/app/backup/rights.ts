import { sql } from 'drizzle-orm'
import type { Connection } from '#platform/database/backup/catalog.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { recordSecurity, type SecurityEvent } from '#security/server/security.ts'

type Right = {
  /** Its word in the journal. */
  kind: string
  /** `granted`: who lacks it now has lost it. `refused`: a row takes a right away, such as a block or an objection. */
  is: 'granted' | 'refused'
  what: string
  /** What the owner has to do where nobody knows. */
  unknown: string
  /**
   * SQL for what there is: a `key` that is no personal data and stays the same under another encryption key; perhaps
   * the `user`, `since` when, and a `detail` that only the replaced database can pass on.
   */
  found: string
  /** SQL that repeats the loss of every `lost.key` and returns the user of each; `$1` is now. */
  repeat: string
  /** The security event for each user. */
  event?: Pick<SecurityEvent, 'kind' | 'details'>
}

const hashOf = (column: string) => `encode(sha256(${column}), 'hex')`
const hashOfText = (column: string) => hashOf(`convert_to(${column}, 'UTF8')`)
const rowKey = (id: string, since: string) => `${id} || '@' || extract(epoch from ${since})`
const touched = `updated_at = greatest($1, u.updated_at + interval '1 microsecond')`
const codeOfVoucher = "v.id || '@' || coalesce(v.payment_intent_id, extract(epoch from v.sold_at)::text)"
const BY_COMMAND = { cause: 'command' } as const

/** The rights of a restored studio that had been lost. Nothing is granted: the restore may be meant to undo that. */
const RIGHTS: readonly Right[] = [
  {
    kind: 'admin',
    is: 'granted',
    what: 'admins whose role was taken away since',
    unknown: 'take the role away again',
    found: 'select id as key, id as user from users where is_admin',
    repeat: `update users u set is_admin = false, ${touched} from lost where lost.key = u.id returning u.id`,
    event: { kind: 'role_taken', details: BY_COMMAND },
  },
  {
    kind: 'teacher',
    is: 'granted',
    what: 'teachers whose role was taken away since',
    unknown: 'take the role away again: teachers read health notes',
    found: 'select id as key, id as user from users where is_teacher',
    repeat: `update users u set is_teacher = false, ${touched} from lost where lost.key = u.id returning u.id`,
    event: { kind: 'teacher_taken', details: BY_COMMAND },
  },
  {
    kind: 'blocked',
    is: 'refused',
    what: 'members blocked since',
    unknown: 'block them again',
    found: 'select id as key, id as user, blocked_reason as detail from users where blocked_at is not null',
    repeat: `update users u set blocked_at = $1, is_teacher = false, ${touched},
        blocked_reason = coalesce(lost.detail, 'Blocked before the site was restored from a backup')
      from lost where lost.key = u.id and u.blocked_at is null and not u.is_admin returning u.id`,
  },
  {
    // A person who knows the old password must not get in. The new one is not kept, as a thief may have set it.
    // `invited_at` keeps retention from deleting the account as never used.
    kind: 'password',
    is: 'granted',
    what: 'passwords changed since; the older ones no longer work',
    unknown: 'the older ones work again: a member whose password was known to another person sets a new one',
    found: `select ${hashOfText('password_hash')} as key, id as user from users where password_hash is not null`,
    repeat: `update users u set password_hash = null, invited_at = $1, ${touched}
      from lost where lost.key = ${hashOfText('u.password_hash')} returning u.id`,
    event: { kind: 'password_removed', details: BY_COMMAND },
  },
  {
    kind: 'passkey',
    is: 'granted',
    what: 'passkeys removed since',
    unknown: 'they work again: ask the members to remove them again',
    found: `select ${hashOf('credential_id')} as key, user_id as user from passkeys`,
    repeat: `delete from passkeys p using lost where lost.key = ${hashOf('p.credential_id')} returning p.user_id as id`,
    event: { kind: 'passkey_removed', details: BY_COMMAND },
  },
  {
    kind: 'app',
    is: 'granted',
    what: 'authenticator apps removed since',
    unknown: 'they work again: admins remove them again',
    found: `select ${rowKey('user_id', 'created_at')} as key, user_id as user from authenticator_apps`,
    repeat: `delete from authenticator_apps a using lost where lost.key = ${rowKey('a.user_id', 'a.created_at')}
      returning a.user_id as id`,
    event: { kind: 'second_factor_removed', details: { factor: 'totp', ...BY_COMMAND } },
  },
  {
    kind: 'recovery',
    is: 'granted',
    what: 'recovery codes used or renewed since',
    unknown: 'they work again: admins make new ones',
    found: `select ${hashOf('code_hash')} as key, user_id as user from recovery_codes`,
    repeat: `delete from recovery_codes c using lost where lost.key = ${hashOf('c.code_hash')} returning c.user_id as id`,
  },
  {
    kind: 'feed',
    is: 'granted',
    what: 'calendar addresses ended since',
    unknown: 'they work again: ask the members to make new ones',
    found: `select ${hashOf('secret_hash')} as key, user_id as user from calendar_feeds`,
    repeat: `delete from calendar_feeds f using lost where lost.key = ${hashOf('f.secret_hash')} returning f.user_id as id`,
  },
  {
    kind: 'no_news',
    is: 'refused',
    what: 'consents to news withdrawn in the health form since',
    unknown: 'members save the form again; send no news before',
    found: `select user_id as key, user_id as user, consented_at::text as detail
      from health_questionnaires where not marketing_consent`,
    repeat: `with forms as (
        update health_questionnaires q set marketing_consent = false from lost
        where lost.key = q.user_id and q.marketing_consent
          and coalesce(lost.detail::timestamptz, 'infinity') >= q.consented_at
        returning q.user_id as id
      ), elsewhere as (
        delete from marketing_consents m using lost
        where lost.key = m.user_id and coalesce(lost.detail::timestamptz, 'infinity') >= m.agreed_at
          and not exists (select from health_questionnaires q
            where q.user_id = m.user_id and not q.marketing_consent and q.consented_at >= m.agreed_at)
        returning m.user_id as id
      )
      select id from forms union select id from elsewhere`,
  },
  {
    kind: 'newsletter',
    is: 'granted',
    what: 'newsletter subscriptions ended since',
    unknown: 'end those that you know of',
    found: `select ${hashOfText('token')} as key, requested_at::text as since from newsletter_subscribers`,
    repeat: `delete from newsletter_subscribers s using lost where lost.key = ${hashOfText('s.token')}
      returning null as id`,
  },
  {
    kind: 'no_texts',
    is: 'refused',
    what: 'members who switched text messages off since',
    unknown: 'they are texted again: ask them to switch texts off again',
    found: 'select id as key, id as user from users where texts_off',
    repeat: `update users u set texts_off = true, ${touched} from lost
      where lost.key = u.id and not u.texts_off returning u.id`,
  },
  {
    kind: 'no_push',
    is: 'refused',
    what: 'kinds of notifications that members switched off since',
    unknown: 'they come again once a phone has signed in and allows them',
    found: "select user_id || ':' || unnest(off) as key, user_id as user from push_choices",
    repeat: `insert into push_choices (user_id, off)
      select u.id, array_agg(split_part(lost.key, ':', 2)) from lost join users u on u.id = split_part(lost.key, ':', 1)
      group by u.id
      on conflict (user_id) do update
        set off = array(select distinct unnest(push_choices.off || excluded.off))
      returning user_id as id`,
  },
  {
    kind: 'no_invitations',
    is: 'refused',
    what: 'addresses that asked since never to be invited again',
    unknown: 'they can be invited again: answer those who write to you',
    found: "select encode(email_hash, 'hex') as key, objected_at::text as detail from invitation_objections",
    repeat: `insert into invitation_objections (email_hash, objected_at)
      select decode(key, 'hex'), coalesce(detail::timestamptz, $1) from lost on conflict do nothing returning null as id`,
  },
  {
    kind: 'regular',
    is: 'granted',
    what: 'regular bookings ended since; classes that they had booked stay booked',
    unknown: 'they book again at 00:20: end those that you know of',
    found: `select ${rowKey('id', 'created_at')} as key, user_id as user, created_at::text as since from regular_bookings`,
    repeat: `delete from regular_bookings r using lost where lost.key = ${rowKey('r.id', 'r.created_at')}
      returning r.user_id as id`,
  },
  {
    kind: 'promotion',
    is: 'granted',
    what: 'promotion codes ended since',
    unknown: 'they work again: end them again',
    found: `select ${rowKey('id', 'created_at')} as key, created_at::text as since from promotion_codes where ended_at is null`,
    repeat: `update promotion_codes c set ended_at = $1 from lost
      where lost.key = ${rowKey('c.id', 'c.created_at')} and c.ended_at is null returning null as id`,
  },
  {
    // Its payment may have been open at the backup; a poll makes it a purchase later.
    kind: 'voucher_over',
    is: 'refused',
    what: 'vouchers redeemed or voided since; a pass that came from one is not back, gift it again',
    unknown: 'their codes work again: void those that you know of',
    found: `select ${codeOfVoucher} as key, case when redeemed_at is null then 'voided' end as detail
      from vouchers v where coalesce(redeemed_at, voided_at) is not null`,
    repeat: `update vouchers v set
        redeemed_at = case when lost.detail is null then $1::timestamptz end,
        voided_at = case when lost.detail is not null then $1::timestamptz end,
        sold_at = case when lost.detail is null then coalesce(v.sold_at, $1) else v.sold_at end
      from lost where lost.key = ${codeOfVoucher} and coalesce(v.redeemed_at, v.voided_at) is null returning null as id`,
  },
  {
    kind: 'own_calendar',
    is: 'granted',
    what: 'own calendars removed since',
    unknown: 'it is read again: remove it in Studio settings',
    found: 'select extract(epoch from added_at)::text as key, added_at::text as since from own_calendar',
    repeat: `delete from own_calendar o using lost where lost.key = extract(epoch from o.added_at)::text
      returning null as id`,
  },
  {
    kind: 'call',
    is: 'granted',
    what: 'calls that were made since, which are not listed again',
    unknown: 'they are listed again: mark them as made',
    found: `select ${rowKey('id', 'created_at')} as key, user_id as user, created_at::text as since from calls`,
    repeat: `delete from calls c using lost where lost.key = ${rowKey('c.id', 'c.created_at')} returning c.user_id as id`,
  },
]

/** In the words of the report. */
export const LOST_RIGHTS: readonly Pick<Right, 'what' | 'unknown' | 'found' | 'repeat'>[] = RIGHTS

type Found = { key: string; user?: string; since?: string; detail?: string | null }

/** What a database says about rights, by kind and key. */
export type Rights = ReadonlyMap<string, ReadonlyMap<string, Omit<Found, 'key'>>>

/** Reads every right that is granted or refused in a database. */
export async function rightsIn(reader: Reader): Promise<Rights> {
  const rights = new Map<string, Map<string, Omit<Found, 'key'>>>()
  for (const { kind, found } of RIGHTS) {
    const { rows } = await reader.execute<Found>(sql.raw(found))
    rights.set(kind, new Map(rows.map(({ key, ...rest }) => [key, rest])))
  }
  return rights
}

/** What the replaced database, or the journal, knows about rights. */
export type KnownRights = {
  rights: Rights
  /** Whether it would say so if this member still had the right. */
  knows(user: string): boolean
  /** Times that the replaced database has lost itself, by restores: it does not know what was granted in them. */
  gaps?: readonly { from: string; to: string }[]
}

/** Reads the rights of the database that is about to be replaced. */
export async function rightsOfReplaced(reader: Reader): Promise<KnownRights> {
  const users = await reader.execute<{ id: string }>(sql`select id from users`)
  const gaps = await reader.execute<{ from: string; to: string }>(
    sql`select taken_at::text as "from", restored_at::text as "to" from restores`,
  )
  const ids = new Set(users.rows.map(({ id }) => id))
  return { rights: await rightsIn(reader), knows: (user) => ids.has(user), gaps: gaps.rows }
}

/** Whether what is known has anything in common with the restored studio, so that it is about the same one. */
export function isOfSameStudio(known: KnownRights, restored: Rights): boolean {
  return [...restored].some(([kind, held]) => [...held.keys()].some((key) => known.rights.get(kind)?.has(key)))
}

/** Repeats in the restored database every loss that is known. Returns counts by description. */
export async function repeatLosses(
  connection: Connection,
  tx: Tx,
  known: KnownRights,
  now: Temporal.Instant,
): Promise<Map<string, number>> {
  const restored = await rightsIn(tx)
  const counts = new Map<string, number>()
  await connection.query('create temp table lost (key text, detail text) on commit drop')
  for (const right of RIGHTS) {
    const lost = lossesOf(right, restored, known)
    await connection.query('truncate lost')
    await connection.query('insert into lost select * from unnest($1::text[], $2::text[])', [
      lost.map(({ key }) => key),
      lost.map(({ detail }) => detail ?? null),
    ])
    const values = right.repeat.includes('$1') ? [now.toString()] : []
    const { rows } = await connection.query<{ id: string | null }>(right.repeat, values)
    counts.set(right.what, rows.length)
    for (const id of new Set(rows.map((row) => row.id))) {
      if (right.event && id) await recordSecurity(tx, { ...right.event, subject: id }, now)
    }
  }
  return counts
}

function lossesOf({ kind, is }: Right, restored: Rights, { rights, knows, gaps = [] }: KnownRights): Found[] {
  const known = rights.get(kind)
  const there = restored.get(kind)
  if (!known || !there) return []
  if (is === 'refused') return [...known].flatMap(([key, found]) => (there.has(key) ? [] : [{ key, ...found }]))
  const isKnown = ({ user, since }: Omit<Found, 'key'>) =>
    (user === undefined || knows(user)) && !gaps.some(({ from, to }) => isWithin(since, from, to))
  return [...there].flatMap(([key, found]) => (known.has(key) || !isKnown(found) ? [] : [{ key, ...found }]))
}

function isWithin(time: string | undefined, from: string, to: string): boolean {
  if (!time) return false
  const at = Temporal.Instant.from(time)
  return Temporal.Instant.compare(at, from) >= 0 && Temporal.Instant.compare(at, to) < 0
}
