import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, lchownSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '#platform/operator-error.ts'
import { backupsFolder } from './backup/recorded-backup.ts'
import { readSettings, type Settings } from './settings.ts'

/** Absent on Windows. */
type Privileges = Partial<Pick<NodeJS.Process, 'getuid' | 'setuid' | 'setgid' | 'setgroups'>>

/**
 * The settings of the environment, for the site and its commands. A live site never runs as root: if root starts it, it
 * switches to the user of `RUN_AS` before it opens anything.
 *
 * @throws {SettingsError} with all faults, among them that root cannot start a live site
 */
export function settingsOfCommand(privileges: Privileges = process): Settings {
  const { env } = process
  const isLiveAsRoot = env.STUDIO_MODE?.trim() === 'live' && privileges.getuid?.() === 0
  const settings = readSettings(env, isLiveAsRoot ? userFaults(env.RUN_AS?.trim()) : [])
  leaveRoot(settings, privileges)
  return settings
}

/** Why root cannot become this user. */
function userFaults(runAs: string | undefined): string[] {
  if (!runAs) {
    return [
      'RUN_AS is missing: a live site cannot run as root. Start it as an unprivileged user (User= in its systemd unit, ' +
        'or runuser --user studio -- npm run serve), or set RUN_AS to one. If root created the embedded database, set ' +
        'RUN_AS=nobody.',
    ]
  }
  return idsOf(runAs) || runAs === 'root' ? [] : [`RUN_AS is ${runAs}, but this system has no such unprivileged user`]
}

/**
 * Switches from root to the user of `RUN_AS`. A missing DATA_DIR is created for that user, and a folder of backups that
 * root created there is handed over.
 *
 * @throws OperatorError if it cannot
 */
export function leaveRoot(
  { mode, runAs, dataDir }: Pick<Settings, 'mode' | 'runAs' | 'dataDir'>,
  privileges: Privileges = process,
): void {
  if (mode !== 'live' || privileges.getuid?.() !== 0 || !runAs) return
  const ids = idsOf(runAs)
  if (!ids) throw new OperatorError(`RUN_AS is ${runAs}, but this system has no such unprivileged user.`)
  const { uid, gid } = ids
  const backups = backupsFolder(dataDir)
  if (!existsSync(dataDir)) {
    mkdirSync(dataDir, { recursive: true })
    chownSync(dataDir, uid, gid)
  } else if (existsSync(backups) && statSync(backups).uid === 0) {
    for (const name of ['', ...readdirSync(backups)]) lchownSync(join(backups, name), uid, gid)
  }
  // Groups first: after setuid they can no longer be changed.
  privileges.setgroups?.([gid])
  privileges.setgid?.(gid)
  privileges.setuid?.(uid)
  if (privileges.getuid?.() === 0) throw new OperatorError(`Root could not switch to the user ${runAs}.`)
}

function idsOf(user: string): { uid: number; gid: number } | undefined {
  const idOf = (flag: '-u' | '-g') => Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: 'pipe' }))
  try {
    const [uid, gid] = [idOf('-u'), idOf('-g')]
    return uid > 0 && gid > 0 ? { uid, gid } : undefined
  } catch {
    return undefined
  }
}
