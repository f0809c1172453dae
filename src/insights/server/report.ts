import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { type SQL, sql } from 'drizzle-orm'
import { takenPlaces } from '#booking/tables.ts'
import { keysOf } from '#foundation/collections.ts'
import { WEEKDAYS } from '#foundation/dates.ts'
import { endOfDay, today } from '#foundation/instants.ts'
import { toDecimal } from '#foundation/money.ts'
import { creditLedger, passes } from '#passes/tables.ts'
import { purchases } from '#payments/tables.ts'
import type { Reader } from '#platform/database/database.ts'
import { CSV } from '#platform/http/serve.ts'
import { studio } from '#studio.ts'
import { classes } from '#timetable/tables.ts'
import { VOUCHER_FIGURES } from '#vouchers/rules.ts'
import { voucherSums } from '#vouchers/server/vouchers.ts'
import { METHODS, type Report, type Slot } from '../contract.ts'
import { netPence } from './queries.ts'

/** Dates in London, inclusive. */
type Period = { from: string; to: string }

/** The figures of a period. docs/studio-rules.md#reports defines each. */
export async function reportOf(reader: Reader, period: Period, now: Temporal.Instant): Promise<Report> {
  const [revenue, byMethod, busy, fill, byTeacher, outstanding, paused, breakage, vouchers] = await Promise.all([
    revenueByMonth(reader, period),
    revenueByMethod(reader, period),
    busyHours(reader, period),
    fillRate(reader, period, now),
    taughtBy(reader, period, now),
    creditsOutstanding(reader, now),
    passesOnPause(reader, now),
    creditsExpired(reader, period, now),
    vouchersIn(reader, period, now),
  ])
  return { revenue, byMethod, busy, fill, byTeacher, outstanding, paused, breakage, vouchers }
}

/** The instants at which the period and the day after it start. */
function spanOf({ from, to }: Period) {
  const starts = endOfDay(Temporal.PlainDate.from(from).subtract({ days: 1 })).add({ seconds: 1 })
  const ends = endOfDay(Temporal.PlainDate.from(to)).add({ seconds: 1 })
  return { starts: starts.toString(), ends: ends.toString() }
}

/** Every month of the period, also without purchases. Each reads its own range, as converting every time is slow. */
async function revenueByMonth(reader: Reader, period: Period): Promise<Report['revenue']> {
  const { starts, ends } = spanOf(period)
  const { rows } = await reader.execute<{ month: string; pence: number; purchases: number }>(sql`
    select to_char(month, 'YYYY-MM') as month, pence, purchases
      from generate_series(date_trunc('month', ${period.from}::timestamp), ${period.to}::timestamp, '1 month') as month,
           lateral (
             select coalesce(sum(${netPence}), 0)::float8 as pence,
                    (count(*) filter (where ${purchases.voidedAt} is null))::int as purchases
               from ${purchases}
              where ${purchases.purchasedAt} >= greatest(${starts}::timestamptz, month at time zone ${studio.timeZone})
                and ${purchases.purchasedAt} < least(${ends}::timestamptz, (month + interval '1 month') at time zone ${studio.timeZone})
           ) as sold
     order by month`)
  return rows.map(({ month, pence, purchases: count }) => ({ month, revenue: toDecimal(pence), purchases: count }))
}

async function revenueByMethod(reader: Reader, period: Period): Promise<Report['byMethod']> {
  const { starts, ends } = spanOf(period)
  type Line = { method: Report['byMethod'][number]['method']; pence: number; purchases: number }
  const { rows } = await reader.execute<Line>(sql`
    select coalesce(${purchases.deskMethod}, 'online') as method, sum(${netPence})::float8 as pence,
           count(*)::int as purchases
      from ${purchases}
     where ${purchases.purchasedAt} >= ${starts}::timestamptz and ${purchases.purchasedAt} < ${ends}::timestamptz
       and ${purchases.voidedAt} is null
     group by 1 order by 2 desc, 1`)
  return rows.map(({ method, pence, purchases: count }) => ({ method, revenue: toDecimal(pence), purchases: count }))
}

/** Classes with bookings, and active classes that could have had some. */
const takesPlace = sql`((${classes.isActive} and ${classes.deletedAt} is null) or ${classes.bookedCount} > 0)`
const within = ({ from, to }: Period) => sql`${classes.date} between ${from}::date and ${to}::date`

async function busyHours(reader: Reader, period: Period): Promise<Report['busy']> {
  const { rows } = await reader.execute<Report['busy'][number]>(sql`
    select extract(isodow from ${classes.date})::int as weekday, extract(hour from ${classes.startTime})::int as hour,
           sum(${classes.bookedCount})::int as bookings
      from ${classes}
     where ${within(period)} and ${classes.bookedCount} > 0
     group by 1, 2 order by 1, 2`)
  return rows
}

