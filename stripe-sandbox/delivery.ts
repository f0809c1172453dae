/**
 * Posts stored events to the webhook until it answers with 2xx.
 *
 * Two clocks, on purpose. What an event says (`created`) comes from the app's clock. When it is due, and the time in
 * its signature, come from the real one (the database's and this process's), so that a frozen or shifted app clock
 * neither stops the delivery nor makes a receiver's check of the signature's age fail.
 */
import type pg from 'pg'
import Stripe from 'stripe'
import { happenByItself } from './by-itself.ts'

const atOnce = 8
const answerWithinMs = 5_000
/** Longer than an answer may take: only a process that died keeps an event this long. */
const claimSeconds = 7
const longestDelaySeconds = 60
const giveUpAfter = '3 days'
const lookEveryMs = 500

export interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

interface DueEvent {
  id: string
  type: string
  body: string
  attempts: number
}

interface Receiver {
  pool: pg.Pool
  now: () => Date
  webhookUrl: () => string
  webhookSecret: string
  log: Log
}

/** Posts what is due. Several processes may do so at once: an event is claimed by one of them. */
export class EventDelivery {
  readonly #receiver: Receiver
  readonly #signer: Stripe
  readonly #underway = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #claiming: Promise<unknown> = Promise.resolve()
  #looking: Promise<unknown> = Promise.resolve()
  #stopped = false

  constructor(receiver: Receiver) {
    this.#receiver = receiver
    this.#signer = new Stripe('sk_test_signs_only')
  }

  /** Looks twice a second from now on; a delivery that waited for another attempt is tried at once. */
  async start(): Promise<void> {
    await this.#receiver.pool.query(
      'update sandbox.events set due_at = clock_timestamp() where delivered_at is null and not gave_up and due_at > clock_timestamp()',
    )
    this.#timer = setInterval(() => this.#look(), lookEveryMs)
    this.#timer.unref()
  }

  /** First what happens by itself, then its events. */
  #look(): void {
    if (this.#stopped) return
    this.#looking = happenByItself(this.#receiver.pool, this.#receiver.now())
      .catch((error: Error) => this.#receiver.log.warn({ err: error }, 'sandbox: nothing happens by itself'))
      .finally(() => this.kick())
  }

  /** Begins to deliver what is due without waiting for it. */
  kick(): void {
    if (this.#stopped) return
    this.#claim().catch((error: Error) => {
      this.#receiver.log.warn({ err: error }, 'sandbox: looking for events to deliver failed')
    })
  }

  /** Resolves when nothing is due and nothing is underway in this process. Failed attempts are due again later. */
  async deliverDue(): Promise<void> {
    for (;;) {
      const begun = await this.#claim()
      if (begun === 0 && this.#underway.size === 0) return
      await Promise.all(this.#underway)
    }
  }

  /** Begins no more deliveries and waits for those underway. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#looking
    await this.#claiming.catch(() => undefined)
    await Promise.all(this.#underway)
  }

  /** Claims run one after the other, so that no more than `atOnce` are underway. */
  #claim(): Promise<number> {
    const next = this.#claiming.catch(() => undefined).then(() => this.#claimAndBegin())
    this.#claiming = next
    return next
  }

  async #claimAndBegin(): Promise<number> {
    const free = atOnce - this.#underway.size
    if (free <= 0 || this.#stopped) return 0
    const events = await claimDueEvents(this.#receiver.pool, free)
    for (const event of events) {
      const delivery = this.#deliver(event).finally(() => {
        this.#underway.delete(delivery)
        if (events.length === free) this.kick()
      })
      this.#underway.add(delivery)
    }
    return events.length
  }

  async #deliver(event: DueEvent): Promise<void> {
    const { pool, log } = this.#receiver
    try {
      const failure = await this.#post(event)
      if (failure === undefined) await markDelivered(pool, event.id)
      else {
        log.warn(
          { event: event.id, type: event.type, attempts: event.attempts, failure },
          'sandbox: event not delivered',
        )
        await markFailed(pool, event)
      }
    } catch (error) {
      log.warn({ err: error, event: event.id }, 'sandbox: the outcome of a delivery could not be stored')
    }
  }

  /** What went wrong, or `undefined`. */
  async #post(event: DueEvent): Promise<string | undefined> {
    try {
      const response = await fetch(this.#receiver.webhookUrl(), {
        method: 'POST',
        redirect: 'manual',
        signal: AbortSignal.timeout(answerWithinMs),
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stripe/1.0 (sandbox)',
          'stripe-signature': this.#signer.webhooks.generateTestHeaderString({
            payload: event.body,
            secret: this.#receiver.webhookSecret,
            timestamp: Math.floor(Date.now() / 1000),
          }),
        },
        body: event.body,
      })
      await response.arrayBuffer()
      return response.ok ? undefined : `status ${response.status}`
    } catch (error) {
      return error instanceof Error ? `${error.name}: ${error.message}` : 'unknown'
    }
  }
}

async function claimDueEvents(pool: pg.Pool, most: number): Promise<DueEvent[]> {
  const { rows } = await pool.query<DueEvent>(
    `update sandbox.events set claimed_until = clock_timestamp() + $2 * interval '1 second', attempts = attempts + 1
     where seq in (
       select seq from sandbox.events
       where delivered_at is null and not gave_up and due_at <= clock_timestamp()
         and (claimed_until is null or claimed_until < clock_timestamp())
       order by seq limit $1 for update skip locked
     )
     returning id, type, body, attempts`,
    [most, claimSeconds],
  )
  return rows
}

async function markDelivered(pool: pg.Pool, id: string): Promise<void> {
  await pool.query('update sandbox.events set delivered_at = clock_timestamp(), claimed_until = null where id = $1', [
    id,
  ])
}

/** Next attempt after 1, 2, 4 … 60 seconds; none after three days. */
async function markFailed(pool: pg.Pool, event: DueEvent): Promise<void> {
  const delay = Math.min(2 ** (event.attempts - 1), longestDelaySeconds)
  await pool.query(
    `update sandbox.events set claimed_until = null, due_at = clock_timestamp() + $2 * interval '1 second',
       gave_up = recorded_at < clock_timestamp() - $3::interval
     where id = $1`,
    [event.id, delay, giveUpAfter],
  )
}
