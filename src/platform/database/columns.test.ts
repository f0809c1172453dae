import { pgTable } from 'drizzle-orm/pg-core'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '#testing/test-databases.ts'
import { instant, instantText } from './columns.ts'
import { openDatabase } from './database.ts'

const moments = pgTable('moments', { at: instant().notNull() })

test.each(['UTC', 'Europe/London', 'Asia/Kolkata'])(
  'an instant as text is the instant written out, in a session of %s',
  async (zone) => {
    const { url, drop } = await openTestDatabase(inject('databaseServer'))
    const database = openDatabase(url, { connections: 1 })
    onTestFinished(async () => {
      await database.close()
      await drop()
    })
    await database.pool.query(`set timezone = '${zone}'; create table moments (at timestamptz not null)`)
    const written = ['2026-07-07T08:00:00Z', '2026-12-07T08:00:00.12Z', '2026-12-31T23:59:59.999999Z']
    await database.db.insert(moments).values(written.map((at) => ({ at: Temporal.Instant.from(at) })))
    const read = await database.db.select({ at: moments.at, text: instantText(moments.at) }).from(moments)
    expect(read.map(({ text }) => text)).toEqual(written)
    expect(read.map(({ at }) => at.toString())).toEqual(written)
  },
)
