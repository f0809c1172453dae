/**
 * Posts stored events to the webhook until it answers 2xx. Due times and signatures use the real clock, so delivery
 * works while a test's clock is frozen.
 */
import type pg from 'pg'
import Stripe from 'stripe'

const AT_ONCE = 8
const RESPOND_WITHIN_MS = 5_000
/**
 * Seconds to the next attempt, doubled each time. Longer than the response timeout, so two processes never post the
 * same event concurrently.
 */
const RETRY = { first: 8, longest: 60 }
const GIVE_UP_AFTER = '3 days'

export type Receiver = {
  pool: pg.Pool
  /** Called at every delivery, because the port may be known only after listening. */
  webhookUrl: () => string
  webhookSecret: string
  log: { warn(details: object, message: string): void }
}
type Event = { id: string; type: string; body: string }

/** Delivers events. Calls during a run share one following run. */
export function eventDelivery(receiver: Receiver) {
  let running: Promise<void> = Promise.resolve()
  let following: Promise<void> | undefined
  let isStopped = false

  async function run(): Promise<void> {
    for (;;) {
      const events = isStopped ? [] : await claim(receiver.pool)
      if (events.length === 0) return
      await Promise.all(events.map((event) => deliver(receiver, event)))
    }
  }
  /** Resolves when every event due now has been posted once. */
  function deliverDue(): Promise<void> {
    following ??= running.then(() => {
      following = undefined
      running = run().catch((err) => receiver.log.warn({ err }, 'sandbox: events could not be delivered'))
      return running
    })
    return following
  }
  /** Starts no more deliveries and waits for running ones. */
  async function stop(): Promise<void> {
    isStopped = true
    await (following ?? running)
  }
  return { deliverDue, stop }
}

/** A claimed event is due again later, so a killed process or a failing webhook loses nothing. */
async function claim(pool: pg.Pool): Promise<Event[]> {
  const { rows } = await pool.query<Event>(
    `update sandbox.events set attempts = attempts + 1,
       due_at = clock_timestamp() + least($2 * 2 ^ least(attempts, 10), $3) * interval '1 second'
     where id in (
       select id from sandbox.events
       where delivered_at is null and due_at <= clock_timestamp() and recorded_at > clock_timestamp() - $4::interval
       order by seq limit $1 for update skip locked
     )
     returning id, type, body`,
    [AT_ONCE, RETRY.first, RETRY.longest, GIVE_UP_AFTER],
  )
  return rows
}

async function deliver({ pool, webhookUrl, webhookSecret, log }: Receiver, event: Event): Promise<void> {
  const { id, type, body } = event
  try {
    const response = await fetch(webhookUrl(), {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(RESPOND_WITHIN_MS),
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signer.webhooks.generateTestHeaderString({
          payload: body,
          secret: webhookSecret,
          timestamp: Math.floor(Date.now() / 1000),
        }),
      },
      body,
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`it answered ${response.status}`)
    await pool.query('update sandbox.events set delivered_at = clock_timestamp() where id = $1', [id])
  } catch (err) {
    log.warn({ err, event: id, type }, 'sandbox: event not delivered')
  }
}

const signer = new Stripe('sk_test_signs_only')
