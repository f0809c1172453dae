import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Options } from 'csv-stringify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import { z } from 'zod'
import type { Audience, BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '#foundation/endpoint.ts'
import { commonRefusals, Refusal, type RefusalDefinition, refuse } from '#foundation/refusal.ts'
import { withinTime } from './answer.ts'

/** Whoever calls. What else is known of them the assembly says (`declare module`). */
export interface Caller {
  isAdmin: boolean
  /** An admin whose session has not shown a second step: `isAdmin` is false until it has. */
  isWithheld: boolean
  /** Whether they have to prove once more who they are, if that is so many minutes ago. */
  mustProve(minutes: number): boolean
}

/** What endpoints are served on. */
export type Http = {
  app: FastifyInstance
  /** Who sends this request. Null for a visitor. */
  whoIs(request: FastifyRequest): Promise<Caller | null>
  /** In tests a refusal that the contract does not name is a fault; in production it is answered all the same. */
  strict: boolean
  /** Hears of somebody signed in who asks for what is not theirs, before they are refused. */
  onForbidden?(request: FastifyRequest, caller: Caller): Promise<void>
}

type CallerOf<W extends Audience> = W extends 'anyone' ? Caller | null : Caller

type Checked<E extends Endpoint> = Pick<Call<E>, 'params' | 'query' | 'body'> & { caller: CallerOf<E['who']> }

/** One call of an endpoint, checked: who calls and what was sent. */
export type Call<E extends Endpoint> = {
  user: CallerOf<E['who']>
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  request: FastifyRequest
  reply: FastifyReply
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}

const ErrorReply = z
  .object({
    /** For programs: documented per endpoint, and never changed once published. */
    code: z.string(),
    message: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    /** They have to prove once more who they are: `POST /api/user/confirm`, then the same request again. */
    stepUp: z.literal(true).optional(),
  })
  .meta({ id: 'Error' })

/** The other headers go through as they are. */
const KeyHeader = z.looseObject({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('The same key within a day does the thing once and is answered as the first time'),
})

const DONE = { 200: 'Done', 201: 'Created', 202: 'Accepted: it goes on after the answer' }

const declaredEverywhere: readonly RefusalDefinition[] = Object.values(commonRefusals)

/**
 * Serves one contract entry at its path and aliases. Who may call is settled before the body is read;
 * then params (404), query and body (400) are checked, then `handle` runs, then the reply is checked and written.
 */
export function serve<const E extends Endpoint>(
  http: Http,
  endpoint: E,
  handle: (call: Call<E>) => Promise<ReplyOf<E>>,
): void {
  // `null` would be sent as an empty body; an absent record is the JSON word.
  route(http, endpoint, 'application/json', async (call) => (await handle(call)) ?? 'null')
}

/** Refuses whoever is not of the audience. */
export function refuseOthers(who: Audience, caller: Caller | null): void {
  if (who !== 'anyone' && !caller) refuse(commonRefusals.unauthorized)
  if (who === 'admin' && !caller?.isAdmin) {
    refuse(caller?.isWithheld ? commonRefusals.second_factor_missing : commonRefusals.forbidden)
  }
}

/** Serves a contract entry whose answer is a file to be kept, or `inline` to be shown; it is sent while it is still being written. */
export function serveFile<const E extends Endpoint & { file: string }>(
  http: Http,
  endpoint: E,
  handle: (call: Call<E>) => Promise<{ name: string; content: Readable; disposition?: 'inline' }>,
): void {
  route(http, endpoint, endpoint.file, async (call) => {
    const { name, content, disposition = 'attachment' } = await handle(call)
    call.reply.header('content-disposition', `${disposition}; filename="${name}"`)
    return content
  })
}

function route<const E extends Endpoint>(
  http: Http,
  endpoint: E,
  type: string,
  handle: (call: Call<E>) => Promise<unknown>,
): void {
  for (const url of [endpoint.path, ...(endpoint.alias ?? [])]) {
    http.app.route({
      method: endpoint.method,
      url,
      schema: schemaOf(endpoint),
      ...(endpoint.bodyLimit && { bodyLimit: endpoint.bodyLimit }),
      config: { isExport: Boolean(endpoint.file || endpoint.isExport) },
      onRequest: async (request) => {
        request.caller = await http.whoIs(request)
        const { caller } = request
        if (endpoint.who === 'admin' && caller && !caller.isAdmin) await http.onForbidden?.(request, caller)
        refuseOthers(endpoint.who, caller)
        const { asksAgainAfterMinutes: minutes } = endpoint
        if (minutes !== undefined && caller?.mustProve(minutes)) refuse(commonRefusals.step_up_required)
      },
      handler: withinTime(async (request, reply) => {
        reply.code(endpoint.status ?? 200)
        try {
          // Guards and schemas have seen to it, which the compiler cannot know.
          const { caller, params, query, body } = request as Checked<E>
          const answer = await handle({ user: caller, params, query, body, request, reply })
          reply.type(type === 'application/pdf' ? type : `${type}; charset=utf-8`)
          if (endpoint.isVersioned && !caller?.isAdmin) return versioned(request, reply, answer)
          // A file is made while it is sent, so its time goes on. Any other answer is made: sending it is not its time.
          return endpoint.file ? reply.send(answer) : answer
        } catch (error) {
          if (http.strict && error instanceof Refusal && !isDeclared(endpoint, error)) {
            throw new Error(`${endpoint.method} ${endpoint.path} does not declare the refusal ${error.code}`)
          }
          throw error
        }
      }),
    })
  }
}

/**
 * How many a list has in all, beside the page of it that is answered: the header `X-Total-Count`; where counting stopped
 * although there are more, `X-Total-Is-More` as well.
 */
export function sendTotal(reply: FastifyReply, counted: number | { total: number; isMore: boolean }): void {
  const { total, isMore } = typeof counted === 'number' ? { total: counted, isMore: false } : counted
  reply.header('x-total-count', total)
  if (isMore) reply.header('x-total-is-more', 'true')
}

function isDeclared(endpoint: Endpoint, refusal: Refusal): boolean {
  return [...declaredEverywhere, ...(endpoint.refusals ?? [])].some(({ code }) => code === refusal.code)
}

function schemaOf(endpoint: Endpoint) {
  const answers: RefusalDefinition[] = [...(endpoint.refusals ?? [])]
  if (endpoint.who !== 'anyone') answers.push(commonRefusals.unauthorized)
  if (endpoint.who === 'admin') answers.push(commonRefusals.forbidden, commonRefusals.second_factor_missing)
  if (endpoint.asksAgainAfterMinutes !== undefined) answers.push(commonRefusals.step_up_required)
  if (endpoint.method !== 'GET') answers.push(commonRefusals.cross_site_request)
  answers.push(commonRefusals.unavailable, commonRefusals.outcome_unknown)
  if (endpoint.params) answers.push(commonRefusals.not_found)
  if (endpoint.takesKey) answers.push(commonRefusals.idempotency_key_reused)
  if (endpoint.body || endpoint.query) answers.push(commonRefusals.validation_failed)
  const statuses = [...new Set(answers.map(({ status }) => status))].sort()
  const refusalReplies = statuses.map((status) => {
    const ofStatus = new Map(
      answers.filter((answer) => answer.status === status).map((answer) => [answer.code, answer]),
    )
    const description = [...ofStatus.values()].map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n')
    const schema = ErrorReply.extend({ code: z.enum([...ofStatus.keys()]) })
    return [status, { description, content: { 'application/json': { schema } } }]
  })
  const type = endpoint.file ?? 'application/json'
  const done = (description: string) => ({ description, content: { [type]: { schema: endpoint.reply } } })
  const part = endpoint.path.startsWith('/api/admin') ? 'admin' : endpoint.who === 'anyone' ? 'public' : endpoint.who
  return {
    summary: endpoint.summary,
    tags: [part],
    ...(endpoint.who !== 'anyone' && { security: [{ session: [] }] }),
    ...(endpoint.params && { params: endpoint.params }),
    ...(endpoint.query && { querystring: endpoint.query }),
    ...(endpoint.takesKey && { headers: KeyHeader }),
    ...(endpoint.body && { body: endpoint.body }),
    response: {
      [endpoint.status ?? 200]: done(DONE[endpoint.status ?? 200]),
      ...(endpoint.repeats && { 200: done('It was there already') }),
      ...Object.fromEntries(refusalReplies),
    },
  }
}

/**
 * What to send as an answer of the API that carries the version of its text: a browser keeps it, asks each time whether it
 * is still so, and is told 304 when it is. The tag is a weak one: whatever the answer is compressed with says the same.
 */
function versioned(request: FastifyRequest, reply: FastifyReply, answer: unknown): string | FastifyReply {
  const write = reply.getSerializationFunction('200', 'application/json')
  if (!write) throw new Error('Only what a contract describes has versions.')
  const text = write(answer as Record<string, unknown>)
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  reply.headers({ etag, 'cache-control': 'private, no-cache' })
  if (!fresh(request.headers, { etag })) return text
  return reply.code(304).removeHeader('content-type').header('vary', 'accept-encoding').send()
}

/**
 * How files for spreadsheets are written: UTF-8 that Excel recognises, lines as RFC 4180 ends them, and a cell that begins
 * with = + - @, a tab or a carriage return made plain text, so that a member's name never becomes a formula.
 */
export const CSV = { bom: true, record_delimiter: 'windows', escape_formulas: true } as const satisfies Options
