import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Options } from 'csv-stringify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import { z } from 'zod'
import type { Audience, BodyOf, Endpoint, ParamsOf, QueryOf, ResponseInput } from '#foundation/endpoint.ts'
import type { Clock } from '#foundation/instants.ts'
import { commonRefusals, Refusal, type RefusalDefinition, refuse } from '#foundation/refusal.ts'
import type { Database, Reader } from '../database/database.ts'
import { withTimeLimit } from './time-limit.ts'

/** The caller of an endpoint. The application adds its own fields (`declare module`). */
export interface Caller {
  isAdmin: boolean
  isTeacher: boolean
  /** The account's role; the session may still lack the second step for it. */
  role: 'member' | 'teacher' | 'admin'
  /** Whether step-up is due, given how many minutes old the last proof may be. */
  mustProve(minutes: number): boolean
}

/**
 * Responds to a GET for a page that is rendered for `request.caller`, without HTTP but with the same guards.
 *
 * @returns the response as JSON
 */
export type Read = (request: FastifyRequest, reply: FastifyReply, query: Record<string, string>) => Promise<string>

export type Http = {
  app: FastifyInstance
  /** By path, without those of endpoints that return files. */
  reads: Map<string, Read>
  /** The caller of a request; null for a visitor. */
  findCaller(request: FastifyRequest): Promise<Caller | null>
  /** In tests an undeclared refusal is an error; in production it is sent anyway. */
  strict: boolean
  database: Database
  clock: Clock
  /** Called before a signed-in caller is refused an endpoint for admins or teachers. */
  onForbidden?(request: FastifyRequest, caller: Caller): Promise<void>
}

type CallerOf<W extends Audience> = W extends 'anyone' ? Caller | null : Caller

type Checked<E extends Endpoint> = Pick<Call<E>, 'params' | 'query' | 'body'> & { caller: CallerOf<E['who']> }

/** A checked call of an endpoint. */
export type Call<E extends Endpoint> = {
  user: CallerOf<E['who']>
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  /** For reads. */
  db: Reader
  now: Temporal.Instant
  request: FastifyRequest
  reply: FastifyReply
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}

const ErrorResponse = z
  .object({
    /** For programs: documented per endpoint, and stable once published. */
    code: z.string(),
    message: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    /** Step-up is needed: `POST /api/user/confirm`, then the same request again. */
    stepUp: z.literal(true).optional(),
  })
  .meta({ id: 'Error' })

/** Other headers pass through. */
const KeyHeader = z.looseObject({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Requests with the same key within a day are carried out once; repeats get the first response'),
})

const DONE = { 200: 'Done', 201: 'Created', 202: 'Accepted: the work continues after the response' }

const declaredEverywhere: readonly RefusalDefinition[] = Object.values(commonRefusals)

/**
 * Serves a contract entry at its path and aliases. Guards run before the body is read; then params (404), query and
 * body (400) are checked, `handle` runs, and the response is checked and written. A write in one transaction is served
 * by `write`.
 *
 * @param options.takesKey whether it accepts an `Idempotency-Key`
 */
export function serve<const E extends Endpoint>(
  http: Http,
  endpoint: E,
  handle: (call: Call<E>) => Promise<ResponseInput<E>>,
  { takesKey = false } = {},
): void {
  // Fastify sends `null` as an empty body; here it is the JSON value.
  const nothing = endpoint.says === undefined ? 'null' : { message: endpoint.says }
  route(http, endpoint, 'application/json', async (call) => (await handle(call)) ?? nothing, takesKey)
  if (endpoint.method !== 'GET') return
  http.reads.set(endpoint.path, async (request, reply, sent) => {
    const { caller: user } = request
    guard(endpoint, user)
    const query = endpoint.query?.parse(sent)
    return JSON.stringify(
      endpoint.response.parse(await handle({ user, query, ...readsOf(http), request, reply } as Call<E>)),
    )
  })
}

const readsOf = ({ database, clock }: Http) => ({ db: database.db, now: clock.now() })