async function fillRate(reader: Reader, period: Period, now: Temporal.Instant): Promise<Report['fill']> {
  const { rows } = await reader.execute<Report['fill']>(sql`
    select coalesce(sum(${classes.maxParticipants}), 0)::int as places,
           coalesce(sum(${classes.bookedCount}), 0)::int as taken
      from ${classes}
     where ${within(period)} and ${takesPlace} and ${classes.startsAt} <= ${now.toString()}::timestamptz`)
  return rows[0] ?? { places: 0, taken: 0 }
}

/** What each teacher has taught; classes that the studio cancelled are left out. */
async function taughtBy(reader: Reader, period: Period, now: Temporal.Instant): Promise<Report['byTeacher']> {
  const noShows = sql`(select count(*) from ${takenPlaces}
    where ${takenPlaces.classId} = ${classes.id} and ${takenPlaces.status} = 'no_show')`
  const { rows } = await reader.execute<Report['byTeacher'][number]>(sql`
    with held as (
      select ${classes.instructorName} as teacher, ${classes.plannedInstructorName} as planned,
             ${classes.maxParticipants} as places, ${classes.bookedCount} as booked, ${noShows} as no_show
        from ${classes}
       where ${within(period)} and ${takesPlace} and ${classes.startsAt} <= ${now.toString()}::timestamptz
    )
    select teacher, count(*)::int as classes, count(planned)::int as "takenOver", sum(places)::int as places,
           sum(booked)::int as booked, sum(booked - no_show)::int as came, sum(no_show)::int as "noShow"
      from held group by 1 order by 2 desc, 1`)
  return rows
}

/** How full the classes of each weekday and start time were; classes that the studio cancelled are left out. */
export async function slotsOf(reader: Reader, period: Period, now: Temporal.Instant): Promise<Slot[]> {
  const { rows } = await reader.execute<Omit<Slot, 'fillPercent'>>(sql`
    with held as (
      select ${classes.id} as id, extract(isodow from ${classes.date})::int as weekday,
             to_char(${classes.startTime}, 'HH24:MI') as start_time, ${classes.maxParticipants} as places,
             ${classes.bookedCount} as booked
        from ${classes}
       where ${within(period)} and ${takesPlace} and ${classes.startsAt} <= ${now.toString()}::timestamptz
    ), ended as (
      select ${takenPlaces.classId} as class_id,
             count(*) filter (where ${takenPlaces.status} = 'no_show') as no_show,
             count(*) filter (where ${takenPlaces.status} = 'cancelled' and ${takenPlaces.paymentStatus} <> 'forfeited') as cancelled,
             count(*) filter (where ${takenPlaces.status} = 'cancelled' and ${takenPlaces.paymentStatus} = 'forfeited') as late
        from ${takenPlaces}
       where ${takenPlaces.classId} in (select id from held) and ${takenPlaces.status} in ('no_show', 'cancelled') group by 1
    )
    select weekday, start_time as "startTime", count(*)::int as classes, sum(places)::int as places,
           sum(booked)::int as booked, (sum(booked) - coalesce(sum(no_show), 0))::int as came,
           coalesce(sum(no_show), 0)::int as "noShow", coalesce(sum(cancelled), 0)::int as cancelled,
           coalesce(sum(late), 0)::int as "cancelledLate"
      from held left join ended on ended.class_id = held.id
     group by 1, 2 order by 1, 2`)
  return rows.map((slot) => ({ ...slot, fillPercent: slot.places && Math.round((slot.booked / slot.places) * 100) }))
}

const SLOT_COLUMNS = {
  weekday: 'Weekday',
  startTime: 'Start',
  classes: 'Classes',
  places: 'Places offered',
  booked: 'Booked',
  came: 'Came',
  noShow: 'No-show',
  cancelled: 'Cancelled in time',
  cancelledLate: 'Cancelled late',
  fillPercent: 'Fill (%)',
}

export function slotsFile(slots: Slot[], { from, to }: Period) {
  const rows = slots.map((slot) => ({ ...slot, weekday: WEEKDAYS[slot.weekday - 1] }))
  const content = Readable.from([stringify(rows, { ...CSV, header: true, columns: SLOT_COLUMNS })])
  return { name: `fill-rate-${from}-to-${to}.csv`, content }
}

/** What credits of a pass of `total` credits cost, in pence; 0 for a gift. */
const costOf = (credits: SQL, total: SQL) =>
  sql`coalesce(round(${purchases.amountPence}::numeric * ${credits} / ${total}), 0)`

type Sum = { credits: number; pence: number }
const toCredits = (sum: Sum | undefined) => ({ credits: sum?.credits ?? 0, value: toDecimal(sum?.pence ?? 0) })

