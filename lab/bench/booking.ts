import type { BareSetup } from '../drivers/book-bare.ts'
import type { Bookings, HttpSetup } from '../drivers/book-over-http.ts'
import { type Bench, besideBefore, type FilledSite, openSite } from '../lib/bench.ts'
import { startDriver } from '../lib/driver.ts'
import { addClasses, addMembers, type SignedIn } from '../lib/fill.ts'
import { runSql } from '../lib/own-postgres.ts'
import { alternate, median, THOROUGH } from '../lib/rounds.ts'
import { type Cost, costOf } from '../lib/table.ts'

/** Of the bare transaction's rate, the least. */
const RATE_BESIDE_BARE = 0.75
const AT_ONCE = 32
/** Of bookings in a round and side: each by another member, in another class. */
const A_ROUND = 150
const MOST_ROUNDS = THOROUGH.warmUp.atMost + THOROUGH.rounds.atMost
/** Mails that one round lets a site deliver. */
const MAILS = 25

type Filled = { members: SignedIn[]; classIds: number[] }

/**
 * Bookings over HTTP, session look-up included, beside the same reads and writes driven straight through `pg`, on one
 * database; no mail leaves meanwhile. What the mails cost that the bookings cause is told in a row of its own.
 */
export async function measureBooking(bench: Bench): Promise<Cost[]> {
  await using here = await openSite(bench, { name: 'booking', fillWith })
  await using http = await overHttp(here)
  const { members } = here.filled
  const setup = { databaseUrl: here.databaseUrl, members, atOnce: AT_ONCE }
  await using bare = await startDriver<BareSetup, Bookings>('book-bare', setup)
  bench.say(`Booking, over HTTP and through pg, ${AT_ONCE} at once.`)
  const times: number[] = []
  const book = async () => {
    times.push((await http.book()) / A_ROUND)
    return (times.at(-1) ?? 0) * A_ROUND
  }
  const comparison = await alternate(THOROUGH, () => bare.run({ classIds: freshClasses(here) }), book)
  await everyBookingIsWhole(here)
  bench.say('Delivering the mails of those bookings.')
  await here.deliver(MAILS)
  const mailMs = (await here.deliver(2 * MAILS)) / (2 * MAILS)
  const costs = [
    costOf('bookings a second over HTTP, beside the bare transaction', comparison, { atLeast: RATE_BESIDE_BARE }),
    {
      what: 'the mail that a booking causes, made and delivered later',
      cost: `${(mailMs / median(times)).toFixed(2)} × the booking (${mailMs.toFixed(1)} ms beside ${median(times).toFixed(1)} ms)`,
      limit: 'none',
      isKept: true,
    },
  ]
  return bench.against ? [...costs, ...(await measureAgainst(bench, here, http))] : costs
}

async function measureAgainst(bench: Bench, here: FilledSite<Filled>, http: { book(): Promise<number> }) {
  await using before = await openSite(bench, { name: 'booking_before', checkout: bench.against, fillWith })
  await using httpBefore = await overHttp(before)
  bench.say('Booking, here and before.')
  const booking = await besideBefore('booking', http.book, httpBefore.book)
  await everyBookingIsWhole(before)
  bench.say('Delivering mail, here and before.')
  const deliver = (site: FilledSite<Filled>) => () => site.deliver(MAILS)
  return [booking, await besideBefore('delivering a mail', deliver(here), deliver(before))]
}

async function fillWith(...[client, secrets]: Parameters<Parameters<typeof openSite<Filled>>[1]['fillWith']>) {
  const members = await addMembers(client, A_ROUND, secrets)
  // For both sides of a comparison, and once more for the one with a site from before.
  return { members, classIds: await addClasses(client, { days: 9 * MOST_ROUNDS, aDay: A_ROUND / 3 }) }
}

async function overHttp(site: FilledSite<Filled>) {
  const { members } = site.filled
  const setup = { origin: site.origin, members, atOnce: AT_ONCE }
  const driver = await startDriver<HttpSetup, Bookings>('book-over-http', setup)
  return {
    book: () => driver.run({ classIds: freshClasses(site) }),
    [Symbol.asyncDispose]: driver[Symbol.asyncDispose],
  }
}

function freshClasses({ filled }: FilledSite<Filled>): number[] {
  if (filled.classIds.length < A_ROUND) throw new Error('there are no more classes to book')
  return filled.classIds.splice(0, A_ROUND)
}

/** Speed counts only for work that was done: a booking, a ledger line and a mail each, from either side. */
async function everyBookingIsWhole({ databaseUrl, filled }: FilledSite<Filled>): Promise<void> {
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
