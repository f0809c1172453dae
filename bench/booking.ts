import type { BareSetup } from './drivers/book-bare.ts'
import type { Bookings, HttpSetup } from './drivers/book-over-http.ts'
import { startDriver } from './lib/driver.ts'
import { addClasses, addMembers, fill, type SignedIn } from './lib/fill.ts'
import { newSecrets, startLiveSite } from './lib/live-site.ts'
import { type OwnPostgres, runSql } from './lib/own-postgres.ts'
import { alternate, type Comparison } from './lib/rounds.ts'

const AT_ONCE = 32
/** Many and short: a busy second of the machine then spoils one round, not a third of them. */
const ROUNDS = 31
/** Of bookings in a round and side: each by another member, in another class. */
const A_ROUND = 500
/** Rounds before the first that counts: until then the engine compiles and caches fill. */
const WARM_UP = 8
const A_DAY = 100

/**
 * Bookings over HTTP, session look-up included, beside the same reads and writes driven straight through `pg`, on one
 * database. The ratio is HTTP's rate over the bare transaction's.
 */
export async function measureBooking(postgres: OwnPostgres): Promise<Comparison> {
  const databaseUrl = await postgres.database('booking')
  const secrets = newSecrets()
  let members: SignedIn[] = []
  let classIds: number[] = []
  await fill(databaseUrl, async (client) => {
    members = await addMembers(client, A_ROUND, secrets)
    const days = Math.ceil((2 * (ROUNDS + WARM_UP) * A_ROUND) / A_DAY)
    classIds = await addClasses(client, { days, aDay: A_DAY })
  })
  const site = await startLiveSite({ name: 'booking', databaseUrl, folder: postgres.folder, secrets })
  try {
    const http = await startDriver<HttpSetup, Bookings>('book-over-http', {
      origin: site.origin,
      members,
      atOnce: AT_ONCE,
    })
    const bare = await startDriver<BareSetup, Bookings>('book-bare', { databaseUrl, members, atOnce: AT_ONCE })
    try {
      const freshClasses = () => ({ classIds: classIds.splice(0, A_ROUND) })
      const byBare = () => bare.run(freshClasses())
      const byHttp = () => http.run(freshClasses())
      await alternate(WARM_UP, byBare, byHttp)
      const comparison = await alternate(ROUNDS, byBare, byHttp)
      await everyBookingIsWhole(databaseUrl, 2 * (ROUNDS + WARM_UP) * A_ROUND)
      return comparison
    } finally {
      await http.stop()
      await bare.stop()
    }
  } finally {
    await site.stop()
  }
}

/** Speed counts only for work that was done: a booking, a ledger line and a mail each, from either side. */
async function everyBookingIsWhole(databaseUrl: string, wanted: number): Promise<void> {
  const { rows } = await runSql(
    databaseUrl,
    `select (select count(*) from bookings)::int as bookings,
            (select count(*) from credit_ledger where kind = 'booking')::int as paid,
            (select sum(booked_count) from classes)::int as places,
            (select count(*) from pgboss.job_common where name = 'mail')::int as mails`,
  )
  const { bookings, paid, places, mails } = rows[0]
  if ([bookings, paid, places, mails].some((count) => count !== wanted)) {
    throw new Error(`${wanted} bookings were acknowledged, the database holds ${JSON.stringify(rows[0])}`)
  }
}
