import { readdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '#foundation/instants.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { LIVE } from '#testing/live-settings.ts'
import { Person } from '#testing/person.ts'
import { openTestDatabase } from '#testing/test-databases.ts'
import { ask } from './backup/places-under-test.ts'
import { openDatabaseProxy } from './database-proxy-under-test.ts'
import { studioLog } from './log.ts'
import { dataFolder, runMain } from './main-under-test.ts'
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
