import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { LIVE as OF_TESTS } from '#testing/live-settings.ts'
import { readSettings, SettingsError } from './settings.ts'

const DATA_DIR = mkdtempSync(join(tmpdir(), 'studio-settings-'))
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }))
const LIVE = { ...OF_TESTS, DATA_DIR, SMTP_URL: 'smtps://user:word@mail.example' }

function faultsOf(env: Record<string, string>): string {
  try {
    readSettings({ ...LIVE, ...env })
    return ''
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return error.message
  }
}

test.each([
  ['postgres://me@127.0.0.1/studio', true],
  ['postgres://me@localhost:5433/studio', true],
  ['postgres://me@[::1]/studio', true],
  ['postgres:///studio?host=/var/run/postgresql', true],
  ['postgres://me@%2Fvar%2Frun%2Fpostgresql/studio', true],
  ['postgres://me@db.example/studio?sslmode=verify-full', true],
  ['postgres://me@db.example/studio?sslmode=require', true],
  ['postgres://me@db.example/studio', false],
  ['postgres://me@10.0.0.5/studio', false],
  ['postgres://me@db/studio', false],
  ['postgres://me@localhost/studio?host=db.example', false],
  ['postgres://me@db.example/studio?sslmode=disable', false],
  ['postgres://me@db.example/studio?sslmode=prefer', false],
  ['postgres://me@db.example/studio?sslmode=no-verify', false],
  ['postgres://me@db.example/studio?sslmode=require&uselibpqcompat=true', false],
  ['postgres://me@127.0.0.1.evil.example/studio', false],
])('live: the database %s is accepted: %s', (url, isAccepted) => {
  const fault = expect.stringMatching(/DATABASE_URL connects to another machine .*sslmode=verify-full.*PLAINTEXT_HOSTS/)
  expect(faultsOf({ DATABASE_URL: url })).toEqual(isAccepted ? '' : fault)
  const migrating = { DATABASE_URL: 'postgres://me@127.0.0.1/studio', MIGRATION_DATABASE_URL: url }
  expect(faultsOf(migrating)).toEqual(isAccepted ? '' : expect.stringContaining('MIGRATION_DATABASE_URL connects'))
  // A demo has no real data.
  expect(readSettings({ ...LIVE, STUDIO_MODE: 'demo', DATABASE_URL: url }).databaseUrl).toBe(url)
})

test.each([
  ['smtps://user:word@mail.example', true, true],
  ['smtp://user:word@mail.example:587', true, true],
  ['smtp://127.0.0.1:25', true, false],
  ['smtp://localhost?ignoreTLS=true', true, false],
  ['smtp://mail.example?ignoreTLS=true', false, true],
  ['smtp://mail.example?requireTLS=false', false, true],
  ['smtps://mail.example?tls.rejectUnauthorized=false', false, true],
  ['smtps://mail.example?secure=false', false, true],
])('live: the mail server %s is accepted: %s; TLS is waited for: %s', (url, isAccepted, requireTls) => {
  const fault = expect.stringMatching(/SMTP_URL connects to another machine .*so remove/)
  expect(faultsOf({ SMTP_URL: url })).toEqual(isAccepted ? '' : fault)
  if (isAccepted) expect(readSettings({ ...LIVE, SMTP_URL: url }).smtp?.requireTls).toBe(requireTls)
  expect(readSettings({ ...LIVE, STUDIO_MODE: 'demo', SMTP_URL: url }).smtp?.requireTls).toBe(false)
})

test.each([
  ['https://studio.example', true],
  ['http://localhost:4000', true],
  ['http://127.0.0.1', true],
  ['http://studio.example', false],
  ['http://10.0.0.5', false],
  ['http://localhost.studio.example', false],
])('live: the site, and the card provider, at %s is accepted: %s', (url, isAccepted) => {
  for (const name of ['APP_URL', 'STRIPE_API_URL'])
    expect(faultsOf({ [name]: url })).toEqual(
      isAccepted ? '' : expect.stringContaining(`${name} must begin with https://`),
    )
})

test('accepts plaintext only to the hosts in PLAINTEXT_HOSTS', () => {
  const env = {
    PLAINTEXT_HOSTS: 'db, 10.0.0.5,mail',
    DATABASE_URL: 'postgres://me@DB/studio',
    MIGRATION_DATABASE_URL: 'postgres://me@10.0.0.5/studio',
    SMTP_URL: 'smtp://mail:25',
  }
  expect(faultsOf(env)).toBe('')
  expect(readSettings({ ...LIVE, ...env }).smtp?.requireTls).toBe(false)
  expect(faultsOf({ ...env, DATABASE_URL: 'postgres://me@other/studio' })).toContain('(other)')
  expect(faultsOf({ PLAINTEXT_HOSTS: 'http://db' })).toContain('PLAINTEXT_HOSTS must be host names')
})

test('knows its own name when live, and any name in a demo that listens elsewhere', () => {
  expect(readSettings(LIVE).knownHosts).toEqual(['studio.example'])
  expect(readSettings({ ...LIVE, ALLOWED_HOSTS: 'www.studio.example, Old.example' }).knownHosts).toEqual([
    'studio.example',
    'www.studio.example',
    'old.example',
  ])
  const { HOST, ...local } = { ...LIVE, STUDIO_MODE: 'demo', APP_URL: 'http://my-machine.local:3000' }
  expect(readSettings(local).knownHosts).toEqual(['my-machine.local'])
  expect(readSettings({ ...local, HOST }).knownHosts).toBe('any')
})
