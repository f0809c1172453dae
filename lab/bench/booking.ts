import type { BareSetup, Bookings } from '../drivers/book-bare.ts'
import { type Bench, compareWithBefore, type FilledSite, openSite } from '../lib/bench.ts'
import { startDriver } from '../lib/driver.ts'
import { addClasses, addMembers, type SignedIn } from '../lib/fill.ts'
import { runSql } from '../lib/own-postgres.ts'
import { alternate, median, THOROUGH } from '../lib/rounds.ts'
import { bookingsOf, startSender } from '../lib/sender.ts'
import { type Cost, costOf } from '../lib/table.ts'

/** Lowest rate compared with the bare transaction. */
const MIN_RATE_TO_BARE = 0.5
const AT_ONCE = 32
/** Bookings per round, each by another member in another class. */
const PER_ROUND = 150
const MAX_ROUNDS = THOROUGH.warmUp.atMost + THOROUGH.rounds.atMost
/** Emails delivered per round. */
const MAILS = 25

type Filled = { members: SignedIn[]; classIds: number[] }

/**
 * Compares bookings over HTTP with the same reads and writes through `pg`, on one database. Emails are held back and
 * measured separately.
 */
export async function measureBooking(bench: Bench): Promise<Cost[]> {
  await using here = await openSite(bench, { name: 'booking', fillWith })
  await using http = await overHttp(here)
  const { members } = here.filled
  const setup = { databaseUrl: here.databaseUrl, members, atOnce: AT_ONCE }
  await using bare = await startDriver<BareSetup, Bookings>('book-bare', setup)
  bench.print(`Booking, over HTTP and through pg, ${AT_ONCE} at once.`)
  const times: number[] = []
  const book = async () => {
    times.push((await http.book()) / PER_ROUND)
    return (times.at(-1) ?? 0) * PER_ROUND
  }
  const comparison = await alternate(THOROUGH, () => bare.run({ classIds: freshClasses(here) }), book)
  await checkBookings(here)
  bench.print('Delivering the emails of those bookings.')
  await here.deliver(MAILS)
  const mailMs = (await here.deliver(2 * MAILS)) / (2 * MAILS)
  const costs = [
    costOf('bookings a second over HTTP, compared with the bare transaction', comparison, {
      atLeast: MIN_RATE_TO_BARE,
    }),
    {
      what: 'the email of a booking, delivered later',
      cost: `${(mailMs / median(times)).toFixed(2)} × the booking (${mailMs.toFixed(1)} ms and ${median(times).toFixed(1)} ms)`,
      limit: 'none',
      isKept: true,
    },
  ]
  return bench.against ? [...costs, ...(await measureAgainst(bench, here, http))] : costs
}

async function measureAgainst(bench: Bench, here: FilledSite<Filled>, http: { book(): Promise<number> }) {
  await using before = await openSite(bench, { name: 'booking_before', checkout: bench.against, fillWith })
  await using httpBefore = await overHttp(before)
  bench.print('Booking, here and before.')
  const booking = await compareWithBefore('booking', http.book, httpBefore.book)
  await checkBookings(before)
  bench.print('Delivering emails, here and before.')
  const deliver = (site: FilledSite<Filled>) => () => site.deliver(MAILS)
  return [booking, await compareWithBefore('delivering an email', deliver(here), deliver(before))]
}

async function fillWith(...[client, secrets]: Parameters<Parameters<typeof openSite<Filled>>[1]['fillWith']>) {
  const members = await addMembers(client, PER_ROUND, secrets)
  // Enough for three comparisons.
  return { members, classIds: await addClasses(client, { days: 9 * MAX_ROUNDS, aDay: PER_ROUND / 3 }) }
}

async function overHttp(site: FilledSite<Filled>) {
  const sender = await startSender()
  const book = async () => {
    const requests = bookingsOf(site.filled.members, freshClasses(site))
    return (await sender.run({ origins: [site.origin], requests, atOnce: AT_ONCE, statuses: [201] })).ms
  }
  return { book, [Symbol.asyncDispose]: sender[Symbol.asyncDispose] }
}

function freshClasses({ filled }: FilledSite<Filled>): number[] {
  if (filled.classIds.length < PER_ROUND) throw new Error('there are no more classes to book')
  return filled.classIds.splice(0, PER_ROUND)
}

/** Throws unless every acknowledged booking has its ledger line and its email. */
async function checkBookings({ databaseUrl, filled }: FilledSite<Filled>): Promise<void> {
  const { rows } = await runSql(
    databaseUrl,
    `select (select count(*) from classes)::int as classes, (select count(*) from bookings)::int as bookings,
            (select count(*) from credit_ledger where kind = 'booking')::int as paid,
            (select sum(booked_count) from classes)::int as places,
            (select count(*) from pgboss.job_common where name = 'mail')::int as mails`,
  )
  const { classes, bookings, paid, places, mails } = rows[0]
  const wanted = classes - filled.classIds.length
  if ([bookings, paid, places, mails].some((count) => count !== wanted)) {
    throw new Error(`${wanted} bookings were acknowledged, the database holds ${JSON.stringify(rows[0])}`)
  }
}
