import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { errnoOf, OperatorError } from '../operator-error.ts'
import { findBinaries } from './embedded/binaries.ts'
import {
  type Cluster,
  clusterIn,
  DATABASE_USER,
  ensureCluster,
  passwordOf,
  serverOf,
  startServer,
  stopServer,
} from './embedded/cluster.ts'
import { findPlace } from './embedded/place.ts'

const DATABASE = 'studio'
/** After a crash a server replays its log before it answers. */
const SERVER_PATIENCE_MS = 120_000

type EmbeddedPostgresOptions = {
  /** DATA_DIR: the same folder always has the same data. */
  dataDir: string
  /** Receives progress messages; names the folder when it is not inside `dataDir`. */
  print: (sentence: string) => void
  /** Tests only: not durable, and more connections. */
  forTests?: boolean
  /** For other processes that find the database in use, such as "the site on port 3000". The process id is added. */
  ownerLabel: string
  /** How long to wait for an owner that may be stopping. */
  waitForOwnerMs?: number
  /**
   * For a short task while a site runs (creating an admin): shares the database with its owner, and refuses the files
   * of another major version, which a site moves aside.
   */
  canShareServer?: boolean
}

export type EmbeddedPostgres = {
  /** Connection string of a superuser, with its password: never log it. */
  url: string
  /** Stops the server if we own it. Remaining connections are closed. */
  stop: () => Promise<void>
  /**
   * Stops the server, moves its database aside and starts an empty one.
   *
   * @param madeBy what made the database, for the message
   */
  startAfresh: (madeBy: string) => Promise<EmbeddedPostgres>
}

/** Another process owns the database. The message names it. */
class DatabaseInUse extends OperatorError {}

/**
 * Starts the bundled PostgreSQL, or finds the server that a killed process left running, and becomes its only owner.
 * For demos, development and tests: a live site has a server of its own.
 *
 * @throws DatabaseInUse when another process owns it; another OperatorError when it cannot run
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, print, forTests = false } = options
  const place = await findPlace(dataDir, print)
  const cluster = clusterIn(place, await findBinaries(place, print), forTests)
  await checkVersion(cluster, options)
  return await serve(cluster, options)
}

async function serve(cluster: Cluster, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { print, canShareServer = false } = options
  await ensureCluster(cluster, print)
  const password = await passwordOf(cluster)

  let held = await acquire(cluster, password, options)
  let stopping: Promise<void> | undefined
  if (held.owned) watch(held.client)
  else if (canShareServer) await held.client.end()

  /** If the server crashes or our connection is closed, the lock is gone: take it again. */
  function watch(client: pg.Client) {
    client.once('end', async () => {
      if (stopping) return
      print('The connection to the database was lost. Connecting again.')
      try {
        held = await acquire(cluster, password, { ...options, canShareServer: false })
        if (stopping) await held.client.end()
        else {
          watch(held.client)
          print('The database is back.')
        }
      } catch (error) {
        held.owned = false
        print(error instanceof Error ? error.message : String(error))
      }
    })
  }

  const stop = () => {
    stopping ??= held.owned ? stopServer(cluster).finally(() => held.client.end().catch(() => {})) : Promise.resolve()
    return stopping
  }
  return {
    url: `postgres://${DATABASE_USER}:${password}@127.0.0.1:${held.port}/${DATABASE}`,
    stop,
    startAfresh: async (madeBy) => {
      await stop()
      await moveAside(cluster, madeBy, print)
      return await serve(cluster, options)
    },
  }
}

type Held = { client: pg.Client; port: number; owned: boolean }

/** Starts the server, waits for it and for its previous owner, until we own it. */
async function acquire(cluster: Cluster, password: string, options: EmbeddedPostgresOptions): Promise<Held> {
  const { ownerLabel, waitForOwnerMs = 10_000, canShareServer = false, print } = options
  const label = `${ownerLabel}, process ${process.pid}`
  const startedAt = performance.now()
  let hasSaid = false
  for (;;) {
    const server = await serverOf(cluster)
    if (!server) {
      await startServer(cluster)
      continue
    }
    const answer = await tryServer(server.port, password, label)
    if (answer && (!answer.owner || canShareServer)) {
      return { client: answer.client, port: server.port, owned: !answer.owner }
    }
    await answer?.client.end().catch(() => {})
    const waited = performance.now() - startedAt
    if (answer?.owner && waited > waitForOwnerMs) throw new DatabaseInUse(taken(options.dataDir, answer.owner))
    if (!answer && waited > SERVER_PATIENCE_MS) {
      throw new OperatorError(
        `PostgreSQL is running (process ${server.pid}) but does not respond. Its log is ${cluster.log}.`,
      )
    }
    if (answer && !hasSaid) print('Waiting for another process of the site to stop using the database.')
    hasSaid ||= answer !== null
    await pause(100)
  }
}

