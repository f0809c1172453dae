import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { placesOf } from '#platform/database/embedded/place.ts'
import { LIVE } from '#testing/live-settings.ts'
import { openTestDatabase } from '#testing/test-databases.ts'
import { dataFolder, runMain } from './main-under-test.ts'

async function emptyDatabase(): Promise<string> {
  const database = await openTestDatabase(inject('databaseServer'), 'template0')
  onTestFinished(database.drop)
  return database.url
}

test('opens with demo data, refuses a second process with a clear message, and stops on a signal', async () => {
  const DATA_DIR = await dataFolder()
  const LOADED = join(DATA_DIR, 'loaded')
  const first = runMain({ DATA_DIR, PORT: '0', LOADED })
  await first.waitForOutput('/dev/mailbox')
  expect(first.output()).toContain('admin@studio.example / studio-admin')
  expect(await readFile(LOADED, 'utf8')).toContain('/stripe-sandbox/sandbox.ts')

  const second = runMain({ DATA_DIR, PORT: '0' })
  expect(await second.ended).toBe(1)
  expect(second.output()).toMatch(new RegExp(`the site on port 0.*process ${first.child.pid}`, 's'))
  expect(second.output()).not.toMatch(/\n\s+at /)

  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  for (const place of placesOf(DATA_DIR)) expect(existsSync(join(place, 'cluster', 'postmaster.pid'))).toBe(false)
})

/** The lock file's entry of a module's package, nested ones included. */
const PACKAGE = /node_modules\/(.*\/node_modules\/)?(@[^/]+\/)?[^/]+/

test('loads no demo, sandbox, embedded database or development package in live mode', async () => {
  const DATA_DIR = await dataFolder()
  const LOADED = join(DATA_DIR, 'loaded')
  const live = runMain({ ...LIVE, DATABASE_URL: await emptyDatabase(), DATA_DIR, PORT: '0', LOADED })
  await live.waitForOutput('The studio is open')
  const loaded = (await readFile(LOADED, 'utf8')).split('\n')
  expect(loaded.filter((url) => url.includes('/src/app/')).length).toBeGreaterThan(5)
  expect(loaded.filter((url) => /\/stripe-sandbox\/|\/src\/app\/demo\/|\/database\/embedded/.test(url))).toEqual([])
  // Development packages are not in a release.
  const lock: { packages: Record<string, { dev?: boolean }> } = JSON.parse(await readFile('package-lock.json', 'utf8'))
  const packages = new Set(loaded.flatMap((url) => PACKAGE.exec(url)?.[0] ?? []))
  expect(packages.size).toBeGreaterThan(20)
  expect([...packages].filter((name) => lock.packages[name]?.dev !== undefined)).toEqual([])
  live.child.kill('SIGTERM')
  expect(await live.ended).toBe(0)
})

/** Syntax highlighters and compilers: serving and email need none of them. */
const FOR_DEVELOPERS =
  /\/node_modules\/(prismjs|shiki|highlight\.js|marked|react-email|tailwindcss|css-tree|prettier|@babel)\//

test('loads no syntax highlighter or compiler for any request or email', async () => {
  const DATA_DIR = await dataFolder({ hasCluster: true })
  const LOADED = join(DATA_DIR, 'loaded')
  const site = runMain({ DATA_DIR, PORT: '0', LOADED })
  await site.waitForOutput('/dev/mailbox')
  const origin = /open at (\S+)/.exec(site.output())?.[1]
  const body = JSON.stringify({ email: 'wilma@people.example' })
  await fetch(`${origin}/api/newsletter`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  const hasCome = async () => expect(await (await fetch(`${origin}/dev/mailbox.json`)).json()).toHaveLength(1)
  await vi.waitFor(hasCome, { timeout: 60_000 })
  const loaded = (await readFile(LOADED, 'utf8')).split('\n')
  expect(loaded.filter((url) => url.endsWith('/src/messages/server/templates/layout.ts'))).toHaveLength(1)
  expect(loaded.filter((url) => FOR_DEVELOPERS.test(url))).toEqual([])
})

test('lists all missing settings of live mode and does not start', async () => {
  const DATA_DIR = await dataFolder()
  const live = runMain({ DATA_DIR, STUDIO_MODE: 'live', PORT: 'nowhere' })
  expect(await live.ended).toBe(1)
  for (const name of [
    'PORT',
    'DATABASE_URL',
    'APP_URL',
    'SESSION_SECRET',
    'HEALTH_DATA_KEY',
    'SMTP_URL',
    'MAIL_FROM',
  ]) {
    expect(live.output()).toContain(name)
  }
  expect(existsSync(join(DATA_DIR, 'postgres'))).toBe(false)
})

test('stops on a signal during the start', async () => {
  // Live, because loading sample data may outlast the time for a stop.
  const started = runMain({ ...LIVE, DATABASE_URL: await emptyDatabase(), DATA_DIR: await dataFolder(), PORT: '0' })
  await started.waitForOutput('The database was updated')
  started.child.kill('SIGTERM')
  expect(await started.ended).toBe(0)
  expect(started.output()).not.toContain('The studio is open')
})
