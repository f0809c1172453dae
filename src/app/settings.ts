import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { errnoOf, OperatorError } from '#platform/operator-error.ts'
import { needsTls, unencryptedConnections } from './encrypted-connections.ts'

/** Settings of the process, read once at start. Docs: docs/settings.md. */
export type Settings = {
  mode: 'demo' | 'live'
  port: number
  host: string
  /** No trailing slash. */
  appUrl: string
  /** Host names that the site serves, besides IP addresses and `localhost`. */
  knownHosts: string[] | 'any'
  /** Adds `includeSubDomains` to HSTS. */
  hstsSubdomains: boolean
  /** Absent in a demo: the embedded PostgreSQL. */
  databaseUrl: string | undefined
  /** A direct connection for a role that may change the schema, where `databaseUrl` is not one. */
  migrationDatabaseUrl: string | undefined
  /** Whether to serve a database with a newer schema, after going back by one release. */
  newerSchema: 'refuse' | 'allow'
  /** Most connections of a process, for requests and for jobs and exports. */
  connections: { web: number; background: number }
  /** Absolute. */
  dataDir: string
  /** Addresses or networks of trusted proxies, or their number. */
  trustProxy: string[] | number | boolean
  /** Refuses forwarded requests: live, and TRUST_PROXY is not set. */
  refusesForwarded: boolean
  sessionSecret: string
  /** Newest first; each 32 bytes. */
  healthDataKeys: Buffer[]
  /** Absent: the local mailbox. */
  smtp: { url: string; from: string; requireTls: boolean } | undefined
  payments: PaymentSettings
  texts: TextSettings
  emailVerification: 'off' | 'required'
  adminSecondFactor: 'off' | 'required'
  /** Bearer token of `/metrics`; without it the page does not exist. */
  metricsToken: string | undefined
  /** How long a stopping process serves on while it reports that it is not ready. */
  stopNoticeMs: number
  /** The age public key that backups are encrypted to, unless the command names another. */
  backupRecipient: string | undefined
}

type PaymentSettings =
  | { kind: 'disabled' }
  | {
      kind: 'sandbox' | 'stripe'
      secretKey: string
      publishableKey: string
      webhookSecret: string
      apiUrl: string | undefined
    }

type TextSettings =
  | { kind: 'off' }
  | {
      kind: 'sandbox' | 'twilio'
      accountSid: string
      authToken: string
      from: string
      apiUrl: string | undefined
    }

const blankIsAbsent = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? undefined : value)
const optional = <S extends z.ZodType>(schema: S) => z.preprocess(blankIsAbsent, schema.optional())
const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' })
const within = (error: string, least: number, most: number) => z.coerce.number(error).min(least, error).max(most, error)
const integer = (error: string, least: number, most: number) => within(error, least, most).int(error)
const connections = integer('must be a number of connections, from 1', 1, 1000)
const names = z.string().transform((text) => text.split(',').map((name) => name.trim().toLowerCase()))
const hostNames = names.refine((all) => all.every((name) => /^[\w.:-]+$/.test(name)), {
  error: 'must be host names, separated by commas, without scheme or port',
})
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' })

/** With the twelve seconds of a response, a stop stays within its twenty. */
const MAX_NOTICE_SECONDS = 8

const healthKeys = z
  .string()
  .transform((text) => text.split(',').map((key) => Buffer.from(key.trim(), 'base64')))
  .refine(
    (keys) => keys.every((key) => key.length === 32),
    'must be 32 bytes in base64 (several: separated by commas, newest first)',
  )

