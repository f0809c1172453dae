import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { commonRefusals } from '#foundation/refusal.ts'
import { openEmptyStudio, openStudio } from '#testing/studio-under-test.ts'
import { downloadWhatWeKeep, MemberData } from './contract.ts'
import { personalTables, REGISTER, whatWeKeep } from './register.ts'
import { staysOf } from './rules.ts'

type Column = { table: string; name: string; references: string | null; deletes: string | null }

let read: Promise<Column[]> | undefined
/** The database's columns, with the foreign key of each. */
async function readColumns(): Promise<Column[]> {
  read ??= openEmptyStudio().then(async (studio) => {
    const { rows } = await studio.server.database.pool.query<Column>(`
      select c.relname::text as table, a.attname::text as name, k.confrelid::regclass::text as references,
        k.confdeltype::text as deletes
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        left join pg_constraint k on k.conrelid = c.oid and k.contype = 'f' and k.conkey = array[a.attnum]
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1, a.attnum`)
    return rows
  })
  return await read
}
const columnsOf = async (table: string) =>
  (await readColumns()).filter((column) => column.table === table).map(({ name }) => name)
const words = (text = '') => text.split(' ').filter((word) => word !== '')
const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase())

test('says of every table whose it is', async () => {
  const tables = new Set((await readColumns()).map(({ table }) => table))
  const missing = [...tables].filter((table) => !(table in REGISTER))
  expect(
    missing,
    'Add it to src/privacy/register.ts. Decide: whose is it, is it in the download, what does erasing do, how long is ' +
      'it kept, what does a restore do with what happened since, and does a row keep an imported member?',
  ).toEqual([])
  expect(Object.keys(REGISTER).filter((table) => !tables.has(table))).toEqual([])
})

test('says of every column what the download does with it, and why', async () => {
  for (const [table, { download, withheld = {} }] of personalTables()) {
    const shown = words(download?.columns).map((word) => word.split('=')[0])
    const listed = [...shown, ...Object.values(withheld).flatMap(words)].sort()
    const decide = `${table}: is the column in the download (and where), or why not? Say it in src/privacy/register.ts.`
    expect(listed, decide).toEqual((await columnsOf(table)).sort())
  }
})

test('the download has a place for everything that the register says is in it', () => {
  const without: string[] = []
  for (const [table, { download }] of personalTables()) {
    for (const word of words(download?.columns)) {
      const [column = '', name = camel(column)] = word.split('=')
      const path = [...(download?.in ?? '').split('.'), ...name.split('.')].filter((part) => part !== '')
      if (!hasPath(MemberData, path)) without.push(`${table}.${column}: MemberData.${path.join('.')}`)
    }
  }
  expect(without).toEqual([])
})

test('says of every column that holds an id of a user, or may hold one, what erasing that user does', async () => {
  const rules = { c: 'row goes', n: 'emptied' } as const
  for (const { table, name, references, deletes } of await readColumns()) {
    const entry = REGISTER[table]
    const isKey = references === 'users' || references === 'health_questionnaires'
    const mayBeUser =
      isKey || (references === null && /^(user|member|actor|author|payer|buyer)_id$|_user_id$/.test(name))
    if (!mayBeUser || !entry) continue
    const rule = 'people' in entry ? entry.people?.[name] : undefined
    expect(rule, `${table}.${name}: decide what erasing the user does with it (src/privacy/register.ts)`).toBeDefined()
    if (isKey) expect(rule, `${table}.${name}, by its foreign key`).toBe(rules[deletes as 'c' | 'n'])
    else expect(['id stays', 'by hand'], `${table}.${name} has no foreign key`).toContain(rule)
  }
})

test('names columns and tables that exist, and rows that go with another', async () => {
  for (const [table, { people, addresses = [], of }] of personalTables()) {
    expect(await columnsOf(table)).toEqual(expect.arrayContaining([...Object.keys(people ?? {}), ...addresses]))
    if (!of) continue
    const key = (await readColumns()).find((column) => column.table === table && column.references === of)
    expect(key?.deletes, `${table} goes with ${of}`).toBe('c')
  }
})

test('the owner downloads what the studio keeps and why; the words name every period', async () => {
  for (const { title, why, kept, erased } of whatWeKeep()) {
    expect([title, why, kept, erased].every((words) => words?.length > 2)).toBe(true)
    expect(kept).not.toMatch(/^(account|health|financial|records|always)$/)
  }
  const { ana, dora } = await openStudio()
  const { status, headers } = await dora.call(downloadWhatWeKeep)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(await ana.call(downloadWhatWeKeep)).toBeRefused(commonRefusals.forbidden)
})

test('the dialog that deletes a member, and the policy, name what stays', async () => {
  const stays = personalTables().filter(
    ([, { people = {} }]) => (Object.values(people)[0] ?? 'row goes') !== 'row goes',
  )
  const dialog = staysOf(1).join()
  const policy = await readFile(new URL('../content/legal/privacy-policy.mdx', import.meta.url), 'utf8')
  const RECORDS = [/record of what admins did and read/, /record of who at the studio read your health information/]
  const MONEY = [/receipt/, /Financial records/]
  const OTHERS = [/vouchers and places that they paid for others/, /paid for someone else/]
  const ID = [/Their id/, /a random code/]
  const said: Record<string, RegExp[]> = {
    payment_intents: MONEY,
    purchases: MONEY,
    promotion_uses: MONEY,
    bookings: OTHERS,
    vouchers: OTHERS,
    health_reads: RECORDS,
    audit_log: RECORDS,
    security_events: RECORDS,
    erasures: ID,
    import_rows: ID,
    // Gone within a day.
    idempotency_keys: [/./, /./],
  }
  for (const [table] of stays) {
    const [inDialog, inPolicy] = said[table] ?? []
    const decide = `${table}: say that it stays in delete-user-dialog.tsx and in section 5 of the privacy policy`
    expect(inDialog, decide).toBeDefined()
    expect(dialog).toMatch(inDialog ?? /$^/)
    expect(policy).toMatch(inPolicy ?? /$^/)
  }
})

/** Whether a shape has the path: `passes.package` is in each of `passes`. */
function hasPath(shape: z.ZodType, path: readonly string[]): boolean {
  const { def } = shape as unknown as { def: { type: string } & Record<string, unknown> }
  const inside = ['innerType', 'element', 'in'].map((name) => def[name]).find((inner) => inner !== undefined)
  if (def.type !== 'object' && inside) return hasPath(inside as z.ZodType, path)
  if (def.type === 'union') return (def.options as z.ZodType[]).some((option) => hasPath(option, path))
  const [first, ...rest] = path
  if (first === undefined) return true
  const next = def.type === 'object' ? (def.shape as Record<string, z.ZodType>)[first] : undefined
  return next !== undefined && hasPath(next, rest)
}
