import { isIP } from 'node:net'
import { keysOf } from '#foundation/collections.ts'

/** `sslmode`s with which the driver verifies the certificate. */
const VERIFYING = ['verify-full', 'verify-ca', 'require']
/** Options of a mail server's address that weaken TLS. */
const AGAINST_TLS = ['secure', 'ignoretls', 'requiretls', 'opportunistictls', 'tls.rejectunauthorized', 'service']

type Addresses = {
  APP_URL?: string | undefined
  STRIPE_API_URL?: string | undefined
  DATABASE_URL?: string | undefined
  MIGRATION_DATABASE_URL?: string | undefined
  SMTP_URL?: string | undefined
  PLAINTEXT_HOSTS?: string[] | undefined
}

/** The connections of a live site that others could intercept, a sentence each. */
export function unencryptedConnections({ PLAINTEXT_HOSTS = [], ...addresses }: Addresses): string[] {
  const checks = {
    APP_URL: unencryptedSite,
    STRIPE_API_URL: unencryptedSite,
    DATABASE_URL: unencryptedDatabase,
    MIGRATION_DATABASE_URL: unencryptedDatabase,
    SMTP_URL: unencryptedMail,
  }
  return keysOf(checks).flatMap((name) => {
    const address = addresses[name]
    const fault = address && checks[name](address, PLAINTEXT_HOSTS)
    return fault ? [`${name} ${fault}`] : []
  })
}

/**
 * Whether traffic to a host stays on this machine: a Unix socket, `localhost`, a loopback address, or a host that the
 * owner named in `PLAINTEXT_HOSTS`. No private network is trusted by default: others may be on it.
 */
function isLocal(host: string, plaintextHosts: readonly string[]): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (name === '' || name.startsWith('/') || name === 'localhost' || name.endsWith('.localhost')) return true
  if (isIP(name) === 4) return name.startsWith('127.') || plaintextHosts.includes(name)
  return name === '::1' || plaintextHosts.includes(name)
}

function unencryptedSite(address: string, plaintextHosts: readonly string[]): string | undefined {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || isLocal(hostname, plaintextHosts) ? undefined : 'must begin with https://'
}

function unencryptedDatabase(address: string, plaintextHosts: readonly string[]): string | undefined {
  const { hostname, searchParams } = new URL(address)
  const host = searchParams.get('host') ?? decodeURIComponent(hostname)
  if (isLocal(host, plaintextHosts)) return undefined
  const [mode, like] = [searchParams.get('sslmode') ?? '', searchParams.get('uselibpqcompat')]
  if (mode === 'verify-full' || (VERIFYING.includes(mode) && like !== 'true')) return undefined
  return `connects to another machine (${host}) without verified TLS: add ?sslmode=verify-full, or list the machine in PLAINTEXT_HOSTS if nobody else can read the traffic`
}

/** `smtps:`, or `smtp:` with STARTTLS, and no option that weakens it. */
function unencryptedMail(address: string, plaintextHosts: readonly string[]): string | undefined {
  const { hostname, searchParams } = new URL(address)
  if (isLocal(hostname, plaintextHosts)) return undefined
  const against = [...searchParams.keys()].find((name) => AGAINST_TLS.includes(name.toLowerCase()))
  if (!against) return undefined
  return `connects to another machine (${hostname}), so remove ${against}: email needs verified TLS, unless PLAINTEXT_HOSTS lists the machine`
}

/** Whether mail to this server waits for TLS rather than leave without it. */
export const needsTls = (address: string, plaintextHosts: readonly string[]) =>
  !isLocal(new URL(address).hostname, plaintextHosts)
