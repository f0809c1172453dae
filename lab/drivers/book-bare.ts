import pg from 'pg'
import { timedAtOnce } from '../lib/at-once.ts'
import { drive } from '../lib/driver.ts'
import type { SignedIn } from '../lib/fill.ts'

export type BareSetup = { databaseUrl: string; members: SignedIn[]; atOnce: number }
/** Each member books one class. */
export type Bookings = { classIds: number[] }

/** As many connections as the app's pool. */
const CONNECTIONS = 20

/**
 * The statements of src/booking/server/bookings/book-class.ts, by hand through `pg`, each prepared once per connection.
 */
const statements = {
  classForUpdate: `
    select id, series_id, title, description, date, start_time, end_time, starts_at, ends_at, max_participants, booked_count,
           price_pence, pass_price_pence, instructor_name, is_active, deleted_at, created_at, updated_at
      from classes where id = $1 and deleted_at is null for no key update`,
  readStanding: `
    select exists (select from bookings where user_id = $1 and class_id = $2 and status <> 'cancelled') as taken,
           exists (select from waiting_list where user_id = $1 and class_id = $2) as waiting,
           exists (select from health_questionnaires join emergency_contacts using (user_id) where user_id = $1) as complete
      from classes where id = $2`,
  passesForUpdate: `
    select id, user_id, package_id, purchase_id, credits_total, credits_remaining, expires_at, created_at, refunded_at,
           voided_at
      from passes where user_id = $1 order by expires_at, id for no key update`,
  addBooking: `
    insert into bookings (user_id, payer_id, class_id, pass_id, origin, status, payment_status, total_amount_pence, booked_at, announced_at)
    values ($1, $1, $2, $3, 'member', 'confirmed', 'paid', $4, $5, $5)
    returning id, user_id, class_id, pass_id, status, payment_status, participant_count, total_amount_pence, booked_at,
              cancelled_at, calendar_uid, calendar_sequence`,
  spendCredit: `
    insert into credit_ledger (pass_id, kind, credits, booking_id, caused_by, at)
    values ($1, 'booking', -1, $2, 'member', $3)`,
  queueMail: `
    insert into pgboss.job_common (name, data, expire_seconds, deletion_seconds, keep_until, retry_limit, retry_delay,
                                   retry_backoff, retry_delay_max, policy)
    select name, $1, expire_seconds, deletion_seconds, now() + retention_seconds * interval '1s', retry_limit, retry_delay,
           retry_backoff, retry_delay_max, policy
      from pgboss.queue where name = 'mail'`,
}
type Statement = keyof typeof statements

const AS_TEXT: number[] = [pg.types.builtins.DATE, pg.types.builtins.TIMESTAMPTZ]
/** Dates and instants stay text, which is cheapest. */
const types = {
  getTypeParser: ((id: number, format?: 'text') =>
    AS_TEXT.includes(id)
      ? (text: string) => text
      : pg.types.getTypeParser(id, format)) as typeof pg.types.getTypeParser,
}

/** Books a place with the bare statements. */
async function bookBare(pool: pg.Pool, member: Omit<SignedIn, 'cookie'>, classId: number): Promise<void> {
  const client = await pool.connect()
  const ask = async (name: Statement, values: unknown[]) =>
    (await client.query({ name, text: statements[name], values })).rows[0]
  try {
    await client.query('begin')
    const booked = await ask('classForUpdate', [classId])
    if (!booked?.is_active || booked.booked_count >= booked.max_participants) throw new Error('no place')
    const standing = await ask('readStanding', [member.id, classId])
    if (standing.taken || standing.waiting) throw new Error('already booked, or on the waiting list')
    const pass = await ask('passesForUpdate', [member.id])
    if (!pass || pass.credits_remaining === 0) throw new Error('no credit')
    if (!standing.complete) throw new Error('health missing')
    const now = new Date().toISOString()
    const booking = await ask('addBooking', [member.id, classId, pass.id, booked.pass_price_pence, now])
    await ask('spendCredit', [pass.id, booking.id, now])
    await ask('queueMail', [JSON.stringify(confirmation(member, booking, booked, now))])
    await client.query('commit')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

function confirmation(
  { email, firstName }: Omit<SignedIn, 'cookie'>,
  booking: pg.QueryResultRow,
  booked: pg.QueryResultRow,
  now: string,
) {
  const { title, date, start_time, end_time, instructor_name, starts_at, ends_at } = booked
  return {
    mail: 'booking-confirmed',
    data: {
      to: { email, firstName },
      class: {
        bookingId: booking.id,
        title,
        date,
        startTime: start_time.slice(0, 5),
        endTime: end_time.slice(0, 5),
        instructorName: instructor_name,
        startsAt: new Date(starts_at).toISOString().replace('.000Z', 'Z'),
        endsAt: new Date(ends_at).toISOString().replace('.000Z', 'Z'),
        calendar: { uid: booking.calendar_uid, sequence: booking.calendar_sequence, changedAt: now },
      },
      ifCancelled: 'credit_returned',
    },
  }
}

await drive<BareSetup, Bookings>(async ({ databaseUrl, members, atOnce }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS, types })
  return ({ classIds }) =>
    timedAtOnce([...classIds.entries()], atOnce, ([place, classId]) =>
      bookBare(pool, members[place] as SignedIn, classId),
    )
})
