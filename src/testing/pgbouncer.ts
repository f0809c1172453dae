import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const NOBODY = 65_534

/**
 * Starts PgBouncer (1.21 or newer) in transaction mode in front of a PostgreSQL.
 *
 * @param server a PostgreSQL URL with its password
 */
export async function startPgBouncer(
  program: string,
  server: string,
): Promise<{ host: string; stop(): Promise<void> }> {
  const { hostname, port, username, password } = new URL(server)
  const folder = await mkdtemp(join(tmpdir(), 'studio-pgbouncer-'))
  await chmod(folder, 0o755)
  const listenPort = await freePort()
  await writeFile(join(folder, 'userlist.txt'), `"${username}" "${password}"\n`)
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: listenPort,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: join(folder, 'userlist.txt'),
    pool_mode: 'transaction',
    max_prepared_statements: 200,
    max_client_conn: 2000,
    default_pool_size: 40,
    // Test databases are dropped once they have no connections.
    server_idle_timeout: 1,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, `[databases]\n* = host=${hostname} port=${port}\n[pgbouncer]\n${lines.join('\n')}\n`)

  const isRoot = process.getuid?.() === 0
  const pooler = spawn(program, ['--quiet', file], { stdio: 'inherit', ...(isRoot && { uid: NOBODY, gid: NOBODY }) })
  const ended = once(pooler, 'exit')
  while (!(await isListening(listenPort))) {
    if (pooler.exitCode !== null) throw new Error('PgBouncer stopped; see its output above.')
    await pause(50)
  }
  return {
    host: `127.0.0.1:${listenPort}`,
    async stop() {
      pooler.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address !== 'object' || !address) throw new Error('no port is free')
  return address.port
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
