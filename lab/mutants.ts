// npm run lab -- mutants: StrykerJS changes the code a little, hundreds of times, and checks that a test fails.
//   npm run lab -- mutants                          all rules, the vault and the use cases, file by file
//   npm run lab -- mutants src/booking/rules.ts  only this file
//   npm run lab -- mutants --fresh               starts again instead of continuing the previous run
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'

const BOOKING = 'src/booking/server'
const PAYMENTS = 'src/payments/server'
const REFUNDS = [
  'refund-purchase',
  'provider-refunds',
  'own-refunds',
  'apply-refunds',
  'send-refund',
  'decide-refund',
  'disputes',
  'thaw',
  'reconcile-payments',
  'provider',
  'record-sale',
].map((name) => `${PAYMENTS}/${name}.test.ts`)
const testsIn = (folder: string, ...names: string[]) => names.map((name) => `${folder}/${name}.test.ts`)

/** The file that is changed, and the tests that should fail. */
const TESTS: Record<string, string[]> = {
  ...Object.fromEntries(
    globSync('src/*/rules.ts')
      .sort()
      .map((file) => [file, globSync(`${dirname(file)}/*rules.test.ts`)]),
  ),
  'src/platform/vault/vault.ts': ['src/platform/vault/vault.test.ts'],
  [`${BOOKING}/book-class.ts`]: testsIn(
    BOOKING,
    ...['book-class', 'waiting-list', 'calendar-identity', 'act-for-members', 'block-member', 'races'],
  ),
  [`${BOOKING}/cancel-booking.ts`]: testsIn(
    BOOKING,
    ...['cancel-booking', 'attendance', 'move-classes', 'ledger-story', 'act-for-members', 'races'],
  ),
  [`${BOOKING}/change-class.ts`]: testsIn(
    BOOKING,
    ...['move-classes', 'move-awaited-classes', 'class-for-admin', 'several-classes', 'edit-class'],
  ),
  [`${PAYMENTS}/activate-purchase.ts`]: testsIn(
    PAYMENTS,
    ...[
      'activate-purchase',
      'activation-outcomes',
      'processing',
      'refund-purchase',
      'blocked-buyer',
      'reconcile-payments',
      'sync-payment',
    ],
  ),
  [`${PAYMENTS}/refunds.ts`]: REFUNDS,
}

const missing = Object.entries(TESTS).flatMap(([file, tests]) => [file, ...tests].filter((path) => !existsSync(path)))
if (missing.length > 0) throw new Error(`lab/mutants.ts names missing files: ${missing.join(', ')}`)

/** The part of Stryker's report that we read. */
const Report = z.object({
  files: z.record(z.string(), z.object({ mutants: z.array(z.object({ status: z.string() })) })),
})
type MutantResult = { status: string }

const STRYKER = 'lab/tools/node_modules/@stryker-mutator/core/bin/stryker.js'
/** Long, because a slow test must not count as a found mutant. */
const TIMEOUT_MS = 120_000
const REPORTS = 'test-results/mutants'

function mutate(file: string, isFresh: boolean): MutantResult[] {
  const report = `${REPORTS}/report.json`
  const settings = {
    mutate: [file],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'lab/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency: 2,
    timeoutMS: TIMEOUT_MS,
    dryRunTimeoutMinutes: 20,
    incremental: true,
    incrementalFile: `${REPORTS}/${file.replaceAll('/', '-')}.json`,
    force: isFresh,
    // Stryker cannot rewrite this file with TypeScript 7, and need not.
    tsconfigFile: 'none',
    ignorePatterns: ['/build', '/data', '/screenshots', '/test-results', '/lab/tools'],
    reporters: ['progress-append-only', 'clear-text', 'json'],
    clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: false },
    jsonReporter: { fileName: report },
  }
  mkdirSync(REPORTS, { recursive: true })
  writeFileSync(`${REPORTS}/settings.json`, JSON.stringify(settings))
  const env = { ...process.env, LAB_TESTS: TESTS[file]?.join() }
  const { status } = spawnSync(process.execPath, [STRYKER, 'run', `${REPORTS}/settings.json`], {
    env,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`Stryker exited with ${status} for ${file}`)
  return Object.values(Report.parse(JSON.parse(readFileSync(report, 'utf8'))).files).flatMap(({ mutants }) => mutants)
}

function scoreOf(results: readonly MutantResult[]) {
  const count = (...statuses: string[]) => results.filter(({ status }) => statuses.includes(status)).length
  const found = count('Killed', 'Timeout')
  const missed = count('Survived', 'NoCoverage')
  return { found, missed, percent: ((100 * found) / (found + missed)).toFixed(1) }
}

const { values, positionals } = parseArgs({
  options: { fresh: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const unknown = positionals.filter((file) => !TESTS[file])
if (unknown.length > 0) {
  console.error(`No tests are listed for ${unknown.join(', ')}. Choose from:\n${Object.keys(TESTS).join('\n')}`)
  process.exit(1)
}
if (values.fresh && positionals.length === 0) rmSync(REPORTS, { recursive: true, force: true })

const all: { file: string; results: MutantResult[] }[] = []
for (const file of positionals.length > 0 ? positionals : Object.keys(TESTS)) {
  console.log(`\n== ${file} ==`)
  all.push({ file, results: mutate(file, values.fresh) })
}
const lines = [...all, { file: 'all', results: all.flatMap(({ results }) => results) }]
console.log('\nfound, missed, score')
for (const { file, results } of lines) {
  const { found, missed, percent } = scoreOf(results)
  if (found + missed === 0) continue
  console.log(`${String(found).padStart(5)} ${String(missed).padStart(5)} ${percent.padStart(6)} %  ${file}`)
}
