import { mkdir, readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '#foundation/instants.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { LIVE } from '#testing/live-settings.ts'
import { Person } from '#testing/person.ts'
import { openTestDatabase } from '#testing/test-databases.ts'
import { ask } from './backup/places-under-test.ts'
import { openDatabaseProxy } from './database-proxy-under-test.ts'
import { studioLog } from './log.ts'
import { dataFolder, runMain } from './main-under-test.ts'
import { migrateDatabase } from './prepare-database.ts'
import { readSettings } from './settings.ts'
import { runStudio } from './studio-server.ts'

const freePort = () =>
  new Promise<string>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(String(typeof address === 'object' && address?.port)))
    })
  })

const timesIn = (output: string, words: string) => output.split(words).length - 1

test('waits for its database when live, answers in the meantime, opens when it is up, and keeps its port', async () => {
  const database = await openTestDatabase(inject('databaseServer'))
  const line = await openDatabaseProxy(database.url)
  line.cut()
  const env = { ...LIVE, DATA_DIR: await dataFolder(), DATABASE_URL: line.url, PORT: await freePort() }
  const site = runMain({ ...env, STOP_NOTICE_SECONDS: '8' })
  await site.waitForOutput('Waiting for the database')

  const probe = new Person(`http://127.0.0.1:${env.PORT}`, 'Probe')
  expect(await probe.request('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'alive' } })
  expect(await probe.request('GET', '/readyz')).toMatchObject({ status: 503, body: { status: 'starting' } })
  expect(await probe.request('POST', '/api/login', { any: 'thing' })).toBeRefused(commonRefusals.unavailable)
  const page = await probe.request('GET', '/pricing', undefined, { accept: 'text/html,*/*' })
  expect(page).toMatchObject({ status: 503, body: expect.stringContaining(commonRefusals.unavailable.message) })
  expect(page.headers.get('retry-after')).toBe('5')
  expect(page.body).toContain('<meta http-equiv="refresh" content="5">')

  line.restore()
  await site.waitForOutput('The studio is open')
  expect(await probe.request('GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  expect((await probe.request('GET', '/api/packages')).status).toBe(200)
  expect(timesIn(site.output(), 'Waiting for the database')).toBe(1)

  const second = runMain({ ...env, DATA_DIR: await dataFolder(), DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' })
  expect(await second.ended).toBe(1)
  const taken = `Port ${env.PORT} of 127.0.0.1 is in use by another program. Stop that program, or set PORT to a free port.\n`
  expect(second.output()).toBe(taken)

  site.child.kill('SIGTERM')
  await site.waitForOutput('Closing after the work in progress.')
  expect(await probe.request('GET', '/readyz')).toMatchObject({ status: 503, body: { status: 'stopping' } })
  site.child.kill('SIGTERM')
  expect(await site.ended).toBe(1)
  expect(site.output()).toContain('Closing now.')
  await database.drop()
})

test('prints one sentence for a problem the owner can fix; a signal ends the wait', async () => {
  const wrong = new URL(inject('databaseServer'))
  wrong.password = 'guessed'
  const env = { ...LIVE, DATA_DIR: await dataFolder(), PORT: '0' }
  const refused = runMain({ ...env, DATABASE_URL: wrong.href })
  expect(await refused.ended).toBe(1)
  const [sentence, ...more] = refused
    .output()
    .split('\n')
    .filter((line) => line && !line.startsWith('{'))
  expect(sentence).toBe(
    `PostgreSQL at ${wrong.host} refuses the password of "${wrong.username}". Correct DATABASE_URL.`,
  )
  expect(more).toEqual([])

  const waiting = runMain({ ...env, DATABASE_URL: 'postgres://studio@127.0.0.1:9/studio' })
  await waiting.waitForOutput('Waiting for the database at 127.0.0.1:9: no server is listening there.')
  waiting.child.kill('SIGTERM')
  expect(await waiting.ended).toBe(0)
})

/** A port that another program uses until the test ends. */
async function takenPort(): Promise<string> {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const address = other.address()
  return String(typeof address === 'object' && address?.port)
}

test('reports a taken port before the demo creates a database', async () => {
  const DATA_DIR = await dataFolder()
  const PORT = await takenPort()
  const demo = runMain({ DATA_DIR, PORT })
  expect(await demo.ended).toBe(1)
  expect(demo.output()).toBe(
    `Port ${PORT} of 127.0.0.1 is in use by another program. Stop that program, or set PORT to a free port.\n`,
  )
  expect(await readdir(DATA_DIR)).toEqual(['secrets.json'])
})

test('closes its database connections when another program takes the port during the start', async () => {
  const database = await openTestDatabase(inject('databaseServer'))
  const settings = readSettings({ DATA_DIR: await dataFolder(), PORT: await takenPort() })
  const starting = runStudio(
    { ...settings, databaseUrl: database.url },
    { clock: systemClock, log: studioLog('silent'), workQueues: true, strict: true },
  )
  await expect(starting).rejects.toThrow(`Port ${settings.port} of 127.0.0.1 is in use`)
  const open = "select application_name from pg_stat_activity where datname = $1 and application_name like 'studio%'"
  const name = new URL(database.url).pathname.slice(1)
  // PgBouncer closes its own a second later.
  const patience = { timeout: 5000 }
  await vi.waitFor(async () => expect(await ask(inject('databaseServer'), open, [name])).toEqual([]), patience)
  await database.drop()
})

const OTHER_BASELINE = "update migrations set checksum = 'other' where name = (select min(name) from migrations)"

test('a demo moves a database of another baseline aside, once, and opens with sample data', async () => {
  const DATA_DIR = await dataFolder({ hasCluster: true })
  const folder = { dataDir: DATA_DIR, print: () => {}, ownerLabel: 'the test' }
  const old = await startEmbeddedPostgres({ ...folder, forTests: true })
  await migrateDatabase(old.url)
  await ask(old.url, OTHER_BASELINE)
  await old.stop()
  await mkdir(join(DATA_DIR, 'backups'))
  const env = { DATA_DIR, PORT: '0' }

  const first = runMain(env)
  await first.waitForOutput('/dev/mailbox')
  expect(timesIn(first.output(), 'The database was made by another version of the site. It was moved to')).toBe(1)
  const secrets = await readFile(join(DATA_DIR, 'secrets.json'), 'utf8')
  const originOf = (site: typeof first) => /open at (\S+)/.exec(site.output())?.[1] ?? ''
  const ana = new Person(originOf(first), 'Ana')
  const names = { firstName: 'Ana', lastName: 'Cast' }
  const registered = await ana.request('POST', '/api/register', { email: ana.email, password: ana.password, ...names })
  expect(registered.status).toBe(201)
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)

  const second = runMain(env)
  await second.waitForOutput('/dev/mailbox')
  expect(second.output()).not.toContain('moved')
  for (const [username, password] of [
    ['admin@studio.example', 'studio-admin'],
    [ana.email, ana.password],
  ]) {
    const visitor = new Person(originOf(second), 'Visitor')
    expect((await visitor.request('POST', '/api/login', { username, password })).status).toBe(200)
  }
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe(0)
  expect(await readFile(join(DATA_DIR, 'secrets.json'), 'utf8')).toBe(secrets)
  expect(await readdir(DATA_DIR)).toContain('backups')
})

test.each([
  ['live', LIVE],
  ['demo', {}],
])('%s refuses a database of another baseline at DATABASE_URL and leaves it as it is', async (_mode, settings) => {
  const database = await openTestDatabase(inject('databaseServer'))
  onTestFinished(database.drop)
  await ask(database.url, OTHER_BASELINE)
  const state = () => ask(database.url, 'select name, checksum from migrations order by name')
  const before = await state()
  const site = runMain({ ...settings, DATA_DIR: await dataFolder(), DATABASE_URL: database.url, PORT: '0' })
  expect(await site.ended).toBe(1)
  const [sentence, ...more] = site
    .output()
    .split('\n')
    .filter((line) => line && !line.startsWith('{'))
  expect(sentence).toMatch(
    /^The database is of another baseline: .* Start it with the version that made it, or use a new, empty database\. Nothing was changed\.$/,
  )
  expect(more).toEqual([])
  expect(await state()).toEqual(before)
  expect(await ask(database.url, 'select id from users')).toEqual([])
})
