// npm run release: everything for production in release/<name>-<version>-<system>.tar.gz: the built pages, the server,
// migrations, packages and Node. The upgrade tries it on a spare port before it switches.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled, installForServing } from './lib/install.mjs'
import { run } from './lib/processes.mjs'
import { Failure, inProject, print, readJson, script } from './lib/project.mjs'
import { writeSbom } from './lib/sbom.mjs'

const CONTENT = [
  '.npmrc',
  'CHANGELOG.md',
  'README.md',
  'deploy',
  'docs',
  'package.json',
  'package-lock.json',
  'migrations',
  'build/client',
  'build/server',
  'scripts/lib',
  'scripts/run.mjs',
  'scripts/serve.mjs',
  'scripts/upgrade.mjs',
  'src',
  'stripe-sandbox',
  'twilio-sandbox',
]
/** Unpacked. Ours. */
const MAX_MEGABYTES = 450
/** Types and source maps of packages. */
const FOR_DEVELOPERS = /\.(d\.[cm]?ts|map)$|node-[\w-]+[\\/](include|share)$/

await script(async () => {
  const node = await ensureInstalled()
  await ensureBuilt(node)
  const { name, version } = readJson(inProject('package.json'))
  const title = `${name}-${version}-${process.platform}-${process.arch}`
  const folder = inProject('release', title)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const entry of CONTENT) {
    cpSync(inProject(entry), path.join(folder, entry), { recursive: true, filter: isProduct })
  }
  await installForServing(folder)
  const listed = await writeSbom(folder, path.join(folder, 'sbom.cdx.json'))
  prune(path.join(folder, 'node_modules'))

  const megabytes = Math.ceil(sizeOf(folder) / 1e6)
  if (megabytes > MAX_MEGABYTES) throw new Failure(`The release has ${megabytes} MB; the limit is ${MAX_MEGABYTES}.`)
  const archive = `${folder}.tar.gz`
  cpSync(path.join(folder, 'sbom.cdx.json'), `${folder}.cdx.json`)
  const tar = ['--create', '--gzip', '--owner=0', '--group=0', '--numeric-owner']
  const exitCode = await run('tar', [...tar, `--file=${archive}`, `--directory=${inProject('release')}`, title])
  if (exitCode !== 0) throw new Failure('The release could not be packed; see above.')
  rmSync(folder, { recursive: true })
  print(`${archive}: ${Math.ceil(statSync(archive).size / 1e6)} MB, ${megabytes} MB unpacked.`)
  print(`${folder}.cdx.json: its ${listed} packages (CycloneDX).`)
  return 0
})

/** Leaves out tests. @param {string} file */
function isProduct(file) {
  return !/\.test\.tsx?$|-under-test\.ts$|[\\/]src[\\/]testing$/.test(file)
}

/** @param {string} folder */
function prune(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (FOR_DEVELOPERS.test(file)) rmSync(file, { recursive: true })
    else if (entry.isDirectory()) prune(file)
  }
}

/** @param {string} folder @returns {number} bytes of the files in it */
function sizeOf(folder) {
  if (!existsSync(folder)) return 0
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0)
}
