import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { LightMyRequestResponse } from 'fastify'
import type { KnowsHost } from './guards.ts'
import { type Encoding, encodingFor } from './written-file.ts'

/** What node:http writes by itself, as the connection and the second want it. */
const WRITTEN_BY_NODE = ['connection', 'date', 'keep-alive', 'transfer-encoding']

/** What asks for less than the whole: nothing, where the page is there already, or a part of it. */
const FOR_THE_APPLICATION = ['if-none-match', 'if-modified-since', 'range'] as const

/** How the application answers in this encoding, asked without the network (`inject`). */
type Ask = (encoding: Encoding) => Promise<LightMyRequestResponse>

type KeptAnswer = { headers: string[]; body: Buffer }

type KeptPath = { ask: Ask; answers: Map<Encoding, KeptAnswer | undefined> }

/**
 * Answers that are the same for everybody, given again without the application: its hooks, its router and its log cost more
 * than the answer. What is given is what the application itself has answered for the path and the encoding, so no
 * header is written twice. It answers whatever else is asked: with another method or a query, by who may have the
 * page already or wants a part of it, or what it was not asked before.
 */
export class KeptAnswers {
  readonly #paths = new Map<string, KeptPath>()
  readonly #knows: KnowsHost
  readonly #onAnswered: OnAnswered

  /**
   * @param knows the names that may be asked; what to do with others the application decides
   * @param onAnswered hears of every answer that the application knows nothing of: for the log and the figures
   */
  constructor(knows: KnowsHost, onAnswered: OnAnswered) {
    this.#knows = knows
    this.#onAnswered = onAnswered
  }

  /** Keeps what is answered at `path` from now on. Called again when that has changed: what was kept is forgotten. */
  keep(path: string, ask: Ask): void {
    this.#paths.set(path, { ask, answers: new Map() })
  }

  /** Leaves every answer to the application again. */
  forgetAll(): void {
    this.#paths.clear()
  }

  /** The listener of a server: what is kept, or else what `application` answers. */
  before(application: RequestListener): RequestListener {
    return (request, response) => {
      const answer = this.#answerTo(request)
      if (!answer) {
        application(request, response)
        return
      }
      const begunAt = performance.now()
      response.once('finish', () => this.#onAnswered(request, response, performance.now() - begunAt))
      response.writeHead(200, answer.headers).end(answer.body)
    }
  }

  #answerTo({ method, url, headers }: IncomingMessage): KeptAnswer | undefined {
    const kept = method === 'GET' ? this.#paths.get(url ?? '') : undefined
    if (!kept || FOR_THE_APPLICATION.some((name) => headers[name] !== undefined)) return undefined
    if (!this.#knows(headers.host)) return undefined
    const encoding = encodingFor(headers['accept-encoding'])
    if (!kept.answers.has(encoding)) void learn(kept, encoding)
    return kept.answers.get(encoding)
  }
}

type OnAnswered = (request: IncomingMessage, response: ServerResponse, elapsedMs: number) => void

/** Asks once. An answer that comes when the path has changed is put where nobody looks any more. */
async function learn({ ask, answers }: KeptPath, encoding: Encoding): Promise<void> {
  answers.set(encoding, undefined)
  const answer = await ask(encoding).catch(() => undefined)
  if (answer && isForEverybody(answer)) answers.set(encoding, { headers: headersOf(answer), body: answer.rawPayload })
}

/** By the application's own word. */
function isForEverybody({ statusCode, headers }: LightMyRequestResponse): boolean {
  return statusCode === 200 && headers.vary === 'accept-encoding' && headers['set-cookie'] === undefined
}

/** Names and values in turns, as `writeHead` takes them. */
function headersOf({ headers }: LightMyRequestResponse): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    WRITTEN_BY_NODE.includes(name) ? [] : [name, String(value)],
  )
}
