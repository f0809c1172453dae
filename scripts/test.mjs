// npm test: all checks. Stops when a stage fails.
//   npm test -- unit            one stage (or several)
//   npm test -- unit booking    other arguments go to the stage's tool: here, files with 'booking' in their path
// npm run test:slow: the same stages for *.slow.test.ts and *.slow.spec.ts.
import { mkdirSync, rmSync } from 'node:fs'
import { ensureBrowser } from './lib/browser.mjs'
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { run } from './lib/processes.mjs'
import { Failure, inProject, print, readJson, script } from './lib/project.mjs'
import { environment } from './lib/runtime.mjs'
import { longComments, unwantedWords } from './lib/wording.mjs'

const REPORTS = inProject('test-results')
/** The stages of a row run concurrently. */
const ROWS = [['lint', 'types'], ['unit', 'build'], ['browser']]
const SLOW_ROWS = [['unit', 'build'], ['browser']]
const NAMES = ROWS.flat()
/** Projects of `vitest.config.ts` and `playwright.config.ts`. */
const PROJECTS = {
  fast: { unit: ['shared', 'isolated'], browser: ['fast'] },
  slow: { unit: ['slow'], browser: ['slow'] },
}

await script(async () => {
  const isSlow = process.argv.includes('--slow')
  const words = process.argv.slice(2).filter((word) => word !== '--slow')
  const rows = isSlow ? SLOW_ROWS : ROWS
  const named = NAMES.filter((name) => words.includes(name))
  if (words.length > 0 && named.length === 0) throw new Failure(`Name a stage first: ${NAMES.join(', ')}.`)
  const node = await ensureInstalled()
  const stages = stagesOf(node, words, isSlow ? PROJECTS.slow : PROJECTS.fast)
  const chosen = named.length > 0 ? named : NAMES

  const counts = { passed: 0, failed: 0 }
  let exitCode = 0
  for (const row of rows) {
    const names = row.filter((name) => chosen.includes(name))
    const exitCodes = await Promise.all(names.map((name) => timed(name, () => stages[name](counts))))
    exitCode = Math.max(0, ...exitCodes)
    if (exitCode !== 0) break
  }
  if (exitCode !== 0 && counts.failed === 0) counts.failed = 1 // the stage itself failed
  const hasTests = named.length === 0 || named.includes('unit') || named.includes('browser')
  if (hasTests || exitCode !== 0) print(`${counts.passed} passed, ${counts.failed} failed`)
  return exitCode
})

/**
 * @param {string} node @param {string[]} words the command line
 * @param {{ unit: string[], browser: string[] }} projects
 * @returns {Record<string, (counts: { passed: number, failed: number }) => Promise<number>>}
 */
function stagesOf(node, words, projects) {
  const env = environment(node)
  const tool = (/** @type {string[]} */ ...args) => run(node, args, { env })
  const quietTool = (/** @type {string[]} */ ...args) => run(node, args, { env, quiet: true })
  const bin = (/** @type {string} */ file) => inProject('node_modules', file)
  const rest = words.filter((word) => !NAMES.includes(word))

  return {
    lint: async () => {
      const found = unwantedWords()
      if (found.length > 0) throw new Failure(`Write it in plain English (STYLE.md):\n${found.join('\n')}`)
      const long = longComments()
      if (long.length > 0) throw new Failure(`Wrap these comments at 120 characters:\n${long.join('\n')}`)
      return tool(bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', ...rest)
    },
    types: async () => {
      const exitCode = await quietTool(bin('@react-router/dev/bin.cjs'), 'typegen')
      if (exitCode !== 0) return exitCode
      const projects = ['server', 'web', 'e2e'].map((name) => `tsconfig.${name}.json`)
      const codes = await Promise.all(projects.map((project) => quietTool(bin('typescript/bin/tsc'), '-p', project)))
      return Math.max(...codes)
    },
    unit: async (counts) => {
      const report = freshReport('unit.json')
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
      const chosen = projects.unit.map((name) => `--project=${name}`)
      const exitCode = await tool(bin('vitest/vitest.mjs'), 'run', ...reporters, ...chosen, ...rest)
      const found = readJson(report)
      counts.passed += found?.numPassedTests ?? 0
      counts.failed += found?.numFailedTests ?? 0
      return exitCode
    },
    build: async () => {
      await ensureBuilt(node)
      return 0
    },
    browser: async (counts) => {
      await ensureBrowser(node, env)
      const report = freshReport('browser.json')
      const chosen = projects.browser.map((name) => `--project=${name}`)
      const exitCode = await tool(bin('@playwright/test/cli.js'), 'test', ...chosen, ...rest)
      const stats = readJson(report)?.stats
      counts.passed += (stats?.expected ?? 0) + (stats?.flaky ?? 0)
      counts.failed += stats?.unexpected ?? 0
      return exitCode
    },
  }
}

/** @param {string} name */
function freshReport(name) {
  mkdirSync(REPORTS, { recursive: true })
  const file = inProject('test-results', name)
  rmSync(file, { force: true })
  return file
}

/** @param {string} name @param {() => Promise<number>} stage */
async function timed(name, stage) {
  print(`== ${name} ==`)
  const startedAt = performance.now()
  let exitCode = 1
  try {
    exitCode = await stage()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    console.error(error.message)
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  print(`== ${name}: ${exitCode === 0 ? 'passed' : 'FAILED'} in ${seconds} s ==`)
  return exitCode
}
