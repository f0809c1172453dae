import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readSettings, settingsOfCommand } from './settings.ts'
import { demo, faultsOf, folder, KEY, LIVE, live, OLDER_KEY, STRIPE } from './settings-under-test.ts'

const DATABASE_MISSING =
  'DATABASE_URL is missing: create a database for the live site in PostgreSQL 15 or newer, and set it to ' +
  'postgres://user:password@host:5432/name'

test('needs no settings in demo mode', () => {
  const DATA_DIR = folder()
  expect(readSettings({ DATA_DIR })).toEqual({
    mode: 'demo',
    port: 3000,
    host: '127.0.0.1',
    appUrl: 'http://localhost:3000',
    knownHosts: ['localhost'],
    hstsSubdomains: false,
    databaseUrl: undefined,
    migrationDatabaseUrl: undefined,
    newerSchema: 'refuse',
    connections: { web: 20, background: 6 },
    dataDir: DATA_DIR,
    trustProxy: false,
    refusesForwarded: false,
    sessionSecret: expect.stringMatching(/^[\w+/]{43}=$/),
    healthDataKeys: [expect.any(Buffer)],
    smtp: undefined,
    payments: {
      kind: 'sandbox',
      secretKey: 'sk_test_sandbox',
      publishableKey: 'pk_test_sandbox',
      webhookSecret: expect.stringMatching(/^whsec_/),
      apiUrl: undefined,
    },
    texts: { kind: 'sandbox', accountSid: 'AC_sandbox', authToken: 'sandbox', from: 'Studio', apiUrl: undefined },
    adminSecondFactor: 'off',
    emailVerification: 'off',
    stopNoticeMs: 0,
  })
})

test('has its own defaults in live mode and generates no secret or file', () => {
  const DATA_DIR = join(folder(), 'nothing-is-written-here')
  expect(live({ DATA_DIR })).toEqual({
    mode: 'live',
    port: 3000,
    host: '0.0.0.0',
    appUrl: 'https://studio.example',
    knownHosts: ['studio.example'],
    hstsSubdomains: false,
    databaseUrl: LIVE.DATABASE_URL,
    migrationDatabaseUrl: undefined,
    newerSchema: 'refuse',
    connections: { web: 20, background: 6 },
    dataDir: DATA_DIR,
    trustProxy: false,
    refusesForwarded: true,
    sessionSecret: LIVE.SESSION_SECRET,
    healthDataKeys: [Buffer.alloc(32, 1)],
    smtp: { url: LIVE.SMTP_URL, from: LIVE.MAIL_FROM, requireTls: true },
    payments: { kind: 'disabled' },
    texts: { kind: 'off' },
    adminSecondFactor: 'required',
    emailVerification: 'required',
    stopNoticeMs: 5000,
  })
  expect(() => statSync(DATA_DIR)).toThrow('ENOENT')
})

test('lists every missing setting of live mode together', () => {
  expect(faultsOf({ STUDIO_MODE: 'live' })).toEqual([
    'APP_URL is missing (required in live mode)',
    DATABASE_MISSING,
    'HEALTH_DATA_KEY is missing (required in live mode)',
    'MAIL_FROM is missing (required in live mode)',
    'SESSION_SECRET is missing (required in live mode)',
    'SMTP_URL is missing (required in live mode)',
  ])
})

test('refuses to run a live site as root, and names that with all other faults', () => {
  const startedBy = (uid: number, env: NodeJS.ProcessEnv) => () => settingsOfCommand({ env, getuid: () => uid })
  expect(startedBy(0, { ...LIVE, PORT: 'http' })).toThrow(
    /PORT must be .*a live site and its commands do not run as root/s,
  )
  expect(startedBy(1000, LIVE)().mode).toBe('live')
  expect(startedBy(0, { DATA_DIR: folder() })().mode).toBe('demo')
})

