// npm run lab -- guide [<release.tar.gz>]: runs docs/operations/debian.md in a fresh Debian. Needs root.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { walkThrough } from './guide/walk-through.ts'

const ROOT = join(import.meta.dirname, '..')
const INSIDE = 'STUDIO_GUIDE_OUTSIDE'

/** The given release, or the one that `npm run release` made. */
function release(): string {
  const named = process.argv[2]
  if (named) return resolve(named)
  const made = readdirSync(join(ROOT, 'release'), { withFileTypes: true }).find(({ name }) => name.endsWith('.tar.gz'))
  if (!made) throw new Error('There is no release. Make one with npm run release.')
  return join(ROOT, 'release', made.name)
}

/** A network namespace with its own /etc/hosts, so that Debian's ports are always free. */
async function inOwnNetwork(): Promise<number> {
  const ours = `ip link set lo up
    hosts=$(mktemp) && cp /etc/hosts "$hosts" && echo '127.0.0.1 studio.example' >> "$hosts"
    mount --bind "$hosts" /etc/hosts && rm "$hosts"
    exec "$0" "$@"`
  const args = ['--net', '--mount', '--propagation', 'private', 'sh', '-euc', ours, process.execPath]
  const inside = spawn('unshare', [...args, import.meta.filename, release()], {
    stdio: 'inherit',
    env: { ...process.env, [INSIDE]: String(process.pid) },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => inside.kill(signal))
  const [code] = await once(inside, 'exit')
  return code ?? 1
}

const outside = process.env[INSIDE]
if (outside) await walkThrough({ release: release(), outside: `--net=/proc/${Number(outside)}/ns/net` })
else process.exitCode = await inOwnNetwork()
