// npm run lab -- steadiness: repeats the browser tests while every core is busy. None may fail.
//   npm run lab -- steadiness --times 3                 three times (10 by default)
//   npm run lab -- steadiness e2e/health.spec.ts -g x   further arguments go to Playwright
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { ensureBrowser } from '../scripts/lib/browser.mjs'
import { ensureBuilt } from '../scripts/lib/build.mjs'
import { ensureInstalled } from '../scripts/lib/install.mjs'
import { run } from '../scripts/lib/processes.mjs'
import { Failure, inProject, print, readJson, script } from '../scripts/lib/project.mjs'
import { environment } from '../scripts/lib/runtime.mjs'

/** Written by every run (playwright.config.ts). */
const report = inProject('test-results', 'browser.json')

await script(async () => {
  const { times, rest } = readArguments()
  const node = await ensureInstalled()
  const env = environment(node)
  await ensureBuilt(node)
  await ensureBrowser(node, env)

  const burners = Array.from({ length: availableParallelism() }, () => new Worker('for (;;) {}', { eval: true }))
  /** @type {Map<string, number>} */
  const failures = new Map()
  let failedRuns = 0
  try {
    for (let i = 1; i <= times; i++) {
      const startedAt = performance.now()
      const exitCode = await run(node, [inProject('node_modules/@playwright/test/cli.js'), 'test', ...rest], { env })
      if (exitCode >= 128) throw new Failure('Interrupted.')
      const failed = failedTests(readJson(report))
      for (const title of failed) failures.set(title, (failures.get(title) ?? 0) + 1)
      if (exitCode !== 0) failedRuns += 1
      print(
        `== run ${i} of ${times}: ${failed.length} failed in ${Math.round((performance.now() - startedAt) / 1000)} s ==`,
      )
    }
  } finally {
    for (const burner of burners) await burner.terminate()
  }

  for (const [title, count] of failures) print(`${count} of ${times}: ${title}`)
  print(`${times} runs with ${burners.length} busy cores: ${failedRuns} with a failure.`)
  return failedRuns === 0 ? 0 : 1
})

function readArguments() {
  const { values, tokens } = parseArgs({
    options: { times: { type: 'string', default: '10' } },
    strict: false,
    tokens: true,
  })
  const times = Number(values.times)
  if (!(times >= 1)) throw new Failure('Give a number of runs: npm run lab -- steadiness --times 10')
  const own = tokens.filter((token) => token.kind === 'option' && token.name === 'times')
  const taken = own.flatMap(({ index, inlineValue }) => (inlineValue ? [index] : [index, index + 1]))
  return { times, rest: process.argv.slice(2).filter((_, i) => !taken.includes(i)) }
}

/**
 * @typedef {{
 *   title: string, file: string, suites?: Suite[], specs?: { ok: boolean, title: string, file: string }[]
 * }} Suite
 * @param {{ suites?: Suite[] } | undefined} suite @returns {string[]}
 */
function failedTests(suite) {
  const all = /** @type {Suite[]} */ (suite?.suites ?? [])
  return all.flatMap((inner) => [
    ...(inner.specs ?? []).filter(({ ok }) => !ok).map(({ file, title }) => `${file}: ${title}`),
    ...failedTests(inner),
  ])
}
