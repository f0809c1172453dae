import { createHash } from 'node:crypto'
import { currentFacts } from '#facts/server/facts.ts'
import type { Clock } from '#foundation/instants.ts'
import { type Alert, noticeOf, timesOf, topicOf } from '#messages/rules-alerts.ts'
import type { Database, Reader } from '#platform/database/database.ts'
import { NotPublic, PUBLIC_INTERNET, type Reach, requestOf } from '#platform/http/public-internet.ts'
import type { Worker } from '#platform/jobs/jobs.ts'
import type { PushKeys } from './keys.ts'
import { forgetSubscription, subscriptionsFor } from './subscriptions.ts'

const LIMIT_MS = 10_000
const MAX_RESPONSE_BYTES = 10_000
/** What the push service says about a subscription that has ended. */
const ENDED = [404, 410]
/** The subscription or the message is wrong, and stays so. */
const REFUSED = [400, 401, 403, 413]

type Options = {
  database: Database
  clock: Clock
  keys: PushKeys
  /** Whether what an alert says has changed since. */
  isOutdated: (reader: Reader, alert: Alert) => Promise<boolean>
  reach?: Reach | undefined
  /** For the demo's mailbox. */
  onSent?: ((notice: { title: string; body: string }) => void) | undefined
  onError: (error: Error) => void
}

/**
 * Sends a notification to every browser of a member that has them, if it is still true and of use. A retry after a
 * failure repeats it everywhere: the same tag replaces what is shown.
 */
export function pushWorker(options: Options): Worker<'push'> {
  const { database, clock, isOutdated, onError } = options
  return async ({ alert }) => {
    const now = clock.now()
    const times = timesOf(alert, now)
    if (!times || (await isOutdated(database.db, alert))) return
    // A retry may have come into the night.
    if (Temporal.Instant.compare(times.sendAfter, now) > 0) {
      const later = { alert, sendAfter: times.sendAfter.toString() }
      return await database.transaction((tx) => tx.enqueue('push', later))
    }
    const subscriptions = await subscriptionsFor(database.db, alert, now)
    if (subscriptions.length === 0) return
    const { name, ownerEmail } = await currentFacts(database.db)
    const notice = noticeOf(alert, name)
    const tag = createHash('sha256').update(topicOf(alert)).digest('base64url').slice(0, 32)
    const ttl = Math.max(1, Math.floor(now.until(times.uselessAfter).total('seconds')))
    options.onSent?.(notice)
    const payload = JSON.stringify({ ...notice, tag })
    const outcomes = await Promise.allSettled(
      subscriptions.map(async ({ id, endpoint, p256dh, auth }) => {
        const status = await post({ endpoint, keys: { p256dh, auth } }, payload, {
          ...options,
          contact: ownerEmail,
          ttl,
          tag,
        })
        if (ENDED.includes(status)) return await forgetSubscription(database.db, id)
        if (REFUSED.includes(status)) return onError(new Error(`a push service refused a notification (${status})`))
        if (status >= 300) throw new Error(`a push service answered ${status}`)
      }),
    )
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed) throw failed.reason
  }
}

type Details = { endpoint: string; method: string; headers: Record<string, string>; body: Buffer }

async function post(
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } },
  payload: string,
  { keys, contact, ttl, tag, reach = PUBLIC_INTERNET }: Options & { contact: string; ttl: number; tag: string },
): Promise<number> {
  const { default: webpush } = await import('web-push')
  const { endpoint, method, headers, body } = webpush.generateRequestDetails(subscription, payload, {
    vapidDetails: { subject: `mailto:${contact}`, ...keys },
    TTL: ttl,
    topic: tag,
    urgency: 'high',
    contentEncoding: 'aes128gcm',
  }) as unknown as Details
  const signal = AbortSignal.timeout(LIMIT_MS)
  return await new Promise<number>((resolve, reject) => {
    // Its message must not contain the address, which grants to send.
    const fail = (error: unknown) =>
      reject(new Error(error instanceof NotPublic ? 'not a public address' : 'the push service did not respond'))
    try {
      const sent = requestOf(endpoint, reach, { method, headers, signal }, (response) => {
        let bytes = 0
        response.on('data', (part: Buffer) => {
          bytes += part.length
          if (bytes > MAX_RESPONSE_BYTES) sent.destroy()
        })
        response.on('error', () => {})
        resolve(response.statusCode ?? 0)
      })
      sent.on('error', fail)
      sent.end(body)
    } catch (error) {
      fail(error)
    }
  })
}
