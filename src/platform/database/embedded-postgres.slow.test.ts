import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { ask, dataFolder, end } from './embedded/embedded-under-test.ts'

const { begin, cluster, madeBefore, owner, place, serverProcess } = dataFolder()

test('is a real PostgreSQL 18 in UTF-8 and UTC, on loopback, with a password', async () => {
  const { url } = await begin({ forTests: false })
  const [settings] = await ask(
    url,
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

test('stops the server, and the next start has the same data on the same port', async () => {
  await madeBefore()
  const first = await begin()
  await ask(first.url, 'create table kept as select 7 as number')
  await first.stop()
  await expect(ask(first.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/)
  await expect(readFile(path.join(await cluster(), 'postmaster.pid'))).rejects.toThrow(/ENOENT/)

  const second = await begin()
  expect(second.url).toBe(first.url)
  expect(await ask(second.url, 'select number from kept')).toEqual([{ number: 7 }])
  expect(place.sentences).toEqual([])
})

test('outlives a killed owner and is found again', async () => {
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

test('refuses a second owner and names the first', async () => {
  await madeBefore()
  const { child } = await owner('the site on port 3000')
  const today = new Date().toISOString().slice(0, 10)
  await expect(begin({ waitForOwnerMs: 0 })).rejects.toThrow(
    new RegExp(
      `${place.dataDir} is in use by the site on port 3000, process ${child.pid}, since ${today} \\d\\d:\\d\\d UTC\\.`,
    ),
  )
  await end(child, 'SIGTERM')
  await expect(begin({ waitForOwnerMs: 0 })).resolves.toBeDefined()
})

test('waits for an owner that is closing', async () => {
  await madeBefore()
  const first = await begin()
  const second = owner('the second', 60_000)
  await first.stop()
  expect(await second).toMatchObject({ url: first.url })
})

test('shares the database with a short task, and keeps running when the task ends', async () => {
  await madeBefore()
  const { url = '' } = await owner('the site')
  const task = await begin({ canShareServer: true })
  expect(task.url).toBe(url)
  await task.stop()
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('lets one of four concurrent first starts win, and refuses the others with a reason', async () => {
  const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((label) => owner(label)))
  const winners = outcomes.filter((outcome) => outcome.url)
  expect(winners).toHaveLength(1)
  for (const { error } of outcomes.filter((outcome) => !outcome.url))
    expect(error).toMatch(/is in use by [abcd], process \d+/)
  const left = await readdir(path.dirname(await cluster()))
  expect(left.filter((name) => name.startsWith('cluster'))).toEqual(['cluster'])
  expect(await ask(winners[0]?.url ?? '', 'select 1 as one')).toEqual([{ one: 1 }])
})

test('does not use a half-finished initdb', async () => {
  const draft = path.join(place.dataDir, 'postgres', 'cluster.new-1-half', 'cluster')
  await mkdir(draft, { recursive: true })
  await writeFile(path.join(draft, 'PG_VERSION'), '18\n')
  const { url } = await begin()
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(place.sentences).toContain('Creating the database.')
})

const MOVED = /^The database was made by (.+)\. It was moved to (\S+\.before-\d{4}-\d\d-\d\d-\d{6}), and a new one/

test('moves the files of another PostgreSQL aside, but not for a short task', async () => {
  await madeBefore()
  const { stop } = await begin()
  await stop()
  await writeFile(path.join(await cluster(), 'PG_VERSION'), '17\n')
  await expect(begin({ canShareServer: true })).rejects.toThrow(
    /made by PostgreSQL 17, and this version of the site uses PostgreSQL 18\. Start the site/,
  )
  const { url } = await begin()
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
  const [, madeBy, kept = ''] = MOVED.exec(place.sentences[0] ?? '') ?? []
  expect(madeBy).toBe('PostgreSQL 17')
  expect(kept).toContain(`${await cluster()}.before-`)
  expect(await readFile(path.join(kept, 'PG_VERSION'), 'utf8')).toBe('17\n')
})

test('moves nothing aside while a server of another PostgreSQL runs', async () => {
  await madeBefore()
  const { child } = await owner('the site')
  await writeFile(path.join(await cluster(), 'PG_VERSION'), '17\n')
  await expect(begin()).rejects.toThrow(
    `PostgreSQL is still running on ${await cluster()} (process ${await serverProcess()}). Stop the site that uses it first.`,
  )
  expect(await readdir(path.dirname(await cluster()))).not.toContainEqual(expect.stringContaining('before'))
  await end(child, 'SIGTERM')
})

test('stops the server, moves its database aside and starts an empty one; the old one can be put back', async () => {
  await madeBefore()
  const first = await begin()
  await ask(first.url, 'create table kept as select 7 as number')
  await writeFile(path.join(place.dataDir, 'secrets.json'), '{}')
  const second = await first.startAfresh('another version of the site')
  place.undo.push(second.stop)
  const moved = place.sentences.flatMap((sentence) => MOVED.exec(sentence) ?? [])
  const [, madeBy, kept = ''] = moved
  expect(madeBy).toBe('another version of the site')
  expect(await ask(second.url, "select to_regclass('kept') as kept")).toEqual([{ kept: null }])
  expect(await readFile(path.join(place.dataDir, 'secrets.json'), 'utf8')).toBe('{}')
  expect(await owner('another')).toMatchObject({ error: expect.stringContaining('is in use by the test') })

  await second.stop()
  await rm(await cluster(), { recursive: true })
  await rename(kept, await cluster())
  const { url } = await begin()
  expect(await ask(url, 'select number from kept')).toEqual([{ number: 7 }])
})

test('starts despite a lock file that names another process', async () => {
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

test('restarts a crashed server with all committed data, for the same owner', async () => {
  await madeBefore()
  const { url } = await begin({ forTests: false })
  await ask(url, 'create table kept as select 7 as number')
  process.kill(await serverProcess(), 'SIGKILL')
  await vi.waitFor(() => expect(place.sentences).toContain('The database is back.'), { timeout: 60_000 })
  expect(await ask(url, 'select number from kept')).toEqual([{ number: 7 }])
  expect(await owner('another')).toMatchObject({ error: expect.stringContaining('is in use by the test') })
})
