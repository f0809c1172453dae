import { keysOf } from './collections.ts'

/** A refusal: a code for programs, an HTTP status and a sentence for people. */
export type RefusalDefinition<Code extends string = string> = {
  readonly code: Code
  readonly status: number
  readonly message: string
}

/** Refusals as code → [HTTP status, message]. Without the annotation, pages would load what only the server sends. */
/* @__NO_SIDE_EFFECTS__ */
export function refusals<const Code extends string>(
  definitions: Record<Code, readonly [status: number, message: string]>,
): { readonly [C in Code]: RefusalDefinition<C> } {
  const entries = keysOf(definitions).map((code) => {
    const [status, message] = definitions[code]
    return [code, { code, status, message }]
  })
  // The compiler does not keep the keys of `fromEntries`.
  return Object.fromEntries(entries) as { [C in Code]: RefusalDefinition<C> }
}

/** An error of one field; `path` is for example `repeatUntilDate` or `address.0`. */
export type FieldError = { path: string; message: string }

/** Thrown by {@link refuse}; the error handler responds with `{ code, message, errors? }`. */
export class Refusal extends Error {
  readonly code: string
  readonly status: number
  readonly errors: FieldError[] | undefined
  /** In seconds. */
  readonly retryAfter: number | undefined

  constructor(definition: RefusalDefinition, errors?: FieldError[], retryAfter?: number) {
    super(definition.message)
    this.name = 'Refusal'
    this.code = definition.code
    this.status = definition.status
    this.errors = errors
    this.retryAfter = retryAfter
  }
}

/** Throws a refusal: `const pass = found ?? refuse(passRefusals.pass_not_found)`. */
export function refuse(definition: RefusalDefinition, errors?: FieldError[]): never {
  throw new Refusal(definition, errors)
}

/** Refuses one field, with the refusal's own message. */
export function refuseField(definition: RefusalDefinition, path: string): never {
  throw new Refusal(definition, [{ path, message: definition.message }])
}

/** Refuses with a `Retry-After` in seconds. */
export function refuseUntil(definition: RefusalDefinition, seconds: number): never {
  throw new Refusal(definition, undefined, Math.max(1, Math.ceil(seconds)))
}

/** Any endpoint may respond with these. */
export const commonRefusals = refusals({
  unauthorized: [401, 'Unauthorized'],
  forbidden: [403, 'You are not allowed to do this.'],
  cross_site_request: [403, 'This request came from another site and was not carried out.'],
  /** The response has `stepUp: true`; the client repeats the request afterwards. */
  step_up_required: [403, 'Confirm that it is you first.'],
  second_factor_missing: [403, 'This needs a second step as well as your password. Set it up or complete it first.'],
  not_found: [404, 'Not found.'],
  unknown_proxy: [400, 'This request came through an unknown proxy.'],
  unknown_host: [421, 'This site is not available at this address.'],
  edit_conflict: [409, 'Someone else has changed this since you opened it. Reload and check it again.'],
  idempotency_key_reused: [422, 'This was already sent with different details. Please start again.'],
  validation_failed: [400, 'Please check what you entered.'],
  too_many_requests: [429, 'Too many attempts. Please wait a little and try again.'],
  /** Rolled back after a timeout or a database outage. */
  unavailable: [503, 'The studio is very busy at the moment, so nothing was changed. Please try again shortly.'],
  /** The connection was lost during the commit, or the timeout expired after a change. */
  outcome_unknown: [503, 'This took too long, but it may have worked. Check before you try again.'],
})
