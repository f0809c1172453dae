import type pg from 'pg'

/** Invariants of any studio's database, each as a query for what violates it. */
const INVARIANTS: Record<string, string> = {
  'a booking without exactly one payment line, or whose returns do not match its status': `
    select b.id from bookings b left join credit_ledger l on l.booking_id = b.id and l.reinstatements = b.reinstatements
     where b.pass_id is not null
     group by b.id having count(*) filter (where l.kind = 'booking') <> 1
         or count(*) filter (where l.kind in ('return', 'goodwill')) <> (b.payment_status = 'refunded')::int
         or count(*) filter (where l.pass_id <> b.pass_id) > 0`,
  'a class that counts other places than it sold, or sold more than it has': `
    select c.id from classes c left join bookings b on b.class_id = c.id and b.status <> 'cancelled'
     group by c.id having count(b.id) <> c.booked_count or count(b.id) > c.max_participants`,
  'a held place without an open invitation, or beside no live booking of its member': `
    select h.id from bookings h left join invitations i on i.id = h.invitation_id
      left join bookings own on own.id = h.brought_by left join undoable_cancellations u on u.booking_id = own.id
     where h.status = 'held' and (i.id is null or i.answer is not null or h.payer_id is null
       or own.user_id is distinct from h.payer_id or (own.status = 'cancelled' and u.booking_id is null))`,
  'a companion in another class than the booking that brings them, unless that one has ended': `
    select b.id from bookings b join bookings own on own.id = b.brought_by
     where b.class_id <> own.class_id and own.status <> 'cancelled'`,
  'a place of nobody': `select id from bookings where user_id is null and payer_id is null`,
  'a credit that came back to a pass that cannot use it': `
    select b.id from bookings b join passes p on p.id = b.pass_id join credit_ledger l on l.booking_id = b.id
     where l.kind in ('return', 'goodwill') and l.reinstatements = b.reinstatements
       and least(p.expires_at, p.voided_at, p.refunded_at) < l.at`,
  'a booking whose holder was not told, although it was not made at night or starts within 12 hours': `
    select b.id from bookings b join classes c on c.id = b.class_id
     where b.status = 'confirmed' and b.announced_at is null
       and (b.origin <> 'regular' or c.starts_at < b.booked_at + interval '12 hours')`,
  'a place, or an entry of a waiting list, by the regular booking of another member': `
    select r.id from regular_bookings r
      left join bookings b on b.regular_booking_id = r.id left join waiting_list w on w.regular_booking_id = r.id
     where b.payer_id <> r.user_id or w.user_id <> r.user_id`,
  'a pass whose credits are not the sum of its ledger': `
    select p.id from passes p left join credit_ledger l on l.pass_id = p.id
     group by p.id having coalesce(sum(l.credits), 0) <> p.credits_remaining or p.credits_remaining < 0`,
  'a ledger line that does not say who, for what or why': `
    select l.id from credit_ledger l join passes p on p.id = l.pass_id
     where l.caused_by is null or case
       when l.kind = 'purchase' then p.purchase_id is null or l.credits <> p.credits_total
       when l.kind in ('booking', 'return', 'forfeit', 'no_show', 'goodwill') then l.class_title is null
       when l.kind in ('refund', 'correction') then l.reason is null else false end`,
  'a cancelled booking without exactly one line of its outcome, or a no-show without its line': `
    select b.id from bookings b left join credit_ledger l on l.booking_id = b.id and l.reinstatements = b.reinstatements
     where b.pass_id is not null
     group by b.id having count(*) filter (where l.kind in ('return', 'forfeit')) <> (b.status = 'cancelled')::int
         or count(*) filter (where l.kind = 'no_show') - count(*) filter (where l.kind = 'correction')
            <> (b.status = 'no_show')::int`,
  'a cancellation that was undone without exactly one line that paid it before and one of its outcome': `
    select b.id from bookings b cross join generate_series(0, b.reinstatements - 1) as before
      left join credit_ledger l on l.booking_id = b.id and l.reinstatements = before
     where b.pass_id is not null
     group by b.id, before having count(*) filter (where l.kind = 'booking') <> 1
         or count(*) filter (where l.kind in ('return', 'forfeit')) <> 1`,
  'a saved cancellation of a booking that is not cancelled, or was cancelled another time': `
    select u.booking_id from undoable_cancellations u join bookings b on b.id = u.booking_id
     where b.status <> 'cancelled' or b.cancelled_at <> u.cancelled_at`,
  'a member with two places in one class': `
    select user_id, class_id from taken_places where status <> 'cancelled' group by 1, 2 having count(*) > 1`,
  'a member who is booked into a class and waits for it': `
    select w.user_id, w.class_id from waiting_list w join bookings b using (user_id, class_id)
     where b.status <> 'cancelled'`,
  'a member waiting for a class that is off the timetable': `
    select w.user_id, w.class_id from waiting_list w join classes c on c.id = w.class_id
     where not c.is_active or c.deleted_at is not null`,
  'a booking of a class that is off the timetable and not over': `
    select b.id from bookings b join classes c on c.id = b.class_id
     where b.status in ('held', 'confirmed') and b.booked_at < c.updated_at and not c.is_active and c.ends_at > c.updated_at`,
  'a purchase without exactly one pass, or one whose payment does not match': `
    select i.id from payment_intents i left join purchases u on u.payment_intent_id = i.id
      left join passes p on p.purchase_id = u.id
     where not exists (select from vouchers v where v.purchase_id = u.id)
     group by i.id having count(p.id) <> (i.state = 'purchased')::int or count(u.id) <> (i.state = 'purchased')::int`,
  'an order with two open payments': `
    select array_agg(i.id) from payment_intents i left join vouchers v on v.payment_intent_id = i.id
     where i.state = 'open'
     group by i.user_id, i.package_id, i.amount_pence, i.promotion_code_id, v.recipient_name, lower(v.recipient_email)
    having count(*) > 1`,
  'a purchase whose refunds are counted otherwise, or are more than was paid, by hand or otherwise': `
    select u.id from purchases u left join refunds r on r.purchase_id = u.id and r.status <> 'failed'
     group by u.id having coalesce(sum(r.amount_pence), 0) <> u.refunded_pence
         or sum(r.amount_pence) filter (where r.method is null) > u.amount_pence
         or sum(r.amount_pence) filter (where r.method is not null) > u.amount_pence`,
  'a sale at the desk without exactly one pass, or a voided one with credits left': `
    select u.id from purchases u left join passes p on p.purchase_id = u.id
     where u.payment_intent_id is null and u.user_id is not null
       and not exists (select from vouchers v where v.purchase_id = u.id)
     group by u.id having count(p.id) <> 1 or (u.voided_at is not null and coalesce(sum(p.credits_remaining), 0) <> 0)`,
  'a pass that a dispute does not freeze, or that is frozen without one': `
    select p.id from passes p left join disputes d on d.purchase_id = p.purchase_id and d.status = 'open'
     where p.refunded_at is null group by p.id having (count(d.id) > 0) <> (p.frozen_at is not null)`,
  'a class that offers more places than it holds': `
    select c.id from classes c join waiting_list w on w.class_id = c.id and w.turn = 'offered'
     group by c.id having count(*) > c.reserved_places`,
  'an upcoming booking that a paused pass pays for, unless the studio moved the class': `
    select b.id from bookings b join classes c on c.id = b.class_id join passes p on p.id = b.pass_id
     where b.status = 'confirmed' and b.moved_at is null and p.paused @> c.date
       and c.starts_at > (select max(at) from credit_ledger where pass_id = p.id and kind = 'pause')`,
  'a code that counts other uses than it has': `
    select c.id from promotion_codes c left join promotion_uses u on u.code_id = c.id
     group by c.id having count(u.id) <> c.uses or count(u.id) > c.max_uses`,
  'a use of a code that is over, or whose purchase has other lines': `
    select u.id from promotion_uses u left join payment_intents i on i.id = u.payment_intent_id
      left join purchases p on p.id = u.purchase_id
     where (u.purchase_id is null and i.state not in ('open', 'processing'))
        or (u.purchase_id is not null and p.lines = '[]')`,
  'a redeemed voucher without its pass, or one whose money went back and that is not void': `
    select v.id from vouchers v left join purchases u on u.id = v.purchase_id left join passes p on p.id = v.pass_id
     where (v.redeemed_by is not null and p.id is null)
        or (v.redeemed_at is null and v.voided_at is null and u.amount_pence > 0 and u.refunded_pence = u.amount_pence)`,
  'a refunded pass that holds credits': `select id from passes where refunded_at is not null and credits_remaining > 0`,
  'a voided pass that holds credits': `select id from passes where voided_at is not null and credits_remaining > 0`,
  'a mail that was given up': `select id from pgboss.job where name = 'mail' and state in ('failed', 'cancelled')`,
}

/** The violated invariants, a sentence each. */
export async function brokenInvariants(client: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const questions = Object.entries(INVARIANTS).map(
    ([what, question]) => `select '${what}' as what, (select json_agg(found) from (${question}) as found) as rows`,
  )
  const { rows } = await client.query<{ what: string; rows: unknown[] | null }>(questions.join(' union all '))
  return rows.flatMap(({ what, rows: found }) => (found ? [`${what}: ${sample(found)}`] : []))
}

/** The count, and the first three items. */
export function sample(items: readonly unknown[]): string {
  const shown = items.slice(0, 3).map((item) => JSON.stringify(item))
  return `${items.length} (${shown.join(', ')}${items.length > 3 ? ', …' : ''})`
}
