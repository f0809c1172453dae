import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync } from 'node:fs'
import { OperatorError } from '#platform/operator-error.ts'
import type { Settings } from './settings.ts'

/** Absent on Windows. */
type Privileges = Partial<Pick<NodeJS.Process, 'getuid' | 'setuid' | 'setgid' | 'setgroups'>>

/**
 * A live site never runs as root: if root starts it, it switches to the user of `RUN_AS` before it opens anything. A
 * missing DATA_DIR is created for that user.
 *
 * @throws OperatorError when RUN_AS is not set, or the system has no such user
 */
export function leaveRoot(
  { mode, runAs, dataDir }: Pick<Settings, 'mode' | 'runAs' | 'dataDir'>,
  privileges: Privileges = process,
): void {
  if (mode !== 'live' || privileges.getuid?.() !== 0) return
  if (!runAs) {
    throw new OperatorError(
      'A live site cannot run as root. Start it as an unprivileged user (User= in its systemd unit, or runuser --user ' +
        'studio -- npm run serve), or set RUN_AS to one, and the site switches to it when it starts. If root created ' +
        'the embedded database, set RUN_AS=nobody.',
    )
  }
  const [uid, gid] = [idOf(runAs, '-u'), idOf(runAs, '-g')]
  if (!existsSync(dataDir)) {
    mkdirSync(dataDir, { recursive: true })
    chownSync(dataDir, uid, gid)
  }
  // Groups first: after setuid they can no longer be changed.
  privileges.setgroups?.([gid])
  privileges.setgid?.(gid)
  privileges.setuid?.(uid)
  if (privileges.getuid?.() === 0) throw new OperatorError(`The site could not switch to the user ${runAs}.`)
}

function idOf(user: string, flag: '-u' | '-g'): number {
  try {
    const id = Number.parseInt(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: 'pipe' }), 10)
    if (id > 0) return id
  } catch {}
  throw new OperatorError(`RUN_AS is ${user}, but this system has no such unprivileged user.`)
}
