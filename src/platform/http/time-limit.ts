import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { commonRefusals, Refusal } from '#foundation/refusal.ts'
import { isOutage } from '../database/outage.ts'
import { networkOf } from './network.ts'

/**
 * The time limit of a response. When the time is up, open transactions lose their connection, which rolls them back,
 * and calls to the card provider are aborted. A COMMIT that has been sent is waited for.
 */
class TimeLimit {
  readonly #startedAt: number
  readonly #abort = new AbortController()
  #commitsUnderWay = 0
  #isLate = false
  #hasCommitted = false

  /** The client's. */
  readonly address: string

  constructor(startedAt: number, address: string) {
    this.#startedAt = startedAt
    this.address = address
  }

  /** Aborts when the time is up and no COMMIT is under way. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedAt
  }

  /** Why this response cannot be completed. After a commit it never claims that nothing was done. */
  get refusal(): Refusal {
    return new Refusal(this.#hasCommitted ? commonRefusals.outcome_unknown : commonRefusals.unavailable)
  }

  /**
   * Keeps the time limit from ending a transaction that is being committed.
   *
   * @returns call it with whether the transaction was committed
   * @throws when the time is up already
   */
  beginCommit(): (isCommitted: boolean) => void {
    if (this.signal.aborted) throw this.refusal
    this.#commitsUnderWay += 1
    return (isCommitted) => {
      this.#commitsUnderWay -= 1
      this.#hasCommitted ||= isCommitted
      if (this.#isLate) this.timeIsUp()
    }
  }

  timeIsUp(): void {
    this.#isLate = true
    // After the last COMMIT the handler gets a moment to return its response.
    if (this.#commitsUnderWay === 0) setImmediate(() => this.#commitsUnderWay === 0 && this.end())
  }

  /** Aborts whatever still runs for this response. */
  end(): void {
    this.#abort.abort()
  }
}

const timeLimits = new AsyncLocalStorage<TimeLimit>()

/** The time limit of the response that the running code works on; undefined in jobs and commands. */
export function currentTimeLimit(): TimeLimit | undefined {
  return timeLimits.getStore()
}

/** The client's network, as records keep it; null in jobs and commands. */
export function clientNetwork(): string | null {
  const timeLimit = currentTimeLimit()
  return timeLimit ? networkOf(timeLimit.address) : null
}

declare module 'fastify' {
  interface FastifyInstance {
    responseLimits: { responseMs: number; exportMs: number }
  }
  interface FastifyRequest {
    /** Until the body was read: a slow body is the client's time, and has its own limit. */
    msBeforeBody: number
  }
  interface FastifyContextConfig {
    /** An export may take longer. */
    isExport?: boolean
  }
}

/** Sets the time limits that {@link withTimeLimit} keeps. */
export function limitResponses(app: FastifyInstance, limits: { responseMs: number; exportMs: number }): void {
  app.decorate('responseLimits', limits)
  app.decorateRequest('msBeforeBody', 0)
  app.addHook('onRequest', (request, _reply, done) => {
    request.msBeforeBody = performance.now()
    done()
  })
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    request.msBeforeBody = performance.now() - request.msBeforeBody
    done()
  })
}

/**
 * Lets a handler respond within its time.
 *
 * @throws a refusal when the time is up, or when the database fails after something was committed
 */
export function withTimeLimit<Request extends FastifyRequest>(
  handler: (request: Request, reply: FastifyReply) => Promise<unknown>,
): (request: Request, reply: FastifyReply) => Promise<unknown> {
  return async (request, reply) => {
    const { responseMs, exportMs } = request.server.responseLimits
    const timeLimit = new TimeLimit(performance.now() - request.msBeforeBody, request.ip)
    const ms = (request.routeOptions.config.isExport ? exportMs : responseMs) - request.msBeforeBody
    const timer = setTimeout(() => timeLimit.timeIsUp(), Math.max(0, ms))
    const late = new Promise<never>((_, reject) => {
      timeLimit.signal.addEventListener('abort', () => reject(timeLimit.refusal))
    })
    try {
      return await Promise.race([timeLimits.run(timeLimit, handler, request, reply), late])
    } catch (error) {
      throw !(error instanceof Refusal) && isOutage(error) ? Object.assign(timeLimit.refusal, { cause: error }) : error
    } finally {
      clearTimeout(timer)
      // Do not retry calls whose result is no longer needed.
      timeLimit.end()
    }
  }
}

/** Adds a route that no contract describes, such as a webhook, and that responds within its time. */
export function timedRoute(
  app: FastifyInstance,
  method: 'GET' | 'POST',
  url: string,
  options: RouteShorthandOptions,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  app.route({ ...options, method, url, handler: withTimeLimit(handler) })
}