const isWithin = (who: Audience, caller: Pick<Caller, 'isAdmin' | 'isTeacher'> | null) =>
  who === 'anyone' ||
  (caller !== null && (who === 'member' || caller.isAdmin || (who === 'teacher' && caller.isTeacher)))

/** Refuses callers outside the audience. */
export function requireAudience(who: Audience, caller: Caller | null): void {
  if (isWithin(who, caller)) return
  const { role } = caller ?? refuse(commonRefusals.unauthorized)
  const isWithheld = isWithin(who, { isAdmin: role === 'admin', isTeacher: role === 'teacher' })
  refuse(isWithheld ? commonRefusals.second_factor_missing : commonRefusals.forbidden)
}

function guard({ who, stepUpAfterMinutes: minutes }: Endpoint, caller: Caller | null): void {
  requireAudience(who, caller)
  if (minutes !== undefined && caller?.mustProve(minutes)) refuse(commonRefusals.step_up_required)
}

/** Serves a contract entry whose answer is a file, as a download or `inline`. It is streamed. */
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

/** Serves a contract entry that takes a file of any type, as `application/octet-stream`; anything else is empty. */
export function serveUpload<const E extends Endpoint & { upload: object }>(
  http: Http,
  endpoint: E,
  handle: (call: Call<E>, file: Buffer) => Promise<ResponseInput<E>>,
): void {
  const { maxBytes: bodyLimit, tooLarge } = endpoint.upload
  // A separate scope: no other route reads such a body.
  http.app.register(async (scope) => {
    scope.addContentTypeParser('application/octet-stream', { parseAs: 'buffer', bodyLimit }, (_request, body, done) =>
      done(null, body),
    )
    scope.addHook('preParsing', async (request) => {
      if (Number(request.headers['content-length']) > bodyLimit) refuse(tooLarge)
    })
    route({ ...http, app: scope }, endpoint, 'application/json', (call) => {
      const { body } = call.request
      return handle(call, Buffer.isBuffer(body) ? body : Buffer.alloc(0))
    })
  })
}

