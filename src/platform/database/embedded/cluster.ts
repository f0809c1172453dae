import { randomBytes, randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { persist } from '../../disk.ts'
import { errnoOf, OperatorError } from '../../operator-error.ts'
import type { Binaries } from './binaries.ts'
import type { Place } from './place.ts'
import { runAs, setOwner } from './run-as.ts'

/** The superuser, with a generated password and reachable from this machine only. */
export const DATABASE_USER = 'studio'

/** One PostgreSQL data directory and the programs to run it. */
export type Cluster = { place: Place; binaries: Binaries; data: string; log: string; forTests: boolean }

export function clusterIn(place: Place, binaries: Binaries, forTests: boolean): Cluster {
  return {
    place,
    binaries,
    forTests,
    data: path.join(place.folder, 'cluster'),
    log: path.join(place.folder, 'postgres.log'),
  }
}

export const passwordOf = (cluster: Cluster) => readFile(path.join(cluster.data, 'studio-password'), 'utf8')

/**
 * Creates the data directory if it is missing: as a draft, renamed when complete, so an interrupted one is never used,
 * and of two first starts the second discards its own.
 */
export async function ensureCluster(cluster: Cluster, print: (sentence: string) => void): Promise<void> {
  if (existsSync(cluster.data)) return
  print('Creating the database.')
  const { folder, user } = cluster.place
  const draft = path.join(folder, `cluster.new-${process.pid}-${randomBytes(4).toString('hex')}`)
  await mkdir(draft, { mode: 0o700 })
  await setOwner(user, draft, 0o700)
  try {
    const whole = path.join(draft, 'cluster')
    await initialise(cluster, draft, whole)
    await rename(whole, cluster.data).catch((error) => {
      if (!existsSync(cluster.data)) throw error
    })
    await persist(folder)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  await removeOldDrafts(folder)
}

async function initialise({ binaries, place: { user } }: Cluster, draft: string, whole: string) {
  const password = randomBytes(24).toString('base64url')
  const passwordFile = path.join(draft, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  await setOwner(user, passwordFile, 0o600)
  const { code, output } = await runAs(user, binaries.initdb, [
    `--pgdata=${whole}`,
    `--username=${DATABASE_USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // PostgreSQL's own C.UTF-8: the same order and case rules on every system.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ])
  if (code !== 0) throw new OperatorError(`The database could not be created. initdb reported:\n${output.trim()}`)
  await appendFile(path.join(whole, 'postgresql.conf'), "\ninclude 'studio.conf' # written at every start\n")
  await rename(passwordFile, path.join(whole, 'studio-password'))
  await persist(path.join(whole, 'studio-password'))
  await persist(path.join(whole, 'postgresql.conf'))
  await persist(whole)
}

/**
 * Starts the server with pg_ctl, which detaches it, so it outlives us. PostgreSQL settles concurrent starts
 * (postmaster.pid); the loser finds the other's server.
 */
export async function startServer(cluster: Cluster): Promise<void> {
  await rotateLog(cluster)
  let output = ''
  for (let attempt = 1; attempt <= 3; attempt++) {
    await writeSettings(cluster, attempt === 1)
    const start = await runAs(cluster.place.user, cluster.binaries.pgCtl, [
      'start',
      '--wait',
      '--timeout=120', // after a crash the server replays its log first
      '--silent',
      `--pgdata=${cluster.data}`,
      `--log=${cluster.log}`,
    ])
    if (start.code === 0 || (await serverOf(cluster))) return
    output = `${start.output}\n${await lastLines(cluster.log)}`.trim()
    if (!/could not bind|address already in use/i.test(output)) break
  }
  throw new OperatorError(`PostgreSQL did not start. Its log (${cluster.log}):\n${output}`)
}

/** How long a server may take to close its connections and write its data. */
const STOP_PATIENCE_MS = 60_000

/**
 * Stops the server, closing its connections, and waits for it. We wait ourselves: pg_ctl waits until nothing serves the
 * data, and another process may start the next server sooner.
 *
 * @throws OperatorError when it cannot be stopped
 */
export async function stopServer(cluster: Cluster): Promise<void> {
  const stopping = await serverOf(cluster)
  const { code, output } = await runAs(cluster.place.user, cluster.binaries.pgCtl, [
    'stop',
    '--mode=fast',
    '--no-wait',
    '--silent',
    `--pgdata=${cluster.data}`,
  ])
  const startedAt = performance.now()
  for (;;) {
    const running = await serverOf(cluster)
    if (!running || running.pid !== stopping?.pid) return
    if (code !== 0) throw new OperatorError(`PostgreSQL did not stop: ${output.trim()}`)
    if (performance.now() - startedAt > STOP_PATIENCE_MS) {
      throw new OperatorError(`PostgreSQL did not stop within a minute. Its log is ${cluster.log}.`)
    }
    await pause(50)
  }
}

/**
 * The running server of this data directory, by its postmaster.pid. Null when there is none, also when a killed server
 * left the file behind. It may not accept connections yet, or any more.
 */
export async function serverOf(cluster: Cluster): Promise<{ pid: number; port: number } | null> {
  const text = await readFile(path.join(cluster.data, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const [pid, port] = [Number.parseInt(lines[0] ?? '', 10), Number.parseInt(lines[3] ?? '', 10)]
  if (!(pid > 0 && port > 0) || !isAlive(pid)) return null
  if (await servesThis(pid, cluster.data)) return { pid, port }
  await markStale(cluster, text)
  return null
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errnoOf(error) === 'EPERM'
  }
}

/** Process ids are reused (always, after a container restarts): is this one our server? */
async function servesThis(pid: number, data: string): Promise<boolean> {
  if (process.platform === 'win32') return true
  if (process.platform === 'linux') {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return command.split('\0').includes(data)
  }
  const { output } = await runAs(null, 'ps', ['-p', String(pid), '-o', 'command='])
  return output.includes(data)
}

/**
 * Replaces the process id of a dead server in its lock file with an id that no system uses. Deleting the file would
 * also disable PostgreSQL's check that no stray backend uses the data. The file is moved away before it is checked
 * again, so that a server that starts now keeps its own.
 */
async function markStale(cluster: Cluster, stale: string) {
  const file = path.join(cluster.data, 'postmaster.pid')
  const taken = `${file}.${randomBytes(4).toString('hex')}`
  try {
    await rename(file, taken)
    if ((await readFile(taken, 'utf8')) === stale) await writeFile(taken, stale.replace(/^\d+/, '2147483646'))
    await link(taken, file)
  } catch (error) {
    const code = errnoOf(error)
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error // another start was first
  } finally {
    await rm(taken, { force: true })
  }
}

/** The previous port, so that noted addresses stay valid, unless it is taken. */
async function writeSettings(cluster: Cluster, keepPort: boolean) {
  const file = path.join(cluster.data, 'studio.conf')
  const before = await readFile(file, 'utf8').catch(() => '')
  const last = Number.parseInt(/^port = (\d+)/m.exec(before)?.[1] ?? '', 10)
  const port = keepPort && last > 0 && (await isFree(last)) ? last : await freePort()
  const draft = `${file}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, settingsFor(port, cluster.forTests))
  await setOwner(cluster.place.user, draft, 0o600)
  await rename(draft, file)
}

async function rotateLog(cluster: Cluster) {
  const { size } = await stat(cluster.log).catch(() => ({ size: 0 }))
  if (size > 10_000_000) await rename(cluster.log, `${cluster.log}.1`)
}

async function lastLines(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.trimEnd().split('\n').slice(-10).join('\n')
}

/** Removes drafts of killed starts. One younger than an hour may still be in use. */
async function removeOldDrafts(folder: string) {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('cluster.new-')) continue
    const draft = path.join(folder, name)
    const { mtimeMs } = await stat(draft).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > 3_600_000) await rm(draft, { recursive: true, force: true })
  }
}

/**
 * The server's settings, written at every start so that a newer version of the site can change them.
 *
 * @param forTests not durable, and many studios share one server
 */
function settingsFor(port: number, forTests: boolean): string {
  const durable = forTests ? 'off' : 'on'
  return `# Written by the site at every start; changes here are lost.
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
password_encryption = 'scram-sha-256'

# One small studio on one small machine.
max_connections = ${forTests ? 400 : 100}
shared_buffers = '64MB'
work_mem = '8MB'
maintenance_work_mem = '64MB'
jit = off
# Each look starts a process for each database, each checkpoint writes for minutes, and both writers wake five times a
# second. Only commits that do not wait for the disk wait for the first.
autovacuum_naptime = '5min'
checkpoint_timeout = '30min'
wal_writer_delay = '1s'
bgwriter_delay = '10s'
# As on any SSD; the default of 4 makes PostgreSQL read whole tables.
random_page_cost = 1.1

timezone = 'UTC'
log_timezone = 'UTC'
datestyle = 'ISO, YMD'

fsync = ${durable}
synchronous_commit = ${durable}
full_page_writes = ${durable}

# Failed statements and the rows in them are people's data: the log records that something failed, without the data.
log_error_verbosity = terse
log_min_error_statement = panic
log_parameter_max_length_on_error = 0
log_checkpoints = off
log_autovacuum_min_duration = -1
`
}

/** Whether a port of 127.0.0.1 is free. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

/** A free port below the range for outgoing connections, so that it is still free next time. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = randomInt(20_000, 32_000)
    if (await isFree(port)) return port
  }
  throw new OperatorError('No port is free for the database on 127.0.0.1.')
}
