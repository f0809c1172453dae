import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { errnoOf, PlainFault } from '../plain-fault.ts'
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
import { ensureSitePassword, ensureSiteRole, handOver, SITE_ROLE, sitePasswordOf } from './embedded/site-role.ts'

/** The database inside the embedded server that belongs to the site. */
const DATABASE = 'studio'
/** How long a server may take to answer: after a crash it first replays its log. */
const SERVER_PATIENCE_MS = 120_000

type EmbeddedPostgresOptions = {
  /** DATA_DIR: the same folder always finds the same data. */
  dataDir: string
  /** Told in plain sentences what is going on; names the folder when it is not inside `dataDir`. */
  say: (sentence: string) => void
  /** Tests only: after a power cut nothing is promised, and it takes many connections. */
  forTests?: boolean
  /** Who we are, for whoever finds the database taken, such as "the site on port 3000". The process id is added. */
  ownerLabel: string
  /** How long to wait for an owner who may just be closing; the default is ours. */
  waitForOwnerMs?: number
  /** For a short task beside a running site (making an admin): use the database along with its owner if there is one. */
  besideOwner?: boolean
  /** For a restore: files of another major version are set aside, and an empty database is made in their place. */
  replaceOtherVersion?: boolean
}

export type EmbeddedPostgres = {
  /** Connection string of the role that owns the site's database and nothing else, password included: never log it. */
  url: string
  /** The same of the superuser: for tests and measurements. The site has no use for it. */
  superuserUrl: string
  /** Stops the server if we own it. Close connections first; those that are left are ended. */
  stop: () => Promise<void>
  /** Says that what replaces files of another version is whole: from now on the site may start on it. */
  endReplacement: () => Promise<void>
}

/** Somebody else owns the database. The message says who and since when. */
class DatabaseTaken extends PlainFault {}

/**
 * Starts the PostgreSQL that the project brings, or finds the one that a killed process left running, and becomes its
 * one owner.
 *
 * @throws DatabaseTaken when another process owns it and keeps it; OtherVersion when another PostgreSQL made its files;
 *   another plain fault when it cannot run
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, say, forTests = false, besideOwner = false } = options
  const place = await findPlace(dataDir, say)
  const cluster = clusterIn(place, await findBinaries(place, say), forTests)
  await checkVersion(cluster, options.replaceOtherVersion ?? false, say)
  await ensureCluster(cluster, say)
  const password = await passwordOf(cluster)

  let held = await acquire(cluster, password, options)
  let stopping: Promise<void> | undefined
  if (held.owned) watch(held.client)
  else if (besideOwner) await held.client.end()

  /** The server crashed and came back, or somebody ended our connection: the lock went with it, so take it again. */
  function watch(client: pg.Client) {
    client.once('end', async () => {
      if (stopping) return
      say('The connection to the database was lost. Connecting again.')
      try {
        held = await acquire(cluster, password, { ...options, besideOwner: false })
        if (stopping) await held.client.end()
        else {
          watch(held.client)
          say('The database is back.')
        }
      } catch (error) {
        held.owned = false
        say(error instanceof Error ? error.message : String(error))
      }
    })
  }

  const urlOf = (role: string, secret: string) => `postgres://${role}:${secret}@127.0.0.1:${held.port}/${DATABASE}`
  const superuserUrl = urlOf(DATABASE_USER, password)
  const sitePassword = await sitePasswordOf(cluster)
  return {
    url: sitePassword ? urlOf(SITE_ROLE, sitePassword) : superuserUrl,
    superuserUrl,
    stop: () => {
      stopping ??= held.owned ? stopServer(cluster).finally(() => held.client.end().catch(() => {})) : Promise.resolve()
      return stopping
    },
    endReplacement: () => endReplacement(cluster),
  }
}

type Held = { client: pg.Client; port: number; owned: boolean }

/** Goes round until the server runs and is ours: start it, wait for it, wait for its owner, whatever it takes. */
async function acquire(cluster: Cluster, password: string, options: EmbeddedPostgresOptions): Promise<Held> {
  const { ownerLabel, waitForOwnerMs = 10_000, besideOwner = false, say } = options
  const label = `${ownerLabel}, process ${process.pid}`
  const begun = performance.now()
  let told = false
  for (;;) {
    const server = await serverOf(cluster)
    if (!server) {
      await startServer(cluster)
      continue
    }
    const answer = await ask(cluster, { port: server.port, password, label })
    if (answer && (!answer.owner || besideOwner)) {
      return { client: answer.client, port: server.port, owned: !answer.owner }
    }
    await answer?.client.end().catch(() => {})
    const waited = performance.now() - begun
    if (answer?.owner && waited > waitForOwnerMs) throw new DatabaseTaken(taken(options.dataDir, answer.owner))
    if (!answer && waited > SERVER_PATIENCE_MS) {
      throw new PlainFault(`PostgreSQL runs (process ${server.pid}) but does not answer. Its log is ${cluster.log}.`)
    }
    if (answer && !told) say('Waiting for another start of the site to let go of the database.')
    told ||= answer !== null
    await pause(100)
  }
}