function route<const E extends Endpoint>(
  http: Http,
  endpoint: E,
  type: string,
  handle: (call: Call<E>) => Promise<unknown>,
  takesKey = false,
): void {
  for (const url of [endpoint.path, ...(endpoint.alias ?? [])]) {
    http.app.route({
      method: endpoint.method,
      url,
      schema: schemaOf(endpoint, takesKey),
      ...(endpoint.bodyLimit && { bodyLimit: endpoint.bodyLimit }),
      config: { isExport: Boolean(endpoint.file || endpoint.isExport) },
      onRequest: async (request) => {
        request.caller = await http.findCaller(request)
        const { caller } = request
        if (caller && !isWithin(endpoint.who, caller)) await http.onForbidden?.(request, caller)
        guard(endpoint, caller)
      },
      handler: withTimeLimit(async (request, reply) => {
        reply.code(endpoint.status ?? 200)
        try {
          // Guards and schemas have checked them, which the compiler cannot know.
          const { caller, params, query, body } = request as Checked<E>
          const response = await handle({ user: caller, params, query, body, ...readsOf(http), request, reply })
          reply.type(type === 'application/pdf' ? type : `${type}; charset=utf-8`)
          if (endpoint.isVersioned && !caller?.isAdmin) return withEtag(request, reply, response)
          // A file is generated while it is sent, within the time limit. Other responses are complete by now.
          return endpoint.file ? reply.send(response) : response
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

/** The number of rows in a whole list, and whether counting stopped early. */
type Total = number | { total: number; isMore: boolean }

/** Sets the header `X-Total-Count` for one page of a list, with `X-Total-Is-More` where counting stopped early. */
export function sendTotal(reply: FastifyReply, counted: Total): void {
  const { total, isMore } = typeof counted === 'number' ? { total: counted, isMore: false } : counted
  reply.header('x-total-count', total)
  if (isMore) reply.header('x-total-is-more', 'true')
}

/** Returns the rows of a list. If the query asks for a page, all are counted too for {@link sendTotal}. */
export async function sendPage<Row>(
  reply: FastifyReply,
  query: { limit?: number },
  count: () => Promise<Total>,
  rows: Promise<Row[]>,
): Promise<Row[]> {
  const [page, counted] = await Promise.all([rows, query.limit === undefined ? undefined : count()])
  if (counted !== undefined) sendTotal(reply, counted)
  return page
}

function isDeclared(endpoint: Endpoint, refusal: Refusal): boolean {
  return [...declaredEverywhere, ...(endpoint.refusals ?? [])].some(({ code }) => code === refusal.code)
}

function schemaOf(endpoint: Endpoint, takesKey: boolean) {
  const responses: RefusalDefinition[] = [...(endpoint.refusals ?? [])]
  if (endpoint.who !== 'anyone') responses.push(commonRefusals.unauthorized)
  if (endpoint.who === 'admin' || endpoint.who === 'teacher') {
    responses.push(commonRefusals.forbidden, commonRefusals.second_factor_missing)
  }
  if (endpoint.stepUpAfterMinutes !== undefined) responses.push(commonRefusals.step_up_required)
  if (endpoint.method !== 'GET') responses.push(commonRefusals.cross_site_request)
  responses.push(commonRefusals.unavailable, commonRefusals.outcome_unknown)
  if (endpoint.params) responses.push(commonRefusals.not_found)
  if (takesKey) responses.push(commonRefusals.idempotency_key_reused)
  if (endpoint.body || endpoint.query) responses.push(commonRefusals.validation_failed)
  const statuses = [...new Set(responses.map(({ status }) => status))].sort()
  const refusalResponses = statuses.map((status) => {
    const ofStatus = new Map(
      responses.filter((response) => response.status === status).map((response) => [response.code, response]),
    )
    const description = [...ofStatus.values()].map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n')
    const schema = ErrorResponse.extend({ code: z.enum([...ofStatus.keys()]) })
    return [status, { description, content: { 'application/json': { schema } } }]
  })
  const type = endpoint.file ?? 'application/json'
  const done = (description: string) => ({ description, content: { [type]: { schema: endpoint.response } } })
  const audience = endpoint.who === 'anyone' ? 'public' : endpoint.who
  const part = endpoint.path.startsWith('/api/admin') ? 'admin' : audience
  return {
    summary: endpoint.summary,
    tags: [part],
    ...(endpoint.who !== 'anyone' && { security: [{ session: [] }] }),
    ...(endpoint.params && { params: endpoint.params }),
    ...(endpoint.query && { querystring: endpoint.query }),
    ...(takesKey && { headers: KeyHeader }),
    ...(endpoint.body && { body: endpoint.body }),
    response: {
      [endpoint.status ?? 200]: done(DONE[endpoint.status ?? 200]),
      ...(endpoint.repeats && { 200: done('It already existed') }),
      ...Object.fromEntries(refusalResponses),
    },
  }
}

/** Adds an `ETag`, and returns 304 if the browser has that version. Weak, so that compression does not change it. */
function withEtag(request: FastifyRequest, reply: FastifyReply, response: unknown): string | FastifyReply {
  const write = reply.getSerializationFunction('200', 'application/json')
  if (!write) throw new Error('Only an endpoint with a contract can be versioned.')
  const text = write(response as Record<string, unknown>)
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  reply.headers({ etag, 'cache-control': 'private, no-cache' })
  if (!fresh(request.headers, { etag })) return text
  return reply.code(304).removeHeader('content-type').header('vary', 'accept-encoding').send()
}

/**
 * How CSV files are written: UTF-8 that Excel recognises, RFC 4180 line ends, and cells that begin with = + - @, a tab
 * or a carriage return escaped, so that a member's name never becomes a formula.
 */
export const CSV = { bom: true, record_delimiter: 'windows', escape_formulas: true } as const satisfies Options
