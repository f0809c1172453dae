import pg from 'pg'

export type Connection = Pick<pg.ClientBase, 'query'>

/** Runs `work` on its own connection, which is closed afterwards. */
export async function withClient<Result>(
  url: string,
  name: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, application_name: name })
  client.on('error', () => {}) // the current statement reports it
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export type CopiedTable = {
  /** With its schema, unless that is `public`. */
  name: string
  /** In order, without generated columns. */
  columns: string[]
  /** SQL, by the primary key, so that equal tables give equal text. */
  orderBy: string
}

type Row = { schema: string; name: string; columns: string[]; key: { name: string; isText: boolean }[] | null }

/** The tables of some schemas, by name. */
export async function copiedTables(connection: Connection, schemas = ['public']): Promise<CopiedTable[]> {
  const { rows } = await connection.query<Row>(
    `
    select n.nspname as schema, c.relname as name,
      (select json_agg(a.attname order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      (select json_agg(json_build_object('name', a.attname, 'isText', a.attcollation <> 0) order by k.place)
        from pg_index i cross join unnest(i.indkey) with ordinality as k (attnum, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary) as key
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = any ($1) order by n.nspname collate "C", c.relname collate "C"`,
    [schemas],
  )
  return rows.map(({ schema, name, columns, key }) => ({
    name: qualified(schema, name),
    columns,
    orderBy: orderOf(name, key),
  }))
}

/** Text sorts by its bytes: servers differ in their collations. */
function orderOf(name: string, key: Row['key']): string {
  if (!key) throw new Error(`the table ${name} has no primary key, so its rows have no order`)
  return key.map((column) => `${identifier(column.name)}${column.isText ? ' collate "C"' : ''}`).join(', ')
}

/** The last value of each sequence of some schemas; null if it has not been used. */
export async function sequencesIn(
  connection: Connection,
  schemas = ['public'],
): Promise<Record<string, number | null>> {
  const { rows } = await connection.query<{ schema: string; name: string; last: string | null }>(
    `select schemaname as schema, sequencename as name, last_value as last from pg_sequences
     where schemaname = any ($1) order by schemaname collate "C", sequencename collate "C"`,
    [schemas],
  )
  return Object.fromEntries(
    rows.map(({ schema, name, last }) => [qualified(schema, name), last === null ? null : Number(last)]),
  )
}

const qualified = (schema: string, name: string) => (schema === 'public' ? name : `${schema}.${name}`)

/** A quoted name, with its schema if it has one. */
export const identifier = (name: string) => name.split('.').map(pg.escapeIdentifier).join('.')
