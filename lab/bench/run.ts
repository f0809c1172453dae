import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startPgBouncer } from '#testing/pgbouncer.ts'
import type { Bench } from '../lib/bench.ts'
import { withCleanUp } from '../lib/clean-up.ts'
import { startOwnPostgres } from '../lib/own-postgres.ts'
import { type Cost, tableOf } from '../lib/table.ts'
import { measureAdminTabs } from './admin-tabs.ts'
import { measureBooking } from './booking.ts'
import { measureGrowth } from './growth.ts'
import { measureLoad } from './load.ts'
import { measurePageCost } from './page-cost.ts'
import { measurePresses, measureRows } from './phone.ts'
import { measureWeekList } from './week-list.ts'

/** Bytes and files of script that a page needs. Source: docs/testing.md#what-a-page-weighs */
const PAGES: Record<string, { bytes: number; files: number }> = {
  '/': { bytes: 130_000, files: 30 },
  '/pricing': { bytes: 130_000, files: 30 },
  '/auth': { bytes: 140_000, files: 30 },
  '/booking': { bytes: 130_000, files: 30 },
  '/dashboard': { bytes: 150_000, files: 48 },
  '/health': { bytes: 150_000, files: 48 },
}

const MEASUREMENTS = {
  booking: measureBooking,
  week: measureWeekList,
  tabs: measureAdminTabs,
  pages: scriptOfPages,
  cost: measurePageCost,
  rows: measureRows,
  presses: measurePresses,
  load: measureLoad,
  growth: measureGrowth,
} satisfies Record<string, (bench: Bench) => Promise<Cost[]>>

/** Those that take under ten minutes together; the others are named. */
const USUAL = ['booking', 'week', 'pages', 'cost']

/**
 * `npm run lab -- bench [--against <folder>] [--json <file>] [<measurement> …]`: measures costs against their limits,
 * and an older checkout (installed and built) against this one. `--json` also writes the table, `--pgbouncer <program>`
 * puts that in between. Exits with 1 when a limit is missed.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { against: { type: 'string' }, json: { type: 'string' }, pgbouncer: { type: 'string' } },
    allowPositionals: true,
  })
  const chosen = Object.entries(MEASUREMENTS).filter(([name]) =>
    (positionals.length === 0 ? USUAL : positionals).includes(name),
  )
  const against = values.against && resolve(values.against)
  if (against && !existsSync(join(against, 'build/client'))) throw new Error(`${against} is not built: npm run build`)
  const print = (sentence: string) =>
    console.log(
      `${Math.round(performance.now() / 1000)
        .toString()
        .padStart(4)} s  ${sentence}`,
    )
  print(
    `Node ${process.versions.node}, ${availableParallelism()} cores. Trust ratios more than times, which depend on the machine.`,
  )
  const postgres = await startOwnPostgres()
  const pgbouncer = values.pgbouncer ? await startPgBouncer(values.pgbouncer, postgres.url) : undefined
  const bench = { postgres, against, print, pooler: pgbouncer?.host }
  const costs: Cost[] = []
  const measure = async () => {
    for (const [name, measurement] of chosen) {
      costs.push(...(await measurement(bench).catch((error) => failed(name, error))))
    }
  }
  await withCleanUp(measure, async () => {
    await pgbouncer?.stop()
    await postgres.stop()
  })
  print(`Done.\n\n${tableOf(costs)}`)
  if (values.json) writeFileSync(values.json, JSON.stringify(costs, null, 2))
  return costs.every(({ isKept }) => isKept) ? 0 : 1
}

function failed(name: string, error: unknown): Cost[] {
  console.error(error)
  return [{ what: name, cost: 'could not be measured', limit: '', isKept: false }]
}

async function scriptOfPages({ against }: Bench): Promise<Cost[]> {
  const inWords = ({ bytes, files }: Weight) => `${bytes.toLocaleString('en-GB')} bytes in ${files} files`
  return Object.entries(PAGES).map(([path, most]) => {
    const now = weigh(path, BUILT)
    return {
      what: `script of ${path}, brotli`,
      cost: `${inWords(now)}${against ? ` (before: ${inWords(weigh(path, join(against, 'build/client')))})` : ''}`,
      limit: `at most ${inWords(most)}`,
      isKept: now.bytes <= most.bytes && now.files <= most.files,
    }
  })
}

const BUILT = join(import.meta.dirname, '../../build/client')
/** The scripts that a page loads at first: brotli-compressed bytes, and files. */
type Weight = { bytes: number; files: number }

type Manifest = {
  entry: { module: string; imports: string[] }
  routes: Record<string, { path?: string; index?: true; parentId?: string; module: string; imports?: string[] }>
}

/** @param folder `build/client`, of this checkout or another */
function weigh(path: string, folder: string): Weight {
  const [name] = readdirSync(join(folder, 'assets')).filter((file) => /^manifest-.*\.js$/.test(file))
  if (!name) throw new Error(`${folder} has no manifest of its routes`)
  const text = readFileSync(join(folder, 'assets', name), 'utf8')
  const { entry, routes }: Manifest = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  const files = new Set([`/assets/${name}`, entry.module, ...entry.imports])
  let route = Object.values(routes).find((one) => (path === '/' ? one.index : one.path === path.slice(1)))
  if (!route) throw new Error(`no route leads to ${path}`)
  for (; route; route = route.parentId === undefined ? undefined : routes[route.parentId]) {
    for (const file of [route.module, ...(route.imports ?? [])]) files.add(file)
  }
  const sizeOf = (file: string) => (statSync(`${file}.br`, { throwIfNoEntry: false }) ?? statSync(file)).size
  return { files: files.size, bytes: [...files].reduce((sum, file) => sum + sizeOf(join(folder, file)), 0) }
}

process.exitCode = await main()
