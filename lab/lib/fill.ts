import { createHash } from 'node:crypto'
import cookie from '@fastify/cookie'
import pg from 'pg'
import { consents } from '#health/consents.ts'
import { createVault } from '#platform/vault/vault.ts'
import type { Secrets } from './live-site.ts'

/** Fills a database with complete rows, without firing triggers. */
export async function fill<Filled>(url: string, work: (client: pg.Client) => Promise<Filled>): Promise<Filled> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin; set local session_replication_role = replica')
    const filled = await work(client)
    await client.query('commit')
    await client.query('vacuum analyze')
    await client.query('checkpoint')
    return filled
  } finally {
    await client.end()
  }
}

/** The first day of classes, far enough ahead to book. */
export const FIRST_DAY = Temporal.Now.plainDateISO().add({ weeks: 2 })

/** Adds duo classes from 06:00, one every 10 minutes. Returns their ids. */
export async function addClasses(
  client: pg.Client,
  { days, aDay, from = FIRST_DAY.toString() }: { days: number; aDay: number; from?: string },
): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `insert into classes (title, description, date, start_time, end_time, starts_at, ends_at, max_participants,
                          price_pence, pass_price_pence, instructor_name, created_at, updated_at)
     select 'Reformer Pilates Duo', 'A 45-minute reformer session for up to two people.', day::date, start::time,
            (start + interval '45 minutes')::time, start at time zone 'Europe/London',
            (start + interval '45 minutes') at time zone 'Europe/London', 2, 6500, 5000, 'Eleanor Marsh', now(), now()
       from generate_series($1::timestamp, $1::timestamp + ($2::int - 1) * interval '1 day', '1 day') as day,
            generate_series(day + interval '6 hours', day + interval '6 hours' + ($3::int - 1) * interval '10 minutes',
                            '10 minutes') as start
     returning id`,
    [from, days, aDay],
  )
  return rows.map((row) => row.id)
}

/** A member with the cookie of a signed-in browser. */
export type SignedIn = { id: string; email: string; firstName: string; cookie: string }

const CREDITS = 1000

/** Adds members who are signed in and can book: health information and a pass with a thousand credits. */
export async function addMembers(client: pg.Client, count: number, secrets: Secrets): Promise<SignedIn[]> {
  const vault = createVault([secrets.healthDataKey])
  const members = Array.from({ length: count }, (_, place) => {
    const id = `member-${place}`
    const token = createHash('sha256').update(`${secrets.sessionSecret} ${id}`).digest('base64url')
    return {
      id,
      email: `${id}@people.example`,
      firstName: 'Imogen',
      tokenHash: createHash('sha256').update(token).digest(),
      cookie: `session=${encodeURIComponent(cookie.sign(token, secrets.sessionSecret))}`,
      version: place + 1,
      questionnaire: vault.seal({ owner: id, row: id, version: place + 1 }, 'questionnaire', {}),
      contact: vault.seal({ owner: id, row: id, version: place + 1 }, 'emergency-contact', {}),
    }
  })
  const ids = members.map(({ id }) => id)
  const versions = members.map(({ version }) => version)
  await client.query(
    `insert into users (id, username, email, first_name, last_name, email_verified_at, created_at)
     select id, email, email, 'Imogen', 'Hartley', now(), now() from unnest($1::text[], $2::text[]) as them (id, email)`,
    [ids, members.map(({ email }) => email)],
  )
  await client.query(
    `insert into sessions (token_hash, user_id, method, created_at, confirmed_at, last_used_at, expires_at)
     select hash, id, 'password', now(), now(), now(), now() + interval '30 days' from unnest($1::bytea[], $2::text[]) as them (hash, id)`,
    [members.map(({ tokenHash }) => tokenHash), ids],
  )
  await client.query(
    `insert into health_questionnaires (user_id, sealed, version, marketing_consent, consented_at, consent_text_version, updated_at)
     select id, sealed, version, false, now(), $4, now()
       from unnest($1::text[], $2::bytea[], $3::int[]) as them (id, sealed, version)`,
    [ids, members.map(({ questionnaire }) => questionnaire), versions, consents.version],
  )
  await client.query(
    `insert into emergency_contacts (user_id, sealed, version, updated_at)
     select id, sealed, version, now() from unnest($1::text[], $2::bytea[], $3::int[]) as them (id, sealed, version)`,
    [ids, members.map(({ contact }) => contact), versions],
  )
  await client.query(`select setval('health_versions', $1)`, [count])
  await addPasses(client, ids)
  return members.map(({ id, email, firstName, cookie }) => ({ id, email, firstName, cookie }))
}

async function addPasses(client: pg.Client, ids: string[]): Promise<void> {
  await client.query(
    `with sold as (
       insert into packages (name, price_pence, class_count, validity_months, max_participants, is_limited_offer,
                             purchase_once_per_user, created_at, updated_at)
       values ('Everlasting', 100000, $2, 120, 2, false, false, now(), now()) returning id
     ), held as (
       insert into passes (user_id, package_id, credits_total, credits_remaining, expires_at, created_at)
       select member, sold.id, $2, $2, now() + interval '11 years', now() from sold, unnest($1::text[]) as member
       returning id
     )
     insert into credit_ledger (pass_id, kind, credits, reason, caused_by, at)
     select id, 'gift', $2, 'the lab', 'system', now() from held`,
    [ids, CREDITS],
  )
}

/** Adds two bookings for every class, with ledger lines and correct balances. */
export async function addBookings(client: pg.Client): Promise<void> {
  await client.query(
    `with member as (
       select passes.id as pass_id, user_id, row_number() over (order by passes.id) - 1 as place from passes
     ), place as (
       select classes.id as class_id, row_number() over (order by classes.id, side) as number
         from classes, generate_series(1, 2) as side
     ), booked as (
       insert into bookings (user_id, payer_id, class_id, pass_id, origin, status, payment_status, total_amount_pence, booked_at)
       select user_id, user_id, class_id, pass_id, 'member', 'confirmed', 'paid', 5000, now()
         from place join member on member.place = place.number % (select count(*) from passes)
       returning id, pass_id
     )
     insert into credit_ledger (pass_id, kind, credits, booking_id, caused_by, at)
     select pass_id, 'booking', -1, id, 'member', now() from booked`,
  )
  await client.query('update classes set booked_count = 2')
  await client.query(
    'update passes set credits_remaining = (select sum(credits) from credit_ledger where pass_id = passes.id)',
  )
}
