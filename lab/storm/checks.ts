import { readdir } from 'node:fs/promises'
import type pg from 'pg'
import { brokenInvariants, sample } from '#testing/invariants.ts'
import type { Witness } from './witness.ts'

/** Card purchases that the sandbox did not collect. */
const UNPAID = `
  select u.id from purchases u left join sandbox.objects s on s.id = u.payment_intent_id
   where u.desk_method is null
     and (s.object ->> 'status' is distinct from 'succeeded' or (s.object ->> 'amount_received')::int <> u.amount_pence)`

/** Collected payments that are neither a pass nor refunded yet, and cancellations that are not final yet. */
export const UNSETTLED = `
  select s.id from sandbox.objects s left join payment_intents i on i.id = s.id
   where s.kind = 'payment_intent' and s.object ->> 'status' = 'succeeded' and (i.id is null or i.state not in ('purchased', 'refunded'))
  union all select 'cancelled booking ' || booking_id from undoable_cancellations`

/** Violations in one snapshot of the database. */
export async function violationsIn(client: pg.Client, witness: Witness, mailboxDir: string): Promise<string[]> {
  await client.query('begin isolation level repeatable read read only')
  try {
    const found = await brokenInvariants(client)
    const { rows: unpaid } = await client.query(UNPAID)
    if (unpaid.length > 0) found.push(`a purchase that the provider did not collect: ${sample(unpaid)}`)
    found.push(...(await lostBookings(client, witness.bookings)))
    found.push(...(await lostPurchases(client, witness)))
    found.push(...(await lostMails(client, witness, mailboxDir)))
    return found
  } finally {
    await client.query('rollback')
  }
}

/** Acknowledged bookings and cancellations that the database does not have. */
export async function lostBookings(client: pg.Client, bookings: Witness['bookings']): Promise<string[]> {
  const { rows } = await client.query(
    'select id, user_id, class_id, status, payment_status from bookings where id = any($1)',
    [[...bookings.keys()]],
  )
  const kept = new Map(rows.map((row) => [row.id, row]))
  const isRight = (id: number, { userId, classId, state }: { userId: string; classId: number; state: string }) => {
    const row = kept.get(id)
    if (row?.user_id !== userId || row.class_id !== classId) return false
    const isBooked = row.status === 'confirmed' && row.payment_status === 'paid'
    const isCancelled = row.status === 'cancelled' && row.payment_status === 'refunded'
    if (state === 'booked') return isBooked
    if (state === 'cancelled') return isCancelled
    return isBooked || isCancelled
  }
  const lost = [...bookings].filter(([id, acknowledged]) => !isRight(id, acknowledged))
  return lost.length > 0 ? [`acknowledged bookings or cancellations that were lost: ${sample(lost)}`] : []
}

async function lostPurchases(client: pg.Client, { purchases, paid, givenBack }: Witness): Promise<string[]> {
  const { rows } = await client.query(
    `select s.id, s.object ->> 'status' as status, i.state, p.id as pass_id, p.user_id
       from sandbox.objects s left join payment_intents i on i.id = s.id
       left join purchases u on u.payment_intent_id = s.id left join passes p on p.purchase_id = u.id
      where s.id = any($1)`,
    [[...paid]],
  )
  const kept = new Map(rows.map((row) => [row.id, row]))
  const lost = [...purchases].filter(([id, { userId, passId }]) => {
    const row = kept.get(id)
    return row?.pass_id !== passId || row.user_id !== userId
  })
  const unpaid = [...paid].filter((id) => kept.get(id)?.status !== 'succeeded')
  const unreturned = [...givenBack].filter((id) => kept.get(id)?.state !== 'refunded')
  return [
    ...(lost.length > 0 ? [`acknowledged purchases that were lost: ${sample(lost)}`] : []),
    ...(unpaid.length > 0 ? [`confirmed payments that the sandbox lost: ${sample(unpaid)}`] : []),
    ...(unreturned.length > 0 ? [`payments that were not refunded as acknowledged: ${sample(unreturned)}`] : []),
  ]
}

/**
 * Each acknowledged booking, cancellation and purchase needs an email, queued or in the mailbox. A cancellation's is
 * queued once it can no longer be undone.
 */
async function lostMails(client: pg.Client, witness: Witness, mailboxDir: string): Promise<string[]> {
  const { rows } = await client.query(
    `select id, data ->> 'mail' as mail, state::text,
            coalesce(data #>> '{data,class,bookingId}', data #>> '{data,purchaseId}')::int as about
       from pgboss.job_common where name = 'mail' and data ->> 'mail' in ('booking-confirmed', 'booking-cancelled', 'receipt')
     union all
     select null, 'booking-cancelled', 'undoable', booking_id from undoable_cancellations`,
  )
  // Read after the queue, so that a delivered email is certainly here.
  const kept = new Set(await readdir(mailboxDir).catch(() => []))
  const safe = new Set<string>()
  for (const { id, mail, state, about } of rows) {
    if (state !== 'completed' || kept.has(`${id}.json`)) safe.add(`${mail} ${about}`)
  }
  const { rows: purchases } = await client.query('select id from purchases where payment_intent_id = any($1)', [
    [...witness.purchases.keys()],
  ])
  const wanted = [
    ...[...witness.bookings].flatMap(([id, { state }]) => [
      `booking-confirmed ${id}`,
      ...(state === 'cancelled' ? [`booking-cancelled ${id}`] : []),
    ]),
    ...purchases.map(({ id }) => `receipt ${id}`),
  ]
  const lost = wanted.filter((mail) => !safe.has(mail))
  return lost.length > 0 ? [`emails neither queued nor in the mailbox: ${sample(lost)}`] : []
}
