import { DrizzleQueryError } from 'drizzle-orm'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import pg from 'pg'
import type { z } from 'zod'
import { commonRefusals, type FieldError, Refusal, type RefusalDefinition, refusals } from '#foundation/refusal.ts'
import { isOutage } from '../database/outage.ts'
import { bareHeaders, type Transport } from './security-headers.ts'

/** Requests that Fastify refuses, by status: every other 4xx is `malformed_request`. */
const requestRefusals = refusals({
  malformed_request: [400, 'This request could not be read.'],
  request_timeout: [408, 'This took too long to arrive. Please try again.'],
  body_too_large: [413, 'This is too large to send at once.'],
  unsupported_media_type: [415, 'Please send JSON.'],
})
const refusalOfStatus = new Map<number, RefusalDefinition>(
  [commonRefusals.not_found, ...Object.values(requestRefusals)].map((refusal) => [refusal.status, refusal]),
)
const INTERNAL_ERROR = {
  code: 'internal_error',
  status: 500,
  message: 'Something went wrong on our side. Please try again.',
}
/** `Retry-After` of every 503, in seconds. */
export const RETRY_AFTER = '5'
const STEP_UP = commonRefusals.step_up_required.code

/** Turns errors into responses. Must be called before routes are added. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = !(error instanceof Refusal) && isOutage(error) ? new Refusal(commonRefusals.unavailable) : error
    if (refusal instanceof Refusal) {
      if (refusal.status === 503) {
        request.log.warn({ err: error.cause ?? error }, 'answered 503')
        reply.header('retry-after', RETRY_AFTER)
      }
      if (refusal.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter))
      return response(reply, refusal, { errors: refusal.errors, ...(refusal.code === STEP_UP && { stepUp: true }) })
    }
    if (error instanceof InvalidRequest) return handleInvalid(error, reply)
    const status = error.statusCode
    if (status && status >= 400 && status < 500) {
      return response(reply, { ...(refusalOfStatus.get(status) ?? requestRefusals.malformed_request), status })
    }
    request.log.error({ err: error }, 'request failed')
    return response(reply, INTERNAL_ERROR)
  })
}

/** Responds to a path that cannot be parsed (`%zz`) or is too long; no hook has run by then. */
export function handleUnreadablePath(transport: Transport) {
  const headers = bareHeaders(transport)
  return (_error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(headers)
    response(reply, commonRefusals.not_found)
  }
}

/** Responds to an unknown path below `/api`. */
export function handleUnknownPath(_request: FastifyRequest, reply: FastifyReply) {
  return response(reply, commonRefusals.not_found)
}

/** A request that does not fit its contract. Fastify adds which part of it. */
export class InvalidRequest extends Error {
  readonly validationContext?: FastifyError['validationContext']
  readonly issues: readonly z.core.$ZodIssue[]

  constructor({ issues }: z.core.$ZodError) {
    super(commonRefusals.validation_failed.message)
    this.issues = issues
  }
}

function handleInvalid({ validationContext, issues }: InvalidRequest, reply: FastifyReply) {
  // An id that cannot exist is simply not found.
  if (validationContext === 'params') return response(reply, commonRefusals.not_found)
  const errors = issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  return response(
    reply,
    { ...commonRefusals.validation_failed, ...(errors[0] && { message: errors[0].message }) },
    { errors },
  )
}

/** Writes `{ code, message, errors?, stepUp? }`: the shape of every failure. */
function response(
  reply: FastifyReply,
  { code, status, message }: RefusalDefinition,
  more: { errors?: FieldError[]; stepUp?: true } = {},
) {
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ code, message, ...more })
}

/** An error as it is logged. Database errors quote values, so of those only the kind, place and frames are kept. */
export function loggableError(
  error: Error,
): Record<string, unknown> & { type: string; message: string; stack: string } {
  const chain: Error[] = []
  for (let cause: unknown = error; cause instanceof Error && chain.length < 5; cause = cause.cause) chain.push(cause)
  const database = chain.find((cause) => cause instanceof pg.DatabaseError)
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  if (database || chain.some((cause) => cause instanceof DrizzleQueryError)) {
    const { code, constraint, table, column, routine } = (database ?? {}) as pg.DatabaseError
    const message = `database error ${code ?? ''}`.trim()
    return { type: error.name, message, code, constraint, table, column, routine, stack: frames.join('\n') }
  }
  const causes = chain.slice(1).map(({ name, message }) => `${name}: ${message}`)
  return { type: error.name, message: error.message, ...(causes.length && { causes }), stack: frames.join('\n') }
}