/** Asks a server to be ours. `owner` is who has it already, null when it is ours now. Null: ask again later. */
async function ask(
  cluster: Cluster,
  { port, password, label }: { port: number; password: string; label: string },
): Promise<{ client: pg.Client; owner: Owner | null } | null> {
  const client = await connect(port, password, label)
  if (!client) return null
  try {
    if (await tryToOwn(client)) {
      await ensureSiteRole(client, await ensureSitePassword(cluster))
      await ensureDatabase(client, DATABASE)
      const inside = await connect(port, password, label, DATABASE)
      if (inside) {
        await handOver(inside, DATABASE).finally(() => inside.end())
        return { client, owner: null }
      }
    }
    const owner = await ownerOf(client)
    if (owner) return { client, owner }
  } catch (error) {
    if (!isGone(error)) throw error
  }
  await client.end().catch(() => {}) // the owner let go, or the server went, between two questions
  return null
}

function taken(dataDir: string, owner: Owner): string {
  const since = owner.since.toISOString().slice(0, 16).replace('T', ' ')
  return (
    `The database in ${dataDir} is in use by ${owner.label}, since ${since} UTC. ` +
    'Stop that one first, or give this one a folder of its own with DATA_DIR.'
  )
}

/** "stu" "dio" as two numbers: the advisory lock that the one owner of an embedded database holds. */
const OWNER_LOCK = [7_566_453, 6_580_591]

/**
 * Connects to the server's maintenance database as its superuser. Null when it does not take connections: it is starting, stopping or
 * has just gone.
 *
 * @param label shown to whoever finds the database taken
 * @param database another than that one
 */
async function connect(
  port: number,
  password: string,
  label: string,
  database = 'postgres',
): Promise<pg.Client | null> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: DATABASE_USER,
    password,
    database,
    application_name: label.slice(0, 63), // PostgreSQL cuts there
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  })
  client.on('error', () => {}) // a lost connection is noticed by 'end'
  try {
    await client.connect()
    return client
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

/**
 * Tries to become the owner. The lock lives as long as the connection, so it is free again the moment that its
 * holder is gone, killed or not.
 */
async function tryToOwn(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as taken', OWNER_LOCK)
  return rows[0].taken
}

/** Who owns the database, in the words of their label, and since when. */
type Owner = { label: string; since: Date }

/** The present owner, or null when there is none. */
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

/** Makes a database unless it is there. Only the owner calls this, so nobody makes it at the same time. */
async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
  if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`)
}

/** Whether an error means that the server went away or is not there yet, which passes. */
function isGone(error: unknown): boolean {
  return (
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03'].includes(errnoOf(error) ?? '') ||
    /connection terminated|timeout expired|not queryable|connection error/i.test(String(error))
  )
}

/** The files are those of another PostgreSQL, or a restore that was to replace them has not come to its end. */
class OtherVersion extends PlainFault {}

/** There as long as old files are set aside and nothing whole is in their place. */
const noteOf = (cluster: Cluster) => path.join(cluster.place.folder, 'restore-unfinished')

/**
 * Each major version of PostgreSQL has files of its own, which no other reads.
 *
 * @param replaces whether a restore is to replace them: then they are renamed, and stay
 * @throws OtherVersion with the two commands that lead on
 */
async function checkVersion(cluster: Cluster, replaces: boolean, say: (sentence: string) => void): Promise<void> {
  const note = await readFile(noteOf(cluster), 'utf8').catch(() => undefined)
  if (note !== undefined && !replaces) {
    throw new OtherVersion(
      'A restore that was to replace the database has not come to its end; the files from before are in ' +
        `${note.trim()}. Run it again: npm run restore -- <file> --replace`,
    )
  }
  const made = await readFile(path.join(cluster.data, 'PG_VERSION'), 'utf8').catch(() => undefined)
  const [before, here] = [Number.parseInt(made ?? '', 10), cluster.binaries.major]
  if (made === undefined || before === here) return
  if (!replaces) throw new OtherVersion(twoCommands(cluster, before))
  if (await serverOf(cluster)) {
    throw new OtherVersion(
      `PostgreSQL ${before} still runs on ${cluster.data}. Stop the site of the version before first.`,
    )
  }
  const kept = freeName(`${cluster.data}-${before}`)
  await writeFile(noteOf(cluster), `${kept}\n`, { flush: true })
  await rename(cluster.data, kept)
  say(`The files of PostgreSQL ${before} are kept in ${kept}. Delete them when all is well.`)
}

/** What replaces the old files is whole. */
async function endReplacement(cluster: Cluster): Promise<void> {
  await rm(noteOf(cluster), { force: true })
}

function twoCommands({ data, binaries }: Cluster, before: number): string {
  return (
    `The database in ${data} was made by PostgreSQL ${before}, and this version of the site brings PostgreSQL ` +
    `${binaries.major}, which cannot read its files: back it up with the version of the site that ran before, and restore ` +
    'it with this one.\n  npm run backup -- studio.tar.zst\n  npm run restore -- studio.tar.zst --replace --receipts-from 1'
  )
}

function freeName(name: string): string {
  return existsSync(name) ? `${name}-${randomBytes(4).toString('hex')}` : name
}
