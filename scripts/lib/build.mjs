import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { alone } from './lock.mjs'
import { run } from './processes.mjs'
import { Failure, inProject, print, readJson, writeJson } from './project.mjs'
import { environment } from './runtime.mjs'

/** Everything that goes into the build. */
const SOURCES = [
  'src',
  'public',
  'assets',
  'vite.config.ts',
  'react-router.config.ts',
  'tsconfig.web.json',
  'package-lock.json',
  'scripts/lib/build.mjs',
  'scripts/lib/inline-scripts.ts',
  'scripts/lib/password-dictionary.ts',
  'scripts/compress.mjs',
]

/** Written last, so an interrupted build has none. */
const stamp = inProject('build', '.stamp.json')

/**
 * Builds the pages unless they are up to date: build/server renders them, build/client holds the files for browsers,
 * with .br and .gz next to each text.
 * @param {string} node @param {{ quiet?: boolean }} [options] quiet: show the bundler's output only when it fails
 */
export async function ensureBuilt(node, { quiet = true } = {}) {
  if (isFresh()) return
  await alone(
    'build',
    () => print('Another command is building the pages. Waiting for it.'),
    async () => {
      if (!isFresh()) await build(node, quiet)
    },
  )
}

function isFresh() {
  return existsSync(inProject('build', 'client')) && readJson(stamp)?.sources === sourcesHash()
}

/** @param {string} node @param {boolean} quiet */
async function build(node, quiet) {
  print('Building the pages.')
  rmSync(stamp, { force: true })
  const sources = sourcesHash() // taken first: a file saved during the build makes it stale
  const env = environment(node, { NODE_ENV: 'production' })
  const steps = [
    [inProject('node_modules', '@react-router', 'dev', 'bin.cjs'), 'build'],
    [inProject('scripts', 'compress.mjs'), inProject('build', 'client')],
  ]
  for (const step of steps) {
    const exitCode = await run(node, step, { env, quiet })
    if (exitCode >= 128) throw new Failure('Building the pages was interrupted.')
    if (exitCode !== 0) throw new Failure('The pages could not be built; see above.')
  }
  writeJson(stamp, { sources })
}

/** A hash of contents, not dates, which a git checkout changes. */
function sourcesHash() {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    for (const file of filesOf(inProject(source))) {
      hash
        .update(`${path.relative(inProject(), file)}\0`)
        .update(readFileSync(file))
        .update('\0')
    }
  }
  return hash.digest('hex')
}

/** @param {string} entry @returns {string[]} */
function filesOf(entry) {
  const stat = statSync(entry, { throwIfNoEntry: false })
  if (!stat) return []
  if (stat.isFile()) return [entry]
  return readdirSync(entry, { withFileTypes: true })
    .filter(isPartOfPages)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((child) => filesOf(path.join(entry, child.name)))
}

/** Pages never import a folder called server, so changes there need no build. */
function isPartOfPages(child) {
  if (child.isDirectory()) return child.name !== 'server' && child.name !== 'testing' && child.name !== 'node_modules'
  return !/\.test\.tsx?$/.test(child.name)
}