test('names missing and invalid settings together', () => {
  const env = {
    STUDIO_MODE: 'live',
    PORT: 'http',
    DATABASE_URL: 'mysql://x',
    NEWER_SCHEMA: 'yes',
    DATABASE_CONNECTIONS: '0',
    BACKGROUND_CONNECTIONS: '2.5',
    APP_URL: 'studio.example',
    TRUST_PROXY: 'everybody',
    SESSION_SECRET: 'short',
    HEALTH_DATA_KEY: `${KEY},c2hvcnQ=`,
    SMTP_URL: 'https://mail.studio.example',
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_API_URL: 'ftp://x',
    EMAIL_VERIFICATION: 'maybe',
    ADMIN_SECOND_FACTOR: 'sometimes',
    METRICS_TOKEN: 'a guess',
    STOP_NOTICE_SECONDS: '9',
    BACKUP_RECIPIENT: 'AGE-SECRET-KEY-1',
    SMS_PROVIDER: 'pigeon',
    TWILIO_ACCOUNT_SID: 'AC1',
    SMS_FROM: 'A name that is too long',
  }
  expect(faultsOf(env)).toEqual([
    'ADMIN_SECOND_FACTOR must be off or required',
    'APP_URL must be an http(s) address',
    'BACKGROUND_CONNECTIONS must be a number of connections, from 1',
    'BACKUP_RECIPIENT must be an age public key (age1…)',
    'DATABASE_CONNECTIONS must be a number of connections, from 1',
    'DATABASE_URL must be a postgres:// address',
    'EMAIL_VERIFICATION must be off or required',
    'HEALTH_DATA_KEY must be 32 bytes in base64 (several: separated by commas, newest first)',
    'MAIL_FROM is missing (required in live mode)',
    'METRICS_TOKEN must be at least 16 characters without spaces',
    'NEWER_SCHEMA must be refuse or allow',
    'PORT must be a port number',
    'SESSION_SECRET must be at least 32 characters',
    'SMS_FROM must be a number such as +447700900123, or a name of at most 11 letters and digits',
    'SMS_PROVIDER must be twilio',
    'SMTP_URL must be an smtp:// or smtps:// address',
    'STOP_NOTICE_SECONDS must be seconds, from 0 to 8',
    'STRIPE_API_URL must be an http(s) address',
    'STRIPE_PUBLISHABLE_KEY is missing (STRIPE_SECRET_KEY is set)',
    'STRIPE_WEBHOOK_SECRET is missing (STRIPE_SECRET_KEY is set)',
    'TRUST_PROXY must be on, off, a number of proxies, or addresses and networks separated by commas',
    'TWILIO_ACCOUNT_SID must be AC and 32 characters',
    'TWILIO_AUTH_TOKEN is missing (SMS_PROVIDER is set)',
  ])
})

test('checks the addresses that others could intercept even if other settings are wrong', () => {
  const wrong = { STUDIO_MODE: 'live', APP_URL: 'http://studio.example', PORT: 'http' }
  expect(faultsOf(wrong)).toEqual([
    'APP_URL must begin with https://',
    DATABASE_MISSING,
    'HEALTH_DATA_KEY is missing (required in live mode)',
    'MAIL_FROM is missing (required in live mode)',
    'PORT must be a port number',
    'SESSION_SECRET is missing (required in live mode)',
    'SMTP_URL is missing (required in live mode)',
  ])
})

test('never quotes an invalid value', () => {
  const secret = 'canary-secret'
  for (const name of ['SESSION_SECRET', 'HEALTH_DATA_KEY', 'SMTP_URL', 'DATABASE_URL', 'MAIL_FROM', 'APP_URL']) {
    const faults = faultsOf({ ...LIVE, [name]: secret })
    expect(faults, name).toHaveLength(1)
    expect(faults.join()).not.toContain(secret)
  }
})

test.each(Object.keys(LIVE).filter((name) => name !== 'STUDIO_MODE'))(
  'treats a blank %s as missing in live mode',
  (name) => {
    expect(faultsOf({ ...LIVE, [name]: '  ' })).toEqual([
      name === 'DATABASE_URL' ? DATABASE_MISSING : `${name} is missing (required in live mode)`,
    ])
  },
)

test('treats a blank variable as absent', () => {
  const names = ['STUDIO_MODE', 'PORT', 'HOST', 'DATABASE_URL', 'APP_URL', 'TRUST_PROXY', 'SESSION_SECRET']
  const more = ['HEALTH_DATA_KEY', 'SMTP_URL', 'MAIL_FROM', 'STRIPE_API_URL', 'EMAIL_VERIFICATION', 'BACKUP_RECIPIENT']
  const blank = Object.fromEntries([...names, ...more, ...Object.keys(STRIPE)].map((name) => [name, ' ']))
  const DATA_DIR = folder()
  expect(readSettings({ ...blank, DATA_DIR })).toEqual(readSettings({ DATA_DIR }))
  expect(readSettings({ ...LIVE, DATA_DIR: '' }).dataDir).toBe(resolve('data'))
})

