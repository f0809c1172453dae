import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { openEmptyStudio } from '#testing/studio-under-test.ts'

const SRC = join(import.meta.dirname, '../..')

async function declaredTables(): Promise<PgTable[]> {
  const parts = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /[\\/]tables\.ts$/.test(file))
  const modules = await Promise.all(parts.map((file) => import(join(SRC, file))))
  return modules.flatMap((module: object) => Object.values(module).filter((value) => is(value, PgTable)))
}

/** PostgreSQL's short names and those of `format_type`. */
const LONG: Record<string, string> = {
  timestamptz: 'timestamp with time zone',
  'time(0)': 'time(0) without time zone',
  'numeric(10, 4)': 'numeric(10,4)',
}

test('declares the tables as the migrations created them', async () => {
  const studio = await openEmptyStudio()
  const { rows } = await studio.server.database.pool.query(`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "notNull",
      a.attidentity <> '' as identity, a.atthasdef as "hasDefault",
      exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any (i.indkey)) as primary
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1, 2`)
  // Tables of no part: the migrations' record, and the rate limiter's.
  const made = rows.filter(({ table }) => !['migrations', 'throttles'].includes(table))

  const declared = (await declaredTables()).flatMap((table) => {
    const { name, columns } = getTableConfig(table)
    return columns.map((column) => {
      const type = column.getSQLType()
      const array = '[]'.repeat(column.dimensions)
      const identity = column.generatedIdentity !== undefined
      return {
        table: name,
        name: column.name,
        type: (LONG[type] ?? type) + array,
        notNull: column.notNull,
        identity,
        hasDefault: column.default !== undefined || column.generated !== undefined,
        primary: column.primary,
      }
    })
  })
  const byName = (a: { table: string; name: string }, b: { table: string; name: string }) =>
    a.table < b.table || (a.table === b.table && a.name < b.name) ? -1 : 1
  expect(declared.length).toBeGreaterThan(90)
  // The sandbox has its own tables.
  const names = new Set(declared.map(({ table }) => table))
  const others = new Set(made.map(({ table }) => table).filter((table) => !names.has(table)))
  expect([...others].filter((table) => !table.startsWith('sandbox'))).toEqual([])
  expect(declared.sort(byName)).toEqual(made.filter(({ table }) => names.has(table)).sort(byName))
})

test('lists the values of a column as the database accepts them', async () => {
  const studio = await openEmptyStudio()
  for (const table of await declaredTables()) {
    const { name, columns } = getTableConfig(table)
    const { rows } = await studio.server.database.pool.query(
      "select pg_get_constraintdef(oid) as text from pg_constraint where conrelid = $1::regclass and contype = 'c'",
      [name],
    )
    const checks: string[] = rows.map(({ text }) => text)
    for (const { name: column, enumValues } of columns) {
      // The log of health reads is written in one place and has no check.
      if (!enumValues?.length || `${name}.${column}` === 'health_reads.what') continue
      const words = (text: string) => [...text.matchAll(/'(\w+)'/g)].map(([, word]) => word).sort()
      const sets = checks.filter((text) => text.includes(column)).map((text) => [...new Set(words(text))].join())
      expect(sets, `${name}.${column}`).toContain([...enumValues].sort().join())
    }
  }
})

test('has an index for every foreign key, so that erasing a row scans no table', async () => {
  const studio = await openEmptyStudio()
  const { pool } = studio.server.database
  const unfound = async () =>
    (
      await pool.query(`
        select conrelid::regclass::text || '.' || conname as reference from pg_constraint
        where contype = 'f' and connamespace = 'public'::regnamespace
          and not exists (
            select from pg_index
            where indrelid = conrelid and (indkey::int2[])[0:cardinality(conkey) - 1] = conkey
              -- Rows without a reference need not be found.
              and (indpred is null or pg_get_expr(indpred, indrelid) = (
                select format('(%I IS NOT NULL)', attname) from pg_attribute
                where attrelid = conrelid and attnum = conkey[1])))`)
    ).rows
  expect(await unfound()).toEqual([])
  await pool.query('drop index passes_of_a_package')
  expect(await unfound()).toHaveLength(1)
})
