import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify from 'fastify'
import pg from 'pg'
import PostalMime, { type Email } from 'postal-mime'
import { stripeSandbox } from '../../stripe-sandbox/sandbox.ts'
import { startMailServer } from '../lib/mail-server.ts'

/** A mail may wait for its queue's next turn, and for a busy machine. */
const MAIL_PATIENCE_MS = 60_000

/** A mail server that keeps what it is handed. */
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
    /** Waits for a mail to somebody with words in its subject. */
    async mailTo(address: string, words: string): Promise<Email> {
      const begun = performance.now()
      for (;;) {
        const found = mails.find(
          ({ to, subject }) => to?.some((one) => one.address === address) && subject?.includes(words),
        )
        if (found) return found
        if (performance.now() - begun > MAIL_PATIENCE_MS) {
          const seen = mails.map(({ to, subject }) => `${to?.[0]?.address}: ${subject}`).join('\n')
          throw new Error(`No mail “${words}” to ${address} came. These did:\n${seen}`)
        }
        await pause(100)
      }
    },
  }
}

/** A card provider with keys like Stripe's, which tells the site over HTTPS of what was paid. */
export async function startCardProvider(databaseUrl: string, siteOrigin: string) {
  const keys = { secretKey: 'sk_test_guide', publishableKey: 'pk_test_guide', webhookSecret: 'whsec_guide' }
  const pool = new pg.Pool({ connectionString: databaseUrl })
  const warn = (...said: unknown[]) => console.error('card provider:', ...said)
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
    /** What the site's settings say of it. */
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