/** Tries to own a server. `owner` is its present owner, null when we own it now. Null: try again later. */
async function tryServer(
  port: number,
  password: string,
  label: string,
): Promise<{ client: pg.Client; owner: Owner | null } | null> {
  const client = await connect(port, password, label)
  if (!client) return null
  try {
    if (await tryToOwn(client)) {
      await ensureDatabase(client, DATABASE)
      return { client, owner: null }
    }
    const owner = await ownerOf(client)
    if (owner) return { client, owner }
  } catch (error) {
    if (!isGone(error)) throw error
  }
  await client.end().catch(() => {}) // the owner stopped, or the server did, in between
  return null
}

function taken(dataDir: string, owner: Owner): string {
  const since = owner.since.toISOString().slice(0, 16).replace('T', ' ')
  return (
    `The database in ${dataDir} is in use by ${owner.label}, since ${since} UTC. ` +
    'Stop it first, or set DATA_DIR to another folder.'
  )
}

/** "stu" "dio" as two numbers: the advisory lock of an embedded database's owner. */
const OWNER_LOCK = [7_566_453, 6_580_591]

/**
 * Connects to the maintenance database as superuser. Null without an answer: the server starts, stops or is gone.
 *
 * @param label shown to a process that finds the database in use
 */
async function connect(port: number, password: string, label: string): Promise<pg.Client | null> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: DATABASE_USER,
    password,
    database: 'postgres',
    application_name: label.slice(0, 63), // PostgreSQL's limit
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  })
  client.on('error', () => {}) // 'end' reports a lost connection
  try {
    await client.connect()
    return client
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

/** Tries to become the owner. The lock ends with the connection, so it is free as soon as its holder is gone. */
async function tryToOwn(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as taken', OWNER_LOCK)
  return rows[0].taken
}

/** The owner's label, and since when. */
type Owner = { label: string; since: Date }

async function ownerOf(client: pg.Client): Promise<Owner | null> {
  const { rows } = await client.query(
    `select a.application_name as label, a.backend_start as since
       from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted
        and l.classid = $1::bigint::oid and l.objid = $2::bigint::oid and l.objsubid = 2`,
    OWNER_LOCK,
  )
  return rows[0] ?? null
}

/** Creates the site's database if it is missing. Only the owner of the server calls this. */
async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
  if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`)
}

/**
 * Whether the server is gone or is still starting, so try again. Without a SQLSTATE or a system's error code, the
 * driver lost its connection.
 */
function isGone(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return false
  const code = errnoOf(error)
  return code === undefined || ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03'].includes(code)
}

/** A major version of PostgreSQL cannot read another's files. */
async function checkVersion(cluster: Cluster, { canShareServer, print }: EmbeddedPostgresOptions): Promise<void> {
  const made = await readFile(path.join(cluster.data, 'PG_VERSION'), 'utf8').catch(() => undefined)
  const [before, here] = [Number.parseInt(made ?? '', 10), cluster.binaries.major]
  if (made === undefined || before === here) return
  if (!canShareServer) return await moveAside(cluster, `PostgreSQL ${before}`, print)
  throw new OperatorError(
    `The database in ${cluster.data} was made by PostgreSQL ${before}, and this version of the site uses PostgreSQL ` +
      `${here}. Start the site: it moves the old database aside and makes a new one.`,
  )
}

async function refuseRunning(cluster: Cluster): Promise<void> {
  const server = await serverOf(cluster)
  if (!server) return
  throw new OperatorError(
    `PostgreSQL is still running on ${cluster.data} (process ${server.pid}). Stop the site that uses it first.`,
  )
}

/** Moves a stopped database's folder aside, next to where it was; everything else in DATA_DIR stays. */
async function moveAside(cluster: Cluster, madeBy: string, print: (sentence: string) => void): Promise<void> {
  await refuseRunning(cluster)
  const now = new Date().toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')
  const name = `${cluster.data}.before-${now}`
  const kept = existsSync(name) ? `${name}-${randomBytes(4).toString('hex')}` : name
  await renameWhenFree(cluster.data, kept)
  print(`The database was made by ${madeBy}. It was moved to ${kept}, and a new one takes its place.`)
}

const RENAME_PATIENCE_MS = 10_000

/** On Windows a folder cannot be renamed until the last process of its server has ended, just after the server. */
async function renameWhenFree(from: string, to: string): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    try {
      return await rename(from, to)
    } catch (error) {
      const isInUse = ['EACCES', 'EBUSY', 'EPERM'].includes(errnoOf(error) ?? '')
      if (!isInUse || performance.now() - startedAt > RENAME_PATIENCE_MS) throw error
      await pause(100)
    }
  }
}
