import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { removeOldDrafts } from '#platform/database/backup/whole-file.ts'
import { studio } from '#studio.ts'

/** Where backups go unless a file is named. */
export const backupsIn = (dataDir: string) => join(dataDir, 'backups')

/** The name of a backup made now, at the studio's wall time: they sort by age. */
export function backupName(madeBy: 'night' | 'command', now: Temporal.Instant, isEncrypted: boolean): string {
  const at = now.toZonedDateTimeISO(studio.timeZone).toPlainDateTime().toString({ smallestUnit: 'second' })
  const stamp = at.replace('T', '-').replaceAll(':', '')
  return `${madeBy === 'night' ? 'night' : 'studio'}-${stamp}.tar.zst${isEncrypted ? '.age' : ''}`
}

const NIGHTLY = /^night-\d{4}-\d{2}-\d{2}-\d{6}\.tar\.zst(\.age)?$/

/**
 * Removes all but the newest nightly backups of a folder, and what was left of unfinished ones; nothing else in it.
 * Source of how many stay: docs/studio-rules.md#backups
 */
export async function removeOldBackups(folder: string): Promise<void> {
  const nightly = (await readdir(folder)).filter((name) => NIGHTLY.test(name)).sort()
  const { backupNights } = studio.policies.retention
  for (const name of nightly.slice(0, -backupNights)) await rm(join(folder, name), { force: true })
  await removeOldDrafts(folder)
}
