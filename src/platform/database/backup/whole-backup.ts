import { createHash, type Hash } from 'node:crypto'
import { z } from 'zod'
import { BackupRefused, readArchive } from './archive.ts'
import { AnyManifest, countRows, FORMAT, Manifest } from './copy-out.ts'

/** A backup that was read to its end and matches its manifest. */
export type WholeBackup = {
  file: string
  identities: readonly string[]
  manifest: Manifest
  /** `NAME=value` lines, if it includes them. */
  secrets: string | undefined
}

const MANIFEST = 'manifest.json'
const SECRETS = 'secrets.env'

export const entryNames = { manifest: MANIFEST, secrets: SECRETS }

/** The name of a piece of a table; pieces are read in the order of writing. */
export const pieceName = (table: string, piece: number) => `tables/${table}/${String(piece).padStart(6, '0')}`

/** The table that a piece belongs to. */
export const tableOf = (name: string) => /^tables\/([^/]+)\/\d+$/.exec(name)?.[1]

/**
 * Reads a backup and checks it; nothing else is touched.
 *
 * @param application this version, to name next to that of a newer backup
 * @throws BackupRefused when anything is missing, was changed or is of a newer format
 */
export async function readBackup(
  file: string,
  identities: readonly string[],
  application: string,
): Promise<WholeBackup> {
  const found = new Map<string, { hash: Hash; rows: number; bytes: number }>()
  let manifest: string | undefined
  let secrets: string | undefined
  for await (const { name, content } of readArchive(file, identities)) {
    const table = tableOf(name)
    if (name === MANIFEST) manifest = content.toString('utf8')
    else if (name === SECRETS) secrets = content.toString('utf8')
    else if (table) {
      const sum = found.get(table) ?? { hash: createHash('sha256'), rows: 0, bytes: 0 }
      found.set(table, sum)
      sum.hash.update(content)
      sum.rows += countRows(content)
      sum.bytes += content.length
    }
  }
  const whole = manifestOf(file, manifest, application)
  for (const [table, sum] of Object.entries(whole.tables)) {
    const { hash = createHash('sha256'), rows = 0, bytes = 0 } = found.get(table) ?? {}
    if (hash.digest('hex') !== sum.sha256 || rows !== sum.rows || bytes !== sum.bytes) {
      throw new BackupRefused(`${file} was changed: its table ${table} does not match its manifest.`)
    }
  }
  return { file, identities, manifest: whole, secrets }
}

function manifestOf(file: string, text: string | undefined, application: string): Manifest {
  if (text === undefined)
    throw new BackupRefused(`${file} is not a complete backup: its end, the manifest, is missing.`)
  const json = jsonOf(text)
  const any = AnyManifest.safeParse(json)
  if (any.success && any.data.format > FORMAT) {
    throw new BackupRefused(
      `${file} was made by version ${any.data.application} of the site, in a newer format (${any.data.format}) than this ` +
        `version, ${application}, can read (${FORMAT}). Restore it with that version.`,
    )
  }
  const read = Manifest.safeParse(json)
  if (!read.success) throw new BackupRefused(`${file} is not a backup of this site: ${z.prettifyError(read.error)}`)
  return read.data
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
