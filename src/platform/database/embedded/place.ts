import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, mkdtemp, readFile, realpath, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { OperatorError } from '../../operator-error.ts'
import { canUse, lookUpNobody, type RunAs, setOwner } from './run-as.ts'

/** The folder of a DATA_DIR's PostgreSQL and the user that runs it. */
export type Place = { folder: string; user: RunAs }

/** Folders for data that `nobody` must reach when the project is out of its reach; the first that works. */
const REACHABLE = ['/var/lib', '/var/tmp']

/**
 * Finds the folder of this DATA_DIR's database, or chooses one on the first start.
 *
 * It is `DATA_DIR/postgres` if PostgreSQL's user can enter it. Otherwise it is a folder elsewhere that
 * `DATA_DIR/postgres-location` names for good: the same DATA_DIR always has the same data, also after the project was
 * moved or its folders were opened.
 */
export async function findPlace(dataDir: string, print: (sentence: string) => void): Promise<Place> {
  await mkdir(dataDir, { recursive: true })
  const home = await realpath(dataDir)
  const elsewhere = await readLocation(home)
  const inside = path.join(home, 'postgres')
  const exists = elsewhere ?? (await ownerOf(path.join(inside, 'cluster'))) !== null
  const folder = elsewhere ?? inside
  if (exists) return existingPlace(home, folder, print)

  const user = await chooseUser(null)
  await mkdir(inside, { recursive: true, mode: 0o700 })
  if (user) await setOwner(user, inside, 0o700)
  if (await canUse(user, inside)) return { folder: inside, user }
  if (!user)
    throw new OperatorError(
      `The site cannot write to the database's folder ${inside}. Set DATA_DIR to a folder that it can write to.`,
    )
  await rmdir(inside).catch(() => {})
  return { folder: await createElsewhere(home, user, print), user }
}

async function existingPlace(home: string, folder: string, print: (sentence: string) => void): Promise<Place> {
  const owner = (await ownerOf(path.join(folder, 'cluster'))) ?? (await ownerOf(folder))
  if (!owner) {
    throw new OperatorError(
      `The database of ${home} was kept in ${folder}, which is missing. Put that folder back, or delete ` +
        `${locationFile(home)} to start with an empty database.`,
    )
  }
  const user = await chooseUser(owner)
  if (!(await canUse(user, folder))) {
    throw new OperatorError(
      user
        ? `The database in ${folder} belongs to the user ${user.name}, who can no longer enter that folder. Open the ` +
            'folders above it to everyone (chmod o+x), or move the project to where they are open.'
        : `The database in ${folder} belongs to another user (number ${owner.uid}). Start the site as you did when it ` +
            'was made: as root, or as that user.',
    )
  }
  const inside = path.join(home, 'postgres')
  if (folder !== inside) {
    await claim(folder, home)
    print(`The database is kept in ${folder}, as on the first start.`)
  }
  return { folder, user }
}

/** Creates the folder elsewhere and records its location. Of two first starts, one decides for both. */
async function createElsewhere(home: string, user: NonNullable<RunAs>, print: (sentence: string) => void) {
  for (const base of REACHABLE) {
    const folder = await mkdtemp(path.join(base, 'reformer-studio-')).catch(() => null)
    if (!folder) continue
    await setOwner(user, folder, 0o700)
    if (!(await canUse(user, folder))) {
      await rm(folder, { recursive: true })
      continue
    }
    await writeFile(path.join(folder, 'belongs-to'), home, { mode: 0o600 })
    const decided = await writeLocation(home, folder)
    if (decided !== folder) await rm(folder, { recursive: true })
    print(
      `PostgreSQL does not run as root, so it runs as the user ${user.name}, who cannot enter ${home}. ` +
        `The database is therefore kept in ${decided}.`,
    )
    return decided
  }
  throw new OperatorError(
    `PostgreSQL does not run as root, and as the user ${user.name} it can reach neither ${home} nor ` +
      `${REACHABLE.join(' or ')} (or this process may not act as another user). Start the site as an ordinary user, set ` +
      ' DATA_DIR to a folder inside one everyone may enter, or DATABASE_URL to a PostgreSQL server.',
  )
}

/** A copied project must not write into the original's database. */
async function claim(folder: string, home: string) {
  const note = path.join(folder, 'belongs-to')
  const before = await readFile(note, 'utf8').catch(() => home)
  if (before === home) return
  if ((await readLocation(before)) === folder) {
    throw new OperatorError(
      `The database in ${folder} belongs to ${before}; ${home} looks like a copy of it. ` +
        `Delete ${locationFile(home)} to give the copy an empty database of its own.`,
    )
  }
  await writeFile(note, home, { mode: 0o600 })
}

/** Root runs PostgreSQL as the owner of the data, else as nobody; other users run it as themselves. */
async function chooseUser(owner: { uid: number; gid: number } | null): Promise<RunAs> {
  if (process.getuid?.() !== 0) return null
  const nobody = await lookUpNobody()
  if (owner && owner.uid !== 0 && owner.uid !== nobody?.uid) return { name: `number ${owner.uid}`, ...owner }
  if (nobody) return nobody
  throw new OperatorError(
    "PostgreSQL does not run as root, and this machine has no user 'nobody' to run it as. Start the site as an " +
      'ordinary user, or set DATABASE_URL to a PostgreSQL server.',
  )
}

async function ownerOf(path: string) {
  const found = await stat(path).catch(() => null)
  return found && { uid: found.uid, gid: found.gid }
}

const locationFile = (home: string) => path.join(home, 'postgres-location')

async function readLocation(home: string): Promise<string | null> {
  const text = await readFile(locationFile(home), 'utf8').catch((error) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return ''
    throw error
  })
  return text.trim() || null
}

/** Linked into place when complete: readers never see half a name, and the first one wins. */
async function writeLocation(home: string, folder: string): Promise<string> {
  const draft = `${locationFile(home)}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, `${folder}\n`)
  await chmod(draft, 0o644)
  try {
    await link(draft, locationFile(home))
    return folder
  } catch (error) {
    const decided = await readLocation(home)
    if (!decided) throw error
    return decided
  } finally {
    await rm(draft, { force: true })
  }
}
