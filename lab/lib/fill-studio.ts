import type pg from 'pg'
import { createVault } from '#platform/vault/vault.ts'
import { addClasses, addMembers, type SignedIn } from './fill.ts'
import type { Secrets } from './live-site.ts'

/** The size of a studio. Each class has four bookings, two of them cancelled. */
export type StudioSize = { members: number; days: number; aDay: number }

/** Days after today that have classes. */
const DAYS_AHEAD = 42
const PURCHASES_PER_MEMBER = 4

/** Fills a studio with a history. Returns its admin. */
export async function fillStudio(client: pg.Client, size: StudioSize, secrets: Secrets): Promise<SignedIn> {
  const members = await addMembers(client, size.members, secrets)
  const [admin] = members
  if (!admin) throw new Error('a studio needs at least one member')
  await client.query("update users set is_admin = true where id = 'member-0'")
  await client.query("update users set created_at = now() - random() * interval '5 years'")
  const from = Temporal.Now.plainDateISO().add({ days: DAYS_AHEAD - size.days })
  await addClasses(client, { ...size, from: from.toString() })
  await addPastBookings(client)
  await addPurchases(client)
  await addHealthUpdates(client, members, secrets)
  await addRecords(client)
  return admin
}

/** Four bookings a class with their ledger lines, two of them cancelled in time. */
async function addPastBookings(client: pg.Client): Promise<void> {
  await client.query(
    `with member as (
       select id as pass_id, user_id, row_number() over (order by id) - 1 as place, count(*) over () as all from passes
     ), place as (
       select id as class_id, starts_at, side, row_number() over (order by id, side) as number
         from classes, generate_series(1, 4) as side
     ), booked as (
       insert into bookings (user_id, payer_id, class_id, pass_id, origin, status, payment_status, total_amount_pence, booked_at, cancelled_at)
       select user_id, user_id, class_id, pass_id, 'member',
              case when side > 2 then 'cancelled' when starts_at < now() then 'completed' else 'confirmed' end,
              case when side > 2 then 'refunded' else 'paid' end,
              5000, least(starts_at - interval '3 days', now()) - side * interval '7 minutes',
              case when side > 2 then least(starts_at - interval '2 days', now()) end
         from place join member on member.place = place.number % member.all
       returning id, pass_id, status, booked_at
     )
     insert into credit_ledger (pass_id, kind, credits, booking_id, caused_by, at)
     select pass_id, 'booking', -1, id, 'member', booked_at from booked
      union all select pass_id, 'return', 1, id, 'member', booked_at from booked where status = 'cancelled'`,
  )
  await client.query('update classes set booked_count = 2')
  await client.query(
    'update passes set credits_remaining = (select sum(credits) from credit_ledger where pass_id = passes.id)',
  )
}

/** Paid passes, all but the last expired with two unused credits. */
async function addPurchases(client: pg.Client): Promise<void> {
  await client.query(
    `with sold as (
       insert into packages (name, price_pence, class_count, validity_months, max_participants, is_limited_offer,
                             purchase_once_per_user, created_at, updated_at)
       select count || ' Class Pass', count * 5300, count, 4, 2, false, false, now(), now()
         from unnest(array[1, 4, 8, 12]) as count
       returning id, name, price_pence, class_count
     ), wish as (
       select users.id as user_id, sold.id as package_id, price_pence, class_count,
              jsonb_build_object('firstName', first_name, 'lastName', last_name, 'contact', email) as buyer,
              jsonb_build_array(jsonb_build_object('kind', 'package', 'label', name, 'amountPence', price_pence)) as lines,
              now() - turn * interval '5 months' - random() * interval '4 months' as at, 'pi_' || users.id || '_' || turn as intent
         from users, generate_series(0, $1::int - 1) as turn, sold where sold.class_count = 8
     ), intended as (
       insert into payment_intents (id, user_id, package_id, amount_pence, lines, class_count, validity_months, state, created_at, settled_at)
       select intent, user_id, package_id, price_pence, lines, class_count, 4, 'purchased', at, at from wish
     ), bought as (
       insert into purchases (payment_intent_id, user_id, buyer, package_id, amount_pence, lines, class_count, valid_until,
                              purchased_at, receipt_number)
       select intent, user_id, buyer, package_id, price_pence, lines, class_count, at + interval '4 months', at, row_number() over (order by at, intent) from wish
       returning *
     ), held as (
       insert into passes (user_id, package_id, purchase_id, credits_total, credits_remaining, expires_at, created_at)
       select user_id, package_id, id, 8, case when purchased_at + interval '4 months' < now() then 0 else 8 end,
              purchased_at + interval '4 months', purchased_at from bought
       returning *
     )
     insert into credit_ledger (pass_id, kind, credits, caused_by, at)
     select id, 'purchase', 8, 'member', created_at from held
      union all select id, 'correction', -6, 'system', expires_at from held where credits_remaining = 0
      union all select id, 'expiry', -2, 'system', expires_at from held where credits_remaining = 0`,
    [PURCHASES_PER_MEMBER],
  )
  await client.query('insert into receipt_counter (last) select max(receipt_number) from purchases')
}

/** Four health updates of each member. */
export async function addHealthUpdates(
  client: pg.Client,
  members: readonly SignedIn[],
  secrets: Secrets,
): Promise<void> {
  const changes = { allergies: { old: null, new: 'None that I know of' }, hasBackProblems: { old: false, new: true } }
  const { rows } = await client.query<{ owner: string; row: number; version: number; turn: number }>(
    `select owner, nextval(pg_get_serial_sequence('health_updates', 'id'))::int as row,
            nextval('health_versions')::int as version, turn
       from unnest($1::text[]) as owner, generate_series(0, 3) as turn`,
    [members.map(({ id }) => id)],
  )
  const vault = createVault([secrets.healthDataKey])
  await client.query(
    `insert into health_updates (id, user_id, update_type, version, sealed_changes, created_at) overriding system value
     select id, owner, 'questionnaire_updated', version, sealed,
            now() - turn * interval '3 months' - random() * interval '3 months'
       from unnest($1::int[], $2::text[], $3::int[], $4::int[], $5::bytea[]) as them (id, owner, version, turn, sealed)`,
    [
      rows.map(({ row }) => row),
      rows.map(({ owner }) => owner),
      rows.map(({ version }) => version),
      rows.map(({ turn }) => turn),
      rows.map((place) => vault.seal(place, 'changes', changes)),
    ],
  )
}

/** A year in which the admin read each member's health information ten times and each member signed in ten times. */
async function addRecords(client: pg.Client): Promise<void> {
  const often = `users, generate_series(1, 10) as turn`
  const at = `now() - random() * interval '1 year'`
  await client.query(
    `insert into health_reads (admin_id, member_id, what, at) select 'member-0', id, 'answers', ${at} from ${often}`,
  )
  await client.query(
    `insert into security_events (at, kind, outcome, actor_id, subject_id, address, details)
     select ${at}, 'signed_in', 'done', id, id, '203.0.113.0/24', '{"method": "password", "browser": "Firefox"}' from ${often}`,
  )
}