const environment = z.object({
  STUDIO_MODE: optional(z.enum(['demo', 'live'], 'must be demo or live')),
  PORT: optional(integer('must be a port number', 0, 65_535)),
  HOST: optional(z.string()),
  ALLOWED_HOSTS: optional(hostNames),
  HSTS_SUBDOMAINS: optional(z.enum(['on', 'off'], 'must be on or off')),
  PLAINTEXT_HOSTS: optional(hostNames),
  DATABASE_URL: optional(postgresUrl),
  MIGRATION_DATABASE_URL: optional(postgresUrl),
  NEWER_SCHEMA: optional(z.enum(['refuse', 'allow'], 'must be refuse or allow')),
  DATABASE_CONNECTIONS: optional(connections),
  BACKGROUND_CONNECTIONS: optional(connections),
  DATA_DIR: optional(z.string()),
  APP_URL: optional(httpUrl),
  TRUST_PROXY: optional(
    z
      .string()
      .transform(trustedProxies)
      .refine(
        (proxies) => !Array.isArray(proxies) || proxies.every(isProxy),
        'must be on, off, a number of proxies, or addresses and networks separated by commas',
      ),
  ),
  SESSION_SECRET: optional(z.string().min(32, 'must be at least 32 characters')),
  HEALTH_DATA_KEY: optional(healthKeys),
  SMTP_URL: optional(z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' })),
  MAIL_FROM: optional(z.string().regex(/@/, 'must contain an email address')),
  STRIPE_SECRET_KEY: optional(z.string()),
  STRIPE_PUBLISHABLE_KEY: optional(z.string()),
  STRIPE_WEBHOOK_SECRET: optional(z.string()),
  STRIPE_API_URL: optional(httpUrl),
  SMS_PROVIDER: optional(z.enum(['twilio'], 'must be twilio')),
  TWILIO_ACCOUNT_SID: optional(z.string().regex(/^AC[0-9a-f]{32}$/, 'must be AC and 32 characters')),
  TWILIO_AUTH_TOKEN: optional(z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 characters')),
  TWILIO_API_URL: optional(httpUrl),
  SMS_FROM: optional(
    z
      .string()
      .regex(
        /^(\+\d{8,15}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/,
        'must be a number such as +447700900123, or a name of at most 11 letters and digits',
      ),
  ),
  BACKUP_RECIPIENT: optional(z.string().refine(isRecipient, 'must be an age public key (age1…)')),
  EMAIL_VERIFICATION: optional(z.enum(['off', 'required'], 'must be off or required')),
  ADMIN_SECOND_FACTOR: optional(z.enum(['off', 'required'], 'must be off or required')),
  STOP_NOTICE_SECONDS: optional(within(`must be seconds, from 0 to ${MAX_NOTICE_SECONDS}`, 0, MAX_NOTICE_SECONDS)),
  METRICS_TOKEN: optional(z.string().regex(/^[!-~]{16,}$/, 'must be at least 16 characters without spaces')),
})
type Environment = z.output<typeof environment>

export const SECRET_NAMES = [
  'SESSION_SECRET',
  'HEALTH_DATA_KEY',
  'SMTP_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'TWILIO_AUTH_TOKEN',
] as const satisfies readonly (keyof Environment)[]
const REQUIRED_LIVE = ['APP_URL', 'SESSION_SECRET', 'HEALTH_DATA_KEY', 'SMTP_URL', 'MAIL_FROM'] as const
const TEXTS = ['SMS_PROVIDER', 'TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'SMS_FROM'] as const
const STRIPE = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const

/**
 * The settings of the environment, for the site and its commands.
 *
 * @throws {SettingsError} with all faults, among them that root runs a live site
 */
export function settingsOfCommand({ env, getuid }: Pick<NodeJS.Process, 'env' | 'getuid'> = process): Settings {
  const isLiveAsRoot = env.STUDIO_MODE?.trim() === 'live' && getuid?.() === 0
  return readSettings(env, isLiveAsRoot ? [LIVE_AS_ROOT] : [])
}

const LIVE_AS_ROOT =
  'a live site and its commands do not run as root: use an unprivileged user (User= in its systemd unit, or runuser ' +
  '--user studio -- npm run serve)'

/**
 * Reads the settings from environment variables. In demo mode missing secrets are generated once and kept in
 * `DATA_DIR/secrets.json`, readable by its owner only.
 *
 * @param otherFaults to report together with those of the settings
 * @throws {SettingsError} with all faults
 */
export function readSettings(env: Record<string, string | undefined>, otherFaults: string[] = []): Settings {
  const parsed = environment.safeParse(env)
  const faults = parsed.error?.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`) ?? []
  faults.push(...otherFaults)
  const given = (name: keyof Environment) => Boolean(env[name]?.trim())
  const mode = env.STUDIO_MODE?.trim() === 'live' ? 'live' : 'demo'
  if (mode === 'live') {
    if (!given('DATABASE_URL')) {
      faults.push(
        'DATABASE_URL is missing: create a database for the live site in PostgreSQL 15 or newer, and set it to ' +
          'postgres://user:password@host:5432/name',
      )
    }
    faults.push(
      ...REQUIRED_LIVE.filter((name) => !given(name)).map((name) => `${name} is missing (required in live mode)`),
    )
  } else if (given('SMTP_URL') !== given('MAIL_FROM')) {
    faults.push(given('SMTP_URL') ? 'MAIL_FROM is missing (SMTP_URL is set)' : 'SMTP_URL is missing (MAIL_FROM is set)')
  }
  if (mode === 'live') {
    const invalid = new Set(parsed.error?.issues.map(({ path }) => path[0]))
    const valid = environment.safeParse(Object.fromEntries(Object.entries(env).filter(([name]) => !invalid.has(name))))
    faults.push(...unencryptedConnections(valid.data ?? {}))
  }
  if (mode === 'demo' && given('MIGRATION_DATABASE_URL') && !given('DATABASE_URL')) {
    faults.push('DATABASE_URL is missing (MIGRATION_DATABASE_URL is set)')
  }
  for (const together of [STRIPE, TEXTS]) {
    const [first] = together.filter(given)
    if (first === undefined) continue
    faults.push(...together.filter((name) => !given(name)).map((name) => `${name} is missing (${first} is set)`))
  }
  if (faults.length > 0 || !parsed.success) throw new SettingsError(faults)

  const values = parsed.data
  const dataDir = resolve(values.DATA_DIR ?? 'data')
  const kept = mode === 'demo' ? keptSecrets(dataDir) : undefined
  const port = values.PORT ?? 3000
  const appUrl = (values.APP_URL ?? `http://localhost:${port}`).replace(/\/+$/, '')
  return {
    mode,
    port,
    host: values.HOST ?? (mode === 'live' ? '0.0.0.0' : '127.0.0.1'),
    appUrl,
    // A demo with HOST set may be reached under any name; a live site lists its names.
    knownHosts: mode === 'demo' && values.HOST ? 'any' : [new URL(appUrl).hostname, ...(values.ALLOWED_HOSTS ?? [])],
    hstsSubdomains: values.HSTS_SUBDOMAINS === 'on',
    databaseUrl: values.DATABASE_URL,
    migrationDatabaseUrl: values.MIGRATION_DATABASE_URL,
    newerSchema: values.NEWER_SCHEMA ?? 'refuse',
    connections: { web: values.DATABASE_CONNECTIONS ?? 20, background: values.BACKGROUND_CONNECTIONS ?? 6 },
    dataDir,
    trustProxy: values.TRUST_PROXY ?? false,
    refusesForwarded: mode === 'live' && values.TRUST_PROXY === undefined,
    sessionSecret: values.SESSION_SECRET ?? (kept?.sessionSecret as string),
    healthDataKeys: values.HEALTH_DATA_KEY ?? [Buffer.from(kept?.healthDataKey as string, 'base64')],
    smtp: smtpSettings(mode, values),
    payments: paymentSettings(mode, values, kept?.webhookSecret),
    texts: textSettings(mode, values),
    emailVerification: values.EMAIL_VERIFICATION ?? (mode === 'live' ? 'required' : 'off'),
    adminSecondFactor: values.ADMIN_SECOND_FACTOR ?? (mode === 'live' ? 'required' : 'off'),
    metricsToken: values.METRICS_TOKEN,
    stopNoticeMs: (values.STOP_NOTICE_SECONDS ?? (mode === 'live' ? 5 : 0)) * 1000,
    backupRecipient: values.BACKUP_RECIPIENT,
  }
}

function smtpSettings(mode: Settings['mode'], values: Environment): Settings['smtp'] {
  const { SMTP_URL: url, MAIL_FROM, PLAINTEXT_HOSTS = [] } = values
  if (!url) return undefined
  return { url, from: MAIL_FROM as string, requireTls: mode === 'live' && needsTls(url, PLAINTEXT_HOSTS) }
}

function paymentSettings(
  mode: 'demo' | 'live',
  values: Environment,
  keptWebhookSecret: string | undefined,
): PaymentSettings {
  if (values.STRIPE_SECRET_KEY) {
    return {
      kind: 'stripe',
      secretKey: values.STRIPE_SECRET_KEY,
      publishableKey: values.STRIPE_PUBLISHABLE_KEY as string,
      webhookSecret: values.STRIPE_WEBHOOK_SECRET as string,
      apiUrl: values.STRIPE_API_URL,
    }
  }
  if (mode === 'live') return { kind: 'disabled' }
  return {
    kind: 'sandbox',
    secretKey: 'sk_test_sandbox',
    publishableKey: 'pk_test_sandbox',
    webhookSecret: keptWebhookSecret as string,
    apiUrl: values.STRIPE_API_URL,
  }
}

function textSettings(mode: 'demo' | 'live', values: Environment): TextSettings {
  if (values.SMS_PROVIDER) {
    return {
      kind: 'twilio',
      accountSid: values.TWILIO_ACCOUNT_SID as string,
      authToken: values.TWILIO_AUTH_TOKEN as string,
      from: values.SMS_FROM as string,
      apiUrl: values.TWILIO_API_URL,
    }
  }
  if (mode === 'live') return { kind: 'off' }
  return {
    kind: 'sandbox',
    accountSid: 'AC_sandbox',
    authToken: 'sandbox',
    from: 'Studio',
    apiUrl: values.TWILIO_API_URL,
  }
}

const KeptSecrets = z.object({ sessionSecret: z.string(), healthDataKey: z.string(), webhookSecret: z.string() })

function keptSecrets(dataDir: string): z.output<typeof KeptSecrets> {
  const file = join(dataDir, 'secrets.json')
  if (existsSync(file)) return readSecrets(file)
  mkdirSync(dataDir, { recursive: true })
  const made = {
    sessionSecret: randomBytes(32).toString('base64'),
    healthDataKey: randomBytes(32).toString('base64'),
    webhookSecret: `whsec_${randomBytes(24).toString('base64url')}`,
  }
  // Written to a draft and linked into place, so the file is complete or absent, and of two processes that start
  // together one generates the secrets and the other reads them.
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`
  writeFileSync(draft, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(draft, file)
    return made
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    return readSecrets(file)
  } finally {
    rmSync(draft)
  }
}

/** A parser's message would quote the file, so it is not passed on. */
function readSecrets(file: string): z.output<typeof KeptSecrets> {
  try {
    return KeptSecrets.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    throw new SettingsError([
      `${file} cannot be read or is broken. Put it back from a backup: the health data in the database needs its key.`,
    ])
  }
}

/** Proxies whose forwarded headers are trusted: addresses, networks, names of networks, their number, or all. */
function trustedProxies(text: string): string[] | number | boolean {
  const word = text.trim()
  if (word === 'off' || word === 'false') return false
  if (word === 'on' || word === 'true') return true
  if (/^\d+$/.test(word)) return Number(word)
  return word.split(',').map((proxy) => proxy.trim())
}

/** An address, a network (`10.0.0.0/8`) or one of Fastify's names for networks. */
function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', bits, ...more] = text.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return most > 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
}

/** Lists every problem, so that all can be fixed together. */
export class SettingsError extends OperatorError {
  override readonly name = 'SettingsError'

  constructor(faults: string[]) {
    super(`The settings need attention:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
  }
}

const require = createRequire(import.meta.url)

/** Whether this is an age public key. Most sites have none, and do not load the library. */
export function isRecipient(text: string): boolean {
  const { Encrypter }: typeof import('age-encryption') = require('age-encryption')
  try {
    new Encrypter().addRecipient(text)
    return true
  } catch {
    return false
  }
}
