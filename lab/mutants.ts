// npm run lab -- mutants: StrykerJS changes the code a little, hundreds of times, and checks that a test fails.
//   npm run lab -- mutants                        the rules of booking
//   npm run lab -- mutants src/payments/rules.ts  other files; those of server/ take hours
//   npm run lab -- mutants --fresh                starts again instead of continuing the previous run
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'

const USUAL = ['src/booking/rules.ts']
/** The part of Stryker's report that we read. */
const Report = z.object({
  files: z.record(z.string(), z.object({ mutants: z.array(z.object({ status: z.string() })) })),
})

const STRYKER = 'lab/tools/node_modules/@stryker-mutator/core/bin/stryker.js'
/** Long, because a slow test must not count as a found mutant. */
const TIMEOUT_MS = 120_000
const REPORTS = 'test-results/mutants'

/** The statuses of a file's mutants. The tests next to it should fail: for rules those of rules, else all. */
function mutate(file: string, isFresh: boolean): string[] {
  const tests = globSync(`${dirname(file)}/*${file.includes('/rules') ? 'rules*' : ''}.test.ts`)
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
  const env = { ...process.env, LAB_TESTS: tests.join() }
  const { status } = spawnSync(process.execPath, [STRYKER, 'run', `${REPORTS}/settings.json`], {
    env,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`Stryker exited with ${status} for ${file}`)
  const { files } = Report.parse(JSON.parse(readFileSync(report, 'utf8')))
  return Object.values(files).flatMap(({ mutants }) => mutants.map((mutant) => mutant.status))
}

const { values, positionals } = parseArgs({
  options: { fresh: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const files = positionals.length > 0 ? positionals : USUAL
const missing = files.filter((file) => !existsSync(file))
if (missing.length > 0) throw new Error(`There is no ${missing.join(', ')}.`)

for (const file of files) {
  const statuses = mutate(file, values.fresh)
  const count = (...wanted: string[]) => statuses.filter((status) => wanted.includes(status)).length
  const [found, missed] = [count('Killed', 'Timeout'), count('Survived', 'NoCoverage')]
  console.log(`${file}: ${found} found, ${missed} missed, ${((100 * found) / (found + missed)).toFixed(1)} %`)
}
