import type { z } from 'zod'
import type { RefusalDefinition } from './refusal.ts'

/** Who may call: `anyone`, a signed-in `member` (admins are members too) or an `admin`. There is no default. */
export type Audience = 'anyone' | 'member' | 'admin'

export type Endpoint = {
  readonly who: Audience
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Fastify's notation: `/api/bookings/:id/cancel`. */
  readonly path: string
  /** Further paths that answer alike (the specification has doubled paths). */
  readonly alias?: readonly string[]
  readonly summary: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Bytes that a body may have, where that is more than usual. */
  readonly bodyLimit?: number
  readonly reply: z.ZodType
  /** The answer is a file of this type, not JSON; `reply` is then a text. */
  readonly file?: 'text/csv' | 'text/calendar' | 'application/pdf'
  /** An export that is no file type of its own: it may take longer than other answers. */
  readonly isExport?: true
  /**
   * A read that is the same for everybody who is no admin: it carries a version (`ETag`), and nothing is sent again to who
   * has it already.
   */
  readonly isVersioned?: true
  /** 200 unless stated; creating endpoints state 201, those whose work goes on after the answer 202. */
  readonly status?: 200 | 201 | 202
  /** A write that may be sent with an `Idempotency-Key`: the same key does the thing once. */
  readonly takesKey?: true
  /** A creating endpoint that answers 200 with the same entity when called again. */
  readonly repeats?: boolean
  /**
   * Who has not proved for so many minutes who they are is asked again first (`stepUp`); a site may ask nobody (the demo
   * does).
   */
  readonly asksAgainAfterMinutes?: number
  /** What this endpoint may refuse beyond the common ones (401, 403, 404, validation). */
  readonly refusals?: readonly RefusalDefinition[]
}

type Method = Endpoint['method']
/** `POST /api/bookings`. */
type AddressText = `${Method} /${string}`
type AddressOf<Text> = Text extends `${infer M extends Method} ${infer Path}`
  ? { readonly method: M; readonly path: Path }
  : never

/**
 * A contract entry: its address, who may call it, what it takes and how it can be refused. Read by server, browser and
 * OpenAPI alike.
 */
export function endpoint<const Text extends AddressText, const Rest extends Omit<Endpoint, 'method' | 'path'>>(
  address: Text,
  rest: Rest,
): AddressOf<Text> & Rest {
  const [method, path] = address.split(' ')
  // A template type cannot follow the split.
  return { method, path, ...rest } as AddressOf<Text> & Rest
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined
type Input<S> = S extends z.ZodType ? z.input<S> : undefined

export type ParamsOf<E extends Endpoint> = Output<E['params']>
export type QueryOf<E extends Endpoint> = Output<E['query']>
export type BodyOf<E extends Endpoint> = Output<E['body']>
export type ReplyOf<E extends Endpoint> = z.input<E['reply']>

type Sent<Key extends string, S> = S extends z.ZodType ? { [K in Key]: Input<S> } : { [K in Key]?: undefined }
/** What a caller sends: only the pieces the endpoint declares. */
export type CallOf<E extends Endpoint> = Sent<'params', E['params']> &
  Partial<Sent<'query', E['query']>> &
  Sent<'body', E['body']> & { key?: E['takesKey'] extends true ? string : undefined }
/** What a caller gets back. */
export type AnswerOf<E extends Endpoint> = z.output<E['reply']>
