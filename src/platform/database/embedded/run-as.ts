import { spawn } from 'node:child_process'
import { access, chmod, chown, constants } from 'node:fs/promises'

/** The unprivileged user that PostgreSQL runs as. Null: our own, which is not root. */
export type RunAs = { name: string; uid: number; gid: number } | null

/** How a command ended. `output` is both streams; `code` is null when it did not start, for the reason `why`. */
export type Outcome = { code: number | null; output: string; why: 'missing' | 'forbidden' | 'other' | null }

/**
 * Runs a command as `user`.
 *
 * Its folder is `/` because ours may be closed to that user, and its environment has none of our settings: they are
 * secrets, and PG* variables would change what it does.
 */
export function runAs(user: RunAs, command: string, args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: windows ? undefined : '/',
      env: bareEnvironment(),
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(user && { uid: user.uid, gid: user.gid }),
    })
    let output = ''
    const keep = (chunk: Buffer) => {
      output += chunk
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ code: null, output: error.message, why: reasons[error.code ?? ''] ?? 'other' }),
    )
    // On Windows the server that pg_ctl starts inherits the pipes, and 'close' would wait for it.
    child.once(windows ? 'exit' : 'close', (code) => resolve({ code: code ?? 1, output, why: null }))
  })
}

const windows = process.platform === 'win32'

const reasons: Record<string, Outcome['why']> = { ENOENT: 'missing', EACCES: 'forbidden', EPERM: 'forbidden' }

/** Whether `user` may enter and write a folder. The system is tried, because it knows about ACLs and mounts. */
export async function canUse(user: RunAs, folder: string): Promise<boolean> {
  if (!user) {
    return access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    )
  }
  return (await runAs(user, '/bin/sh', ['-c', 'cd "$1" && test -r . && test -w .', 'sh', folder])).code === 0
}

/** Gives a file or folder to `user`, closed to everyone else. */
export async function setOwner(user: RunAs, path: string, mode: 0o600 | 0o700): Promise<void> {
  await chmod(path, mode)
  if (user) await chown(path, user.uid, user.gid)
}

/** The user `nobody`, or null if there is none. */
export async function lookUpNobody(): Promise<RunAs> {
  const ask = async (flag: string) => {
    const { code, output } = await runAs(null, 'id', [flag, 'nobody'])
    return code === 0 ? Number.parseInt(output, 10) : 0
  }
  const [uid, gid] = await Promise.all([ask('-u'), ask('-g')])
  return uid > 0 && gid > 0 ? { name: 'nobody', uid, gid } : null
}

function bareEnvironment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'Path', 'SystemRoot', 'SYSTEMROOT', 'windir', 'TEMP', 'TMP', 'COMSPEC']
  const environment: NodeJS.ProcessEnv = { LC_ALL: 'C', TZ: 'UTC' }
  for (const name of kept) if (process.env[name]) environment[name] = process.env[name]
  return environment
}
