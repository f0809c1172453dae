import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '#platform/database/embedded/cluster.ts'

const CADDYFILE = join(import.meta.dirname, '../../deploy/Caddyfile')

/** Starts Caddy (`$CADDY`) with deploy/Caddyfile in front of some processes, without HTTPS. */
export async function startProxy(
  folder: string,
  ports: readonly number[],
): Promise<{ origin: string; stop(): Promise<void> }> {
  const origin = `http://127.0.0.1:${await freePort()}`
  const file = join(folder, 'Caddyfile')
  await writeFile(file, `{\n\tadmin off\n}\nimport ${CADDYFILE}\n`)
  const caddy = spawn(process.env.CADDY ?? 'caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      SITE_ADDRESS: origin,
      UPSTREAMS: ports.map((port) => `127.0.0.1:${port}`).join(' '),
    },
  })
  const ended = once(caddy, 'exit')
  const isUp = () =>
    fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isUp())) {
    if (caddy.exitCode !== null) throw new Error(`Caddy ended with ${caddy.exitCode}.`)
    await pause(100)
  }
  return {
    origin,
    async stop() {
      caddy.kill('SIGTERM')
      await ended
    },
  }
}
