import type pg from 'pg'
import { afterEach, beforeEach } from 'vitest'
import type { Person } from '#testing/person.ts'
import { shareStudio } from '#testing/studio-under-test.ts'
import { databaseErrorOf } from './outage.ts'

export const NOW = '2026-12-07T09:00:00Z'

/**
 * For tests of the database's constraints: raw SQL, as the application's role. Every test starts with Carl, who has a
 * pass of two credits and a place in a class for two. Called in a file's body.
 */
export function shareAttackedStudio() {
  const story = shareStudio()
  const here = {} as { client: pg.PoolClient; carl: Person; passId: number; classId: number; bookingId: number }
  let people = 0

  beforeEach(async () => {
    const { studio } = story
    here.carl = await studio.member(`Carl${++people}`, { health: true })
    here.passId = await studio.grantCredits(here.carl, 2)
    here.classId = await studio.createClass('Tuesday 18:00')
    here.bookingId = (await here.carl.book(here.classId)).body.id
    here.client = await studio.server.database.pool.connect()
  })
  afterEach(async () => {
    await here.client.query('rollback')
    here.client.release()
  })

  const number = async (text: string, values: unknown[]) =>
    Number(Object.values((await here.client.query(text, values)).rows[0])[0])
  const credits = () => number('select credits_remaining from passes where id = $1', [here.passId])
  const places = () => number('select booked_count from classes where id = $1', [here.classId])

  /** Runs one statement; returns the database's error. */
  async function refusalOf(text: string, values: unknown[] = []) {
    try {
      await here.client.query(text, values)
    } catch (error) {
      return databaseErrorOf(error)
    }
    return undefined
  }

  /** Runs several statements in one transaction; returns the database's error from any of them, or from the commit. */
  async function refusalOfAll(statements: [string, unknown[]][]) {
    await here.client.query('begin')
    try {
      for (const [text, values] of statements) await here.client.query(text, values)
      await here.client.query('commit')
    } catch (error) {
      await here.client.query('rollback')
      return databaseErrorOf(error)
    }
    return undefined
  }

  const aBooking = (who: Person, pass: number, id = here.classId): [string, unknown[]] => [
    `insert into bookings (user_id, payer_id, class_id, pass_id, status, payment_status, total_amount_pence, origin, booked_at)
     values ($1, $1, $2, $3, 'confirmed', 'paid', 5000, 'member', $4) returning id`,
    [who.id, id, pass, NOW],
  ]
  /** Pays for the last booking. */
  const itsLine = (pass: number): [string, unknown[]] => [
    `insert into credit_ledger (pass_id, kind, credits, booking_id, caused_by, at)
     values ($1, 'booking', -1, (select max(id) from bookings), 'member', $2)`,
    [pass, NOW],
  ]
  const aLine = (kind: string, moved: number, booking: number | null = null): [string, unknown[]] => [
    `insert into credit_ledger (pass_id, kind, credits, booking_id, reason, caused_by, at)
     values ($1, $2, $3, $4, 'because', 'system', $5)`,
    [here.passId, kind, moved, booking, NOW],
  ]

  return { story, here, number, credits, places, refusalOf, refusalOfAll, aBooking, itsLine, aLine }
}
