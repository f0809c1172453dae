import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PlainFault } from '../../plain-fault.ts'
import { type Cluster, serverOf } from './cluster.ts'

/** The files are those of another PostgreSQL, or a restore that was to replace them has not come to its end. */
export class OtherVersion extends PlainFault {}

/** There as long as old files are set aside and nothing whole is in their place. */
const noteOf = (cluster: Cluster) => path.join(cluster.place.folder, 'restore-unfinished')

/**
 * Each major version of PostgreSQL has files of its own, which no other reads.
 *
 * @param replaces whether a restore is to replace them: then they are renamed, and stay
 * @throws OtherVersion with the two commands that lead on
 */
export async function checkVersion(
  cluster: Cluster,
  replaces: boolean,
  say: (sentence: string) => void,
): Promise<void> {
  const note = await readFile(noteOf(cluster), 'utf8').catch(() => undefined)
  if (note !== undefined && !replaces) {
    throw new OtherVersion(
      'A restore that was to replace the database has not come to its end; the files from before are in ' +
        `${note.trim()}. Run it again: npm run restore -- <file> --replace`,
    )
  }
  const made = await readFile(path.join(cluster.data, 'PG_VERSION'), 'utf8').catch(() => undefined)
  const [before, here] = [Number.parseInt(made ?? '', 10), cluster.binaries.major]
  if (made === undefined || before === here) return
  if (!replaces) throw new OtherVersion(twoCommands(cluster, before))
  if (await serverOf(cluster)) {
    throw new OtherVersion(
      `PostgreSQL ${before} still runs on ${cluster.data}. Stop the site of the version before first.`,
    )
  }
  const kept = freeName(`${cluster.data}-${before}`)
  await writeFile(noteOf(cluster), `${kept}\n`, { flush: true })
  await rename(cluster.data, kept)
  say(`The files of PostgreSQL ${before} are kept in ${kept}. Delete them when all is well.`)
}

/** What replaces the old files is whole. */
export async function endReplacement(cluster: Cluster): Promise<void> {
  await rm(noteOf(cluster), { force: true })
}

function twoCommands({ data, binaries }: Cluster, before: number): string {
  return (
    `The database in ${data} was made by PostgreSQL ${before}, and this version of the site brings PostgreSQL ` +
    `${binaries.major}, which cannot read its files: back it up with the version of the site that ran before, and restore ` +
    'it with this one.\n  npm run backup -- studio.tar.zst\n  npm run restore -- studio.tar.zst --replace --receipts-from 1'
  )
}

function freeName(name: string): string {
  return existsSync(name) ? `${name}-${randomBytes(4).toString('hex')}` : name
}
