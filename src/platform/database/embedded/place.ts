import { createHash } from 'node:crypto'
import { mkdir, realpath, rmdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { OperatorError } from '../../operator-error.ts'
import { canUse, lookUpNobody, type RunAs, setOwner } from './run-as.ts'

/** The folder of a DATA_DIR's PostgreSQL and the user that runs it. */
export type Place = { folder: string; user: RunAs }

/**
 * The two folders that the database of a DATA_DIR can be in: inside it, or where `nobody` can reach it.
 *
 * @param dataDir without symlinks
 */
export function placesOf(dataDir: string): [inside: string, elsewhere: string] {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  return [path.join(dataDir, 'postgres'), path.join('/var/lib', `reformer-studio-${name}`)]
}

/**
 * Finds the folder of this DATA_DIR's database, or chooses one on the first start: `DATA_DIR/postgres` if PostgreSQL's
 * user can enter it. A database stays where it is, also after folders were opened.
 */
export async function findPlace(dataDir: string, print: (sentence: string) => void): Promise<Place> {
  await mkdir(dataDir, { recursive: true })
  const home = await realpath(dataDir)
  const [inside, elsewhere] = placesOf(home)
  for (const folder of [inside, elsewhere]) {
    const owner = await stat(path.join(folder, 'cluster')).catch(() => null)
    if (owner) return await existingPlace(folder, owner)
  }
  const user = await chooseUser(null)
  if (await createFolder(inside, user)) return { folder: inside, user }
  if (!user) {
    throw new OperatorError(
      `The site cannot write to the database's folder ${inside}. Set DATA_DIR to a folder that it can write to.`,
    )
  }
  await rmdir(inside).catch(() => {})
  if (!(await createFolder(elsewhere, user))) {
    throw new OperatorError(
      `PostgreSQL does not run as root, and as the user ${user.name} it can reach neither ${home} nor /var/lib. Start ` +
        'the site as an ordinary user, or set DATA_DIR to a folder inside one that everyone may enter.',
    )
  }
  print(
    `PostgreSQL does not run as root, so it runs as the user ${user.name}, who cannot enter ${home}. ` +
      `The database is therefore kept in ${elsewhere}.`,
  )
  return { folder: elsewhere, user }
}

async function existingPlace(folder: string, owner: { uid: number; gid: number }): Promise<Place> {
  const user = await chooseUser(owner)
  if (await canUse(user, folder)) return { folder, user }
  throw new OperatorError(
    user
      ? `The database in ${folder} belongs to the user ${user.name}, who can no longer enter that folder. Open the ` +
          'folders above it to everyone (chmod o+x), or move the project to where they are open.'
      : `The database in ${folder} belongs to another user (number ${owner.uid}). Start the site as you did when it ` +
          'was made: as root, or as that user.',
  )
}

/** Whether the user can write to the folder, which is created if it is missing. */
async function createFolder(folder: string, user: RunAs): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (user) await setOwner(user, folder, 0o700)
  } catch {
    return false
  }
  return await canUse(user, folder)
}

/** Root runs PostgreSQL as the owner of the data, else as nobody; other users run it as themselves. */
async function chooseUser(owner: { uid: number; gid: number } | null): Promise<RunAs> {
  if (process.getuid?.() !== 0) return null
  const nobody = await lookUpNobody()
  if (owner && owner.uid !== 0 && owner.uid !== nobody?.uid) {
    return { name: `number ${owner.uid}`, uid: owner.uid, gid: owner.gid }
  }
  if (nobody) return nobody
  throw new OperatorError(
    "PostgreSQL does not run as root, and this machine has no user 'nobody' to run it as. Start the site as an " +
      'ordinary user, or set DATABASE_URL to a PostgreSQL server.',
  )
}
