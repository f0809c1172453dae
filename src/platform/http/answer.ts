import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import { commonRefusals, Refusal } from '#foundation/refusal.ts'
import { isOutage } from '../database/outage.ts'
import { networkOf } from './network.ts'

/**
 * The answer that is being made, and until when. Time that is up undoes what was begun: open transactions lose their
 * connection, calls to the card provider end. A COMMIT that was sent is waited for instead.
 */
export class Answer {
  readonly #begunAt: number
  readonly #over = new AbortController()
  #committing = 0
  #isLate = false
  /** Something was done already, so that no failure may claim that nothing was. */
  #hasCommitted = false

  /** Of who asked. */
  readonly address: string

  /** @param spentMs what went before, such as finding out who asks */
  constructor(spentMs: number, address: string) {
    this.#begunAt = performance.now() - spentMs
    this.address = address
  }

  /** Fires when time is up and no COMMIT is on its way. */
  get signal(): AbortSignal {
    return this.#over.signal
  }

  get elapsedMs(): number {
    return performance.now() - this.#begunAt
  }

  /** What to say when this answer cannot be completed. */
  get refusal(): Refusal {
    return new Refusal(this.#hasCommitted ? commonRefusals.outcome_unknown : commonRefusals.unavailable)
  }

  /**
   * From here on a transaction cannot be undone by the clock.
   *
   * @returns to be called once it is known whether it was committed
   * @throws when time is up already
   */
  beginCommit(): (isCommitted: boolean) => void {
    if (this.signal.aborted) throw this.refusal
    this.#committing += 1
    return (isCommitted) => {
      this.#committing -= 1
      this.#hasCommitted ||= isCommitted
      if (this.#isLate) this.timeIsUp()
    }
  }

  timeIsUp(): void {
    this.#isLate = true
    // What was asked last is committed: the handler has only its answer left to write, and a moment for it.
    if (this.#committing === 0) setImmediate(() => this.#committing === 0 && this.end())
  }

  /** Ends what is still going on for this answer. */
  end(): void {
    this.#over.abort()
  }
}

const answers = new AsyncLocalStorage<Answer>()

/** The answer that the running code works for; undefined in jobs and commands. */
export function currentAnswer(): Answer | undefined {
  return answers.getStore()
}

/** The network of who asked for what is being done, as records keep it; null in jobs and commands. */
export function askingNetwork(): string | null {
  const answer = currentAnswer()
  return answer ? networkOf(answer.address) : null
}

/**
 * Runs `work` for at most `ms`, of which what went before is gone.
 *
 * @throws a refusal in words when time is up, or when the database fails after something was committed
 */
async function answerWithin<Result>(
  ms: number,
  { msBeforeBody, ip }: { msBeforeBody: number; ip: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const answer = new Answer(msBeforeBody, ip)
  const timer = setTimeout(() => answer.timeIsUp(), Math.max(0, ms - msBeforeBody))
  const late = new Promise<never>((_, reject) => {
    answer.signal.addEventListener('abort', () => reject(answer.refusal))
  })
  try {
    return await Promise.race([answers.run(answer, work), late])
  } catch (error) {
    throw !(error instanceof Refusal) && isOutage(error) ? Object.assign(answer.refusal, { cause: error }) : error
  } finally {
    clearTimeout(timer)
    // Calls that nobody waits for any more are not repeated.
    answer.end()
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** When it arrived, by the process's own clock; then what finding out who asks has taken. */
    msBeforeBody: number
  }
  interface FastifyContextConfig {
    /** An export: longer than other answers. */
    isExport?: boolean
  }
}

/** Every answer of the API is given within its time. Must be called before routes are added. */
export function limitAnswers(app: FastifyInstance, limits: { answerMs: number; exportMs: number }): void {
  app.decorateRequest('msBeforeBody', 0)
  app.addHook('onRequest', (request, _reply, done) => {
    request.msBeforeBody = performance.now()
    done()
  })
  // A body that arrives slowly is the sender's time, which another limit watches.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    request.msBeforeBody = performance.now() - request.msBeforeBody
    done()
  })
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/api/') || route.url.startsWith('/api/docs')) return
    const { handler } = route
    const ms = route.config?.isExport ? limits.exportMs : limits.answerMs
    route.handler = function (request, reply) {
      return answerWithin(ms, request, async () => handler.call(this, request, reply))
    }
  })
}