test('reads health keys as a list, newest first', () => {
  expect(live({ HEALTH_DATA_KEY: `${KEY}, ${OLDER_KEY}` }).healthDataKeys).toEqual([
    Buffer.alloc(32, 1),
    Buffer.alloc(32, 2),
  ])
  for (const HEALTH_DATA_KEY of ['nonsense', `${KEY},`, Buffer.alloc(31).toString('base64'), 'ab'.repeat(32)]) {
    expect(faultsOf({ ...LIVE, HEALTH_DATA_KEY })).toHaveLength(1)
  }
})

test('needs DATABASE_URL with MIGRATION_DATABASE_URL, and reads the numbers of connections', () => {
  const MIGRATION_DATABASE_URL = 'postgres://owner@db/studio'
  expect(faultsOf({ MIGRATION_DATABASE_URL })).toEqual(['DATABASE_URL is missing (MIGRATION_DATABASE_URL is set)'])
  const DATABASE_URL = 'postgres://site@pooler/studio'
  expect(demo({ MIGRATION_DATABASE_URL, DATABASE_URL })).toMatchObject({
    migrationDatabaseUrl: MIGRATION_DATABASE_URL,
    databaseUrl: DATABASE_URL,
  })
  const chosen = demo({ DATABASE_CONNECTIONS: '50', BACKGROUND_CONNECTIONS: '1' })
  expect(chosen.connections).toEqual({ web: 50, background: 1 })
})

test('requires both mail settings or neither in demo mode', () => {
  const { SMTP_URL, MAIL_FROM } = LIVE
  expect(demo({ SMTP_URL, MAIL_FROM }).smtp).toEqual({ url: SMTP_URL, from: MAIL_FROM, requireTls: false })
  expect(faultsOf({ SMTP_URL })).toEqual(['MAIL_FROM is missing (SMTP_URL is set)'])
  expect(faultsOf({ MAIL_FROM })).toEqual(['SMTP_URL is missing (MAIL_FROM is set)'])
  expect(faultsOf({ SMTP_URL, MAIL_FROM: 'The studio' })).toEqual(['MAIL_FROM must contain an email address'])
})

test('needs all three card payment keys or none', () => {
  const set = { secretKey: 'sk_live_1', publishableKey: 'pk_live_1', webhookSecret: 'whsec_1' }
  expect(live(STRIPE).payments).toEqual({ kind: 'stripe', ...set, apiUrl: undefined })
  expect(demo({ ...STRIPE, STRIPE_API_URL: 'http://127.0.0.1:9/x' }).payments).toEqual({
    kind: 'stripe',
    ...set,
    apiUrl: 'http://127.0.0.1:9/x',
  })
  for (const name of Object.keys(STRIPE)) {
    expect(faultsOf({ ...LIVE, ...STRIPE, [name]: ' ' })).toEqual([expect.stringContaining(`${name} is missing`)])
  }
})

test('gives a proxy five seconds’ notice before a stop when live, and none in the demo', () => {
  expect([live().stopNoticeMs, demo().stopNoticeMs]).toEqual([5000, 0])
  expect(live({ STOP_NOTICE_SECONDS: '0' }).stopNoticeMs).toBe(0)
  expect(demo({ STOP_NOTICE_SECONDS: '8' }).stopNoticeMs).toBe(8000)
})

test('accepts EMAIL_VERIFICATION in both modes', () => {
  expect(demo({ EMAIL_VERIFICATION: 'required' }).emailVerification).toBe('required')
  expect(live({ EMAIL_VERIFICATION: 'off' }).emailVerification).toBe('off')
  expect(demo({ ADMIN_SECOND_FACTOR: 'required' }).adminSecondFactor).toBe('required')
  expect(live({ ADMIN_SECOND_FACTOR: 'off' }).adminSecondFactor).toBe('off')
})

test('refuses an unknown mode', () => {
  expect(faultsOf({ STUDIO_MODE: 'production' })).toEqual(['STUDIO_MODE must be demo or live'])
})
