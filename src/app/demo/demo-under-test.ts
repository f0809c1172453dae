/** For this folder's tests: an empty studio to load the demo into, and its invariants. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import pg from 'pg'
import { expect, inject, vi } from 'vitest'
import { frozenClock, london } from '#testing/frozen-clock.ts'
import { openTestDatabase } from '#testing/test-databases.ts'
import { studioLog } from '../log.ts'
import { readSettings } from '../settings.ts'
import { loadDemoData } from './demo.ts'

/** An empty studio's database, and how to load the demo into it at a given time; `cleanups` run last to first. */
export async function emptyStudio(now: string, cleanups: (() => Promise<unknown>)[]) {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-'))
  const database = await openTestDatabase(inject('databaseServer'))
  const pool = new pg.Pool({ connectionString: database.url })
  pool.on('error', () => {})
  cleanups.push(
    () => rm(dataDir, { recursive: true, force: true }),
    () => database.drop(),
    () => pool.end(),
  )
  const settings = { ...readSettings({ PORT: '0', DATA_DIR: dataDir }), databaseUrl: database.url }
  const clock = frozenClock(london(now))
  const log = studioLog('silent')
  const output: string[] = []
  return {
    settings,
    clock,
    log,
    output,
    load: () => loadDemoData(settings, { clock, log, print: (sentence) => void output.push(sentence) }),
    async rows<Row extends object = Record<string, unknown>>(query: string, values: unknown[] = []): Promise<Row[]> {
      return (await pool.query<Row>(query, values)).rows
    },
    async count(query: string): Promise<number> {
      const { rows } = await pool.query(query)
      return Number(Object.values(rows[0])[0])
    },
  }
}
export type Demo = Awaited<ReturnType<typeof emptyStudio>>

export async function expectRulesKept(demo: Demo): Promise<void> {
  const now = demo.clock.now()
  const broken = {
    'confirmed though over': `select count(*) from bookings b join classes c on c.id = b.class_id
      where status = 'confirmed' and ends_at <= '${now}'`,
    'completed though ahead': `select count(*) from bookings b join classes c on c.id = b.class_id
      where status = 'completed' and ends_at > '${now}'`,
    'booked or cancelled in the future': `select count(*) from bookings
      where booked_at > '${now}' or cancelled_at > '${now}'`,
    'booked after the start': `select count(*) from bookings b join classes c on c.id = b.class_id
      where booked_at >= starts_at or cancelled_at >= starts_at`,
    'booked before joining': `select count(*) from bookings b join users u on u.id = b.user_id
      where booked_at < u.created_at`,
    'paid by a pass not bought yet, or expired': `select count(*) from bookings b
      join classes c on c.id = b.class_id join passes p on p.id = b.pass_id
      where p.created_at > b.booked_at or p.expires_at < c.starts_at`,
    'booked without health information': `select count(*) from bookings b
      left join health_questionnaires q using (user_id) left join emergency_contacts e using (user_id)
      where q.user_id is null or e.user_id is null`,
    'places miscounted': `select count(*) from classes c where booked_count <>
      (select count(*) from bookings b where b.class_id = c.id and status <> 'cancelled')`,
    'credits that the ledger does not explain': `select count(*) from passes p where credits_remaining <>
      (select coalesce(sum(credits), 0) from credit_ledger where pass_id = p.id)`,
    'credits on an expired pass': `select count(*) from passes where expires_at < '${now}' and credits_remaining > 0`,
    'payments that became no purchase': `select count(*) from payment_intents where state <> 'purchased'`,
    'bought twice though once per member': `select count(*) from (select user_id from purchases
      join packages k on k.id = package_id where k.purchase_once_per_user
      group by user_id having count(*) > 1) as repeated`,
  }
  for (const [what, query] of Object.entries(broken)) expect(await demo.count(query), what).toBe(0)
}

/** Counts the statements of `work`, which do not depend on the machine. */
export async function statementsOf(work: () => Promise<void>): Promise<number> {
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    // The sandbox polls twice a second, however long loading takes.
    return sent.mock.calls.filter((asked) => !inspect(asked).includes('sandbox.')).length
  } finally {
    sent.mockRestore()
  }
}