/** Credits that can still be used, now. */
async function creditsOutstanding(reader: Reader, now: Temporal.Instant): Promise<Report['outstanding']> {
  const { rows } = await reader.execute<Sum>(sql`
    select coalesce(sum(${passes.creditsRemaining}), 0)::int as credits,
           coalesce(sum(${costOf(sql`${passes.creditsRemaining}`, sql`${passes.creditsTotal}`)}), 0)::float8 as pence
      from ${passes} left join ${purchases} on ${purchases.id} = ${passes.purchaseId}
     where ${passes.creditsRemaining} > 0 and ${passes.expiresAt} >= ${now.toString()}::timestamptz`)
  return toCredits(rows[0])
}

/** Passes with credits that are paused today. */
async function passesOnPause(reader: Reader, now: Temporal.Instant): Promise<number> {
  const { rows } = await reader.execute<{ passes: number }>(sql`
    select count(*)::int as passes from ${passes}
     where ${passes.creditsRemaining} > 0 and ${passes.paused} @> ${today(now)}::date`)
  return rows[0]?.passes ?? 0
}

/** Unused credits of passes that expired in the period, whether or not the nightly job has written them off. */
async function creditsExpired(reader: Reader, period: Period, now: Temporal.Instant): Promise<Report['breakage']> {
  const { starts, ends } = spanOf(period)
  const at = sql`${now.toString()}::timestamptz`
  const { rows } = await reader.execute<Sum>(sql`
    with written_off as (
      select ${creditLedger.passId} as pass_id, -sum(${creditLedger.credits}) as credits
        from ${creditLedger} where ${creditLedger.kind} in ('expiry', 'extension') group by 1
    ), expired as (
      select ${passes.purchaseId} as purchase_id, ${passes.creditsTotal} as credits_total,
             coalesce(written_off.credits, 0) + ${passes.creditsRemaining} as unused
        from ${passes} left join written_off on written_off.pass_id = ${passes.id}
       where ${passes.expiresAt} >= ${starts}::timestamptz and ${passes.expiresAt} < least(${ends}::timestamptz, ${at})
    )
    select coalesce(sum(unused), 0)::int as credits,
           coalesce(sum(${costOf(sql`unused`, sql`credits_total`)}), 0)::float8 as pence
      from expired left join ${purchases} on ${purchases.id} = purchase_id
     where unused > 0`)
  return toCredits(rows[0])
}

async function vouchersIn(reader: Reader, period: Period, now: Temporal.Instant): Promise<Report['vouchers']> {
  const { starts, ends } = spanOf(period)
  const span = { from: Temporal.Instant.from(starts), until: Temporal.Instant.from(ends) }
  const sums = await voucherSums(reader, span, now)
  return keysOf(VOUCHER_FIGURES).map((figure) => {
    const { count, pence } = sums[figure]
    return { figure, count, amount: toDecimal(pence) }
  })
}

/** A report as a CSV file, one figure per line. */
export function reportFile(report: Report, { from, to }: Period) {
  const period = `${from} to ${to}`
  const rows = [
    ...report.revenue.flatMap(({ month, revenue, purchases }) => [
      ['Revenue (£)', month, revenue],
      ['Purchases', month, purchases],
    ]),
    ...report.byMethod.flatMap(({ method, revenue, purchases }) => [
      [`Revenue (£), ${METHODS[method]}`, period, revenue],
      [`Purchases, ${METHODS[method]}`, period, purchases],
    ]),
    ...report.busy.map(({ weekday, hour, bookings }) => [
      'Bookings',
      `${WEEKDAYS[weekday - 1]} ${String(hour).padStart(2, '0')}:00`,
      bookings,
    ]),
    ['Places offered', period, report.fill.places],
    ['Places taken', period, report.fill.taken],
    ...report.byTeacher.flatMap((row) => [
      [`Classes, ${row.teacher}`, period, row.classes],
      [`Classes taken over, ${row.teacher}`, period, row.takenOver],
      [`Places offered, ${row.teacher}`, period, row.places],
      [`Places taken, ${row.teacher}`, period, row.booked],
      [`Came, ${row.teacher}`, period, row.came],
      [`No-show, ${row.teacher}`, period, row.noShow],
    ]),
    ['Credits outstanding', 'now', report.outstanding.credits],
    ['Credits outstanding (£)', 'now', report.outstanding.value],
    ['Passes on pause', 'now', report.paused],
    ['Credits expired unused', period, report.breakage.credits],
    ['Credits expired unused (£)', period, report.breakage.value],
    ...report.vouchers.flatMap(({ figure, count, amount }) => [
      [`Gift vouchers ${VOUCHER_FIGURES[figure].toLowerCase()}`, period, count],
      [`Gift vouchers ${VOUCHER_FIGURES[figure].toLowerCase()} (£)`, period, amount],
    ]),
  ]
  const content = Readable.from([stringify(rows, { ...CSV, header: true, columns: ['Figure', 'When', 'Value'] })])
  return { name: `figures-${from}-to-${to}.csv`, content }
}
