import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { copyCluster } from '../../testing/made-cluster.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

// Real processes and a real PostgreSQL: an owner that is to be killed runs embedded/owner-process.ts.

let dataDir: string
let undo: (() => Promise<unknown>)[]

beforeEach(async () => {
  undo = []
  const open = await mkdtemp(path.join(tmpdir(), 'embedded-'))
  await chmod(open, 0o755)
  dataDir = path.join(open, 'data')
  undo.push(() => rm(open, { recursive: true, force: true, maxRetries: 10 }))
})

afterEach(async () => {
  for (const step of undo.reverse()) await step()
})

const sentences: string[] = []

/** Spares a test the making of a cluster; what a first start makes is the subject of the others. */
const madeBefore = () => copyCluster(inject('madeCluster'), dataDir)

async function begin(options: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {}) {
  sentences.length = 0
  const database = await startEmbeddedPostgres({
    dataDir,
    ownerLabel: 'the test',
    forTests: true,
    say: (sentence) => sentences.push(sentence),
    ...options,
  })
  undo.push(database.stop)
  return database
}

type Told = { url?: string; error?: string; sentence?: string }

/** Another process that owns the database, once it said so. */
async function owner(label: string, waitForOwnerMs = 0) {
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'embedded/owner-process.ts'), dataDir, label, String(waitForOwnerMs)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  undo.push(() => end(child, 'SIGTERM'))
  for await (const line of createInterface({ input: child.stdout })) {
    const told: Told = JSON.parse(line)
    if (told.url || told.error) return { ...told, child }
  }
  throw new Error('the owner ended without a word')
}

async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

async function ask<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(sql)).rows
  } finally {
    await client.end()
  }
}

const serverProcess = async () =>
  Number((await readFile(path.join(await cluster(), 'postmaster.pid'), 'utf8')).split('\n')[0])

async function cluster() {
  const elsewhere = await readFile(path.join(dataDir, 'postgres-location'), 'utf8').catch(() => '')
  return path.join(elsewhere.trim() || path.join(dataDir, 'postgres'), 'cluster')
}

