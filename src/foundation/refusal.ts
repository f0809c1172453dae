import { keysOf } from './collections.ts'

/**
 * A refusal is a rule saying no: a code for programs, a status for HTTP and a sentence for a person.
 * Each part writes its refusals once, beside its contract, and both sides read them from there.
 */
export type RefusalDefinition<Code extends string = string> = {
  readonly code: Code
  readonly status: number
  readonly message: string
}

/**
 * Declares a part's refusals.
 *
 * @param definitions code → [HTTP status, sentence a member can read]
 * @returns the same codes, each as a value to hand to {@link refuse} and to list in an endpoint
 */
export function refusals<const Code extends string>(
  definitions: Record<Code, readonly [status: number, message: string]>,
): { readonly [C in Code]: RefusalDefinition<C> } {
  const entries = keysOf(definitions).map((code) => {
    const [status, message] = definitions[code]
    return [code, { code, status, message }]
  })
  // The compiler does not follow a key through `fromEntries`.
  return Object.fromEntries(entries) as { [C in Code]: RefusalDefinition<C> }
}

/** One thing wrong with what was sent: where (`repeatUntilDate`, `address.0`) and what to say beside the field. */
export type FieldError = { path: string; message: string }

/** Thrown by {@link refuse}; the server's one error handler turns it into `{ code, message, errors? }` with `status`. */
export class Refusal extends Error {
  readonly code: string
  readonly status: number
  readonly errors: FieldError[] | undefined
  /** Seconds after which it is worth trying again. */
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

/** Says no. Usable where a value is expected: `const pass = found ?? refuse(passRefusals.pass_not_found)`. */
export function refuse(definition: RefusalDefinition, errors?: FieldError[]): never {
  throw new Refusal(definition, errors)
}

/** Says no for now: whoever asks is told to come again after so many seconds (`Retry-After`). */
export function refuseUntil(definition: RefusalDefinition, seconds: number): never {
  throw new Refusal(definition, undefined, Math.max(1, Math.ceil(seconds)))
}

/** What any endpoint may answer, whatever its part. */
export const commonRefusals = refusals({
  unauthorized: [401, 'Unauthorized'],
  forbidden: [403, 'You are not allowed to do this.'],
  cross_site_request: [403, 'This request came from another site and was not carried out.'],
  /** The same request is answered once they have; the answer says `stepUp: true`. */
  step_up_required: [403, 'Please confirm first that it is you.'],
  /** Of an admin whose session has not shown a second step. */
  second_factor_missing: [403, 'This needs a second step besides your password. Please set it up, or take it, first.'],
  not_found: [404, 'Not found.'],
  unknown_proxy: [400, 'This request came through a proxy that this site does not know.'],
  unknown_host: [421, 'This site does not answer under that name.'],
  /** Only of edits that say which state they were written for. */
  edit_conflict: [409, 'Somebody else has changed this in the meantime. Load the latest version and check it again.'],
  /** Of writes that take an `Idempotency-Key`. */
  idempotency_key_reused: [422, 'This was already sent with different details. Please start again.'],
  validation_failed: [400, 'Please check what you entered.'],
  too_many_requests: [429, 'Too many attempts. Please wait a little and try again.'],
  /** Time ran out, or the database cannot be reached: what was begun has been undone. */
  unavailable: [503, 'The studio is very busy at the moment, so nothing was changed. Please try again shortly.'],
  /** The connection to the database was lost at the very end, or time ran out after something was done. */
  outcome_unknown: [503, 'This took too long, and it may have been done. Please look before you try again.'],
})
