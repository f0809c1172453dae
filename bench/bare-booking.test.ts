import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { bookBare, openBarePool } from './drivers/bare-booking.ts'

/** What a statement does, whatever its spelling: `select passes for update`. */
function gist(text: string): string {
  const [verb = ''] = text.trim().toLowerCase().split(/[\s;]/)
  const tables = [...text.toLowerCase().matchAll(/\b(?:from|into|join|update)\s+"?([a-z_]+(?:\.[a-z_]+)?)"?/g)]
    .map(([, table]) => table)
    .filter((table) => table !== 'json_to_recordset')
  const returns = /\breturning\b/i.test(text) ? 'returning' : ''
  return [verb, ...tables, /\bfor update\s*$/i.test(text) ? 'for update' : '', returns].filter(Boolean).join(' ')
}

/** Listens to what every connection of this process asks until `work` is done. */
async function recorded(work: () => Promise<unknown>): Promise<string[]> {
  const asked: { by: pg.Client; text: string }[] = []
  const real = pg.Client.prototype.query
  pg.Client.prototype.query = function listen(this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [string | { text: string }]
    asked.push({ by: this, text: typeof statement === 'string' ? statement : statement.text })
    return (real as (...args: unknown[]) => unknown).apply(this, args)
  } as typeof real
  try {
    await work()
  } finally {
    pg.Client.prototype.query = real
  }
  // Sandbox, queues and what is renewed look around by themselves, over connections of their own; a new one is given its limits.
  const ofBooking = new Set(asked.filter(({ text }) => /\b(bookings|sessions)\b/.test(text)).map(({ by }) => by))
  const ours = asked.filter(({ by, text }) => ofBooking.has(by) && !text.includes('set_config'))
  return ours.map(({ text }) => gist(text))
}

async function rowsOf(studio: StudioUnderTest, classId: number) {
  const { pool } = studio.server.database
  const { rows } = await pool.query(
    `select to_jsonb(bookings) - '{id,user_id,class_id,pass_id,booked_at,calendar_uid}'::text[] as booking,
            to_jsonb(credit_ledger) - '{id,pass_id,booking_id,at}'::text[] as line,
            to_jsonb(job) - '{id,data,start_after,created_on,keep_until}'::text[] as job,
            job.keep_until - job.created_on as kept_for, job.data as mail, booked_count
       from bookings join credit_ledger on booking_id = bookings.id join classes on classes.id = class_id
       join pgboss.job_common as job on (job.data #>> '{data,class,bookingId}')::int = bookings.id
      where class_id = $1`,
    [classId],
  )
  expect(rows).toHaveLength(1)
  return rows[0]
}

test('the bare booking of the bench asks and writes what the app asks and writes', async () => {
  const { studio, ana } = await openStudio()
  const [first, second] = [await studio.class('Tuesday 18:00'), await studio.class('Tuesday 18:00')]
  const pool = openBarePool(studio.settings.databaseUrl as string, 1)
  onTestFinished(() => pool.end())
  await pool.query('select 1')

  const app = await recorded(() => studio.books(ana, first))
  const bare = await recorded(() => bookBare(pool, { id: ana.id, email: ana.email, firstName: 'Ana' }, second))
  expect(bare).toHaveLength(10)
  // Who asks is found out by a statement of its own.
  expect(app).toEqual(['select sessions users', ...bare])

  const [byApp, byBare] = [await rowsOf(studio, first), await rowsOf(studio, second)]
  expect(byBare.mail.data.class).toEqual({
    ...byApp.mail.data.class,
    bookingId: byBare.mail.data.class.bookingId,
    calendar: {
      sequence: 0,
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      changedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  })
  expect({ ...byBare, mail: byBare.mail.data.to }).toEqual({ ...byApp, mail: byApp.mail.data.to })
})