test('it is a real PostgreSQL 18 in UTF-8 and UTC, on loopback, behind a password', async () => {
  const { url, superuserUrl } = await begin({ forTests: false })
  const [settings] = await ask(
    superuserUrl,
    `select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding,
            current_setting('timezone') as zone, current_setting('listen_addresses') as addresses,
            current_setting('fsync') as fsync, current_setting('synchronous_commit') as commits, lower('ÄÉ') as lower,
            (select bool_and(rolpassword like 'SCRAM-SHA-256$%') from pg_authid where rolcanlogin) as scram`,
  )
  expect(settings).toEqual({
    version: 18,
    encoding: 'UTF8',
    zone: 'UTC',
    addresses: '127.0.0.1',
    fsync: 'on',
    commits: 'on',
    lower: 'äé',
    scram: true,
  })
  await expect(ask(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(/password authentication failed/)
  expect((await stat(path.join(await cluster(), 'studio-password'))).mode & 0o777).toBe(0o600)
})

test('a clean stop stops the server, and the next start has the same data on the same port', async () => {
  await madeBefore()
  const first = await begin()
  await ask(first.url, 'create table kept as select 7 as number')
  await first.stop()
  await expect(ask(first.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/)
  await expect(readFile(path.join(await cluster(), 'postmaster.pid'))).rejects.toThrow(/ENOENT/)

  const second = await begin()
  expect(second.url).toBe(first.url)
  expect(await ask(second.url, 'select number from kept')).toEqual([{ number: 7 }])
  expect(sentences).toEqual([])
})

test('a server whose owner was killed outlives it and is found again', async () => {
  await madeBefore()
  const { url = '', child } = await owner('the first')
  await ask(url, 'create table kept as select 7 as number')
  const before = await serverProcess()
  await end(child, 'SIGKILL')

  const again = await begin()
  expect(again.url).toBe(url)
  expect(await serverProcess()).toBe(before)
  expect(await ask(url, 'select number from kept')).toEqual([{ number: 7 }])
})

test('a second owner is refused and told who has the database since when', async () => {
  await madeBefore()
  const { child } = await owner('the site on port 3000')
  const today = new Date().toISOString().slice(0, 10)
  await expect(begin({ waitForOwnerMs: 0 })).rejects.toThrow(
    new RegExp(
      `${dataDir} is in use by the site on port 3000, process ${child.pid}, since ${today} \\d\\d:\\d\\d UTC\\.`,
    ),
  )
  await end(child, 'SIGTERM')
  await expect(begin({ waitForOwnerMs: 0 })).resolves.toBeDefined()
})

test('a second start waits for an owner that is just closing', async () => {
  await madeBefore()
  const first = await begin()
  const second = owner('the second', 60_000)
  await first.stop()
  expect(await second).toMatchObject({ url: first.url })
})

test('a short task may use the database beside its owner, and stopping it stops nothing', async () => {
  await madeBefore()
  const { url = '' } = await owner('the site')
  const beside = await begin({ besideOwner: true })
  expect(beside.url).toBe(url)
  await beside.stop()
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('of four first starts at once one wins, and the others are refused in words', async () => {
  const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((label) => owner(label)))
  const winners = outcomes.filter((outcome) => outcome.url)
  expect(winners).toHaveLength(1)
  for (const { error } of outcomes.filter((outcome) => !outcome.url))
    expect(error).toMatch(/is in use by [abcd], process \d+/)
  const left = await readdir(path.dirname(await cluster()))
  expect(left.filter((name) => name.startsWith('cluster'))).toEqual(['cluster'])
  expect(await ask(winners[0]?.url ?? '', 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a half-finished initdb is not used', async () => {
  const draft = path.join(dataDir, 'postgres', 'cluster.new-1-half', 'cluster')
  await mkdir(draft, { recursive: true })
  await writeFile(path.join(draft, 'PG_VERSION'), '18\n')
  const { url } = await begin()
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(sentences).toContain('Creating the database.')
})

test('files of another PostgreSQL are refused with two commands; a restore sets them aside and has to come to its end', async () => {
  await madeBefore()
  const { stop } = await begin()
  await stop()
  await writeFile(path.join(await cluster(), 'PG_VERSION'), '17\n')
  await expect(begin()).rejects.toThrow(
    /made by PostgreSQL 17, and this version of the site brings PostgreSQL 18.*npm run backup -- \S+\n.*npm run restore -- \S+ --replace$/s,
  )
  await expect(begin({ besideOwner: true })).rejects.toThrow('made by PostgreSQL 17')

  const killed = await begin({ replaceOtherVersion: true })
  const old = `${await cluster()}-17`
  expect(sentences).toContain(`The files of PostgreSQL 17 are kept in ${old}. Delete them when all is well.`)
  expect(await readFile(path.join(old, 'PG_VERSION'), 'utf8')).toBe('17\n')
  await killed.stop()
  await expect(begin()).rejects.toThrow(`has not come to its end; the files from before are in ${old}. Run it again`)

  const again = await begin({ replaceOtherVersion: true })
  await ask(again.url, 'create table kept as select 7 as number')
  await again.endReplacement()
  await again.stop()
  const { url } = await begin()
  expect(await ask(url, 'select number from kept')).toEqual([{ number: 7 }])
})

test('a lock file that names a process of somebody else does not stop a start', async () => {
  await madeBefore()
  const { stop } = await begin()
  await stop()
  const lock = path.join(await cluster(), 'postmaster.pid')
  await writeFile(lock, `${process.pid}\n${await cluster()}\n1700000000\n29999\n\n127.0.0.1\n\nready   \n`)
  if (process.getuid?.() === 0) {
    const { uid, gid } = await stat(await cluster())
    await chown(lock, uid, gid)
  }
  const { url } = await begin()
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a server that crashes under its owner is started again with what was committed, and stays theirs', async () => {
  await madeBefore()
  const { url } = await begin({ forTests: false })
  await ask(url, 'create table kept as select 7 as number')
  process.kill(await serverProcess(), 'SIGKILL')
  await vi.waitFor(() => expect(sentences).toContain('The database is back.'), { timeout: 60_000 })
  expect(await ask(url, 'select number from kept')).toEqual([{ number: 7 }])
  expect(await owner('another')).toMatchObject({ error: expect.stringContaining('is in use by the test') })
})

describe.runIf(process.getuid?.() === 0)('as root', () => {
  test('the server runs as somebody else', async () => {
    await madeBefore()
    await begin()
    expect((await stat(`/proc/${await serverProcess()}`)).uid).toBeGreaterThan(0)
  })

  test('below a folder that only root may enter, the data goes where PostgreSQL can reach it, and stays there', async () => {
    const closed = path.dirname(dataDir)
    await chmod(closed, 0o700)
    const first = await begin()
    const folder = path.dirname(await cluster())
    undo.push(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
    expect(folder).toMatch(/^\/var\/(lib|tmp)\/reformer-studio-/)
    expect(sentences.join('\n')).toContain(`who cannot enter ${dataDir}. The database is therefore kept in ${folder}.`)
    await ask(first.url, 'create table kept as select 7 as number')
    await first.stop()

    await chmod(closed, 0o755)
    const second = await begin()
    expect(sentences).toContain(`The database is kept in ${folder}, as on the first start.`)
    expect(await ask(second.url, 'select number from kept')).toEqual([{ number: 7 }])
    await second.stop()

    await rm(folder, { recursive: true })
    await expect(begin()).rejects.toThrow(`The database of ${dataDir} was kept in ${folder}, which is gone.`)
  })

  test('a copy of the project does not write into the database of the original', async () => {
    await chmod(path.dirname(dataDir), 0o700)
    const first = await begin()
    const folder = path.dirname(await cluster())
    undo.push(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
    await first.stop()
    const copy = `${dataDir}-copy`
    await mkdir(copy)
    await writeFile(path.join(copy, 'postgres-location'), `${folder}\n`)
    await expect(begin({ dataDir: copy })).rejects.toThrow(`belongs to ${dataDir}; ${copy} looks like a copy of it`)
  })

  test('data that was made inside the project is not left behind when the project is closed', async () => {
    const first = await begin()
    await first.stop()
    await chmod(path.dirname(dataDir), 0o700)
    await expect(begin()).rejects.toThrow(/can no longer enter that folder\. Open the folders above it/)
    await chmod(path.dirname(dataDir), 0o755)
    await expect(begin()).resolves.toMatchObject({ url: first.url })
  })
})
