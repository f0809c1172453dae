import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify from 'fastify'
import pg from 'pg'
import PostalMime, { type Email } from 'postal-mime'
import { stripeSandbox } from '../../stripe-sandbox/sandbox.ts'
import { startMailServer } from '../lib/mail-server.ts'

const MAIL_PATIENCE_MS = 60_000

/** A mail server that keeps its emails. */
export async function startPost() {
  const mails: Email[] = []
  const server = await startMailServer({
    onData(stream, _session, done) {
      buffer(stream)
        .then((raw) => PostalMime.parse(raw))
        .then((mail) => mails.push(mail))
        .then(() => done(), done)
    },
  })
  return {
    ...server,
    /** Waits for an email to this address with these words in its subject. */
    async mailTo(address: string, words: string): Promise<Email> {
      const startedAt = performance.now()
      for (;;) {
        const found = mails.find(
          ({ to, subject }) => to?.some((one) => one.address === address) && subject?.includes(words),
        )
        if (found) return found
        if (performance.now() - startedAt > MAIL_PATIENCE_MS) {
          const seen = mails.map(({ to, subject }) => `${to?.[0]?.address}: ${subject}`).join('\n')
          throw new Error(`No email “${words}” arrived for ${address}. These did:\n${seen}`)
        }
        await pause(100)
      }
    },
  }
}

/** A sandbox that sends its events to the site over HTTPS. */
export async function startCardProvider(databaseUrl: string, siteOrigin: string) {
  const keys = { secretKey: 'sk_test_guide', publishableKey: 'pk_test_guide', webhookSecret: 'whsec_guide' }
  const pool = new pg.Pool({ connectionString: databaseUrl })
  const warn = (...details: unknown[]) => console.error('card provider:', ...details)
  const sandbox = stripeSandbox({
    ...keys,
    pool,
    now: () => new Date(),
    webhookUrl: () => `${siteOrigin}/api/stripe/webhook`,
    log: { warn, error: warn },
  })
  const app = Fastify({ forceCloseConnections: true })
  await app.register(sandbox)
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    /** The site's settings for it. */
    settings: {
      STRIPE_SECRET_KEY: keys.secretKey,
      STRIPE_PUBLISHABLE_KEY: keys.publishableKey,
      STRIPE_WEBHOOK_SECRET: keys.webhookSecret,
      STRIPE_API_URL: origin,
    },
    origin,
    ...keys,
    async stop() {
      await app.close()
      await pool.end()
    },
  }
}
