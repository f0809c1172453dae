import { timedAtOnce } from '../lib/at-once.ts'
import { drive } from '../lib/driver.ts'
import type { SignedIn } from '../lib/fill.ts'
import { bookBare, openBarePool } from './bare-booking.ts'
import type { Bookings } from './book-over-http.ts'

export type BareSetup = { databaseUrl: string; members: SignedIn[]; atOnce: number }

/** As many connections as the app's pool. */
const CONNECTIONS = 20

await drive<BareSetup, Bookings>(async ({ databaseUrl, members, atOnce }) => {
  const pool = openBarePool(databaseUrl, CONNECTIONS)
  return ({ classIds }) =>
    timedAtOnce([...classIds.entries()], atOnce, ([place, classId]) =>
      bookBare(pool, members[place] as SignedIn, classId),
    )
})
