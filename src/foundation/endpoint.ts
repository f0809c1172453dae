import type { z } from 'zod'
import { Message } from './fields.ts'
import type { RefusalDefinition } from './refusal.ts'

/** Admins and teachers are members too; `teacher` is teachers and admins. */
export type Audience = 'anyone' | 'member' | 'teacher' | 'admin'

export type Endpoint = {
  readonly who: Audience
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `/api/bookings/:id/cancel`. */
  readonly path: string
  /** Further paths of the same endpoint. */
  readonly alias?: readonly string[]
  readonly summary: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** In bytes, if larger than the default. */
  readonly bodyLimit?: number
  /** The body is a file of any type, as `application/octet-stream`. */
  readonly upload?: { readonly maxBytes: number; readonly tooLarge: RefusalDefinition }
  readonly response: z.ZodType
  /** Instead of `response`: the message of a write that has nothing to return, and whose handler returns nothing. */
  readonly says?: string
  /** The response is a file of this type; `response` is then a string. */
  readonly file?: 'text/csv' | 'text/calendar' | 'application/pdf'
  /** An export as JSON, which may take longer than other responses. */
  readonly isExport?: true
  /** A read that is the same for everyone but admins: it has an `ETag`. */
  readonly isVersioned?: true
  /** Defaults to 200; 202 if the work continues after the response. */
  readonly status?: 200 | 201 | 202
  /**
   * A write whose response carries a secret, a session (or its end) or a health answer. It is never stored for a
   * repeated call.
   */
  readonly isPrivate?: true
  /** A creating endpoint that returns 200 with the same entity to a repeated call. */
  readonly repeats?: boolean
  /** Requires a step-up if the last proof of identity is older than this. The demo does not require it. */
  readonly stepUpAfterMinutes?: number
  /** In addition to the common ones (401, 403, 404, validation). */
  readonly refusals?: readonly RefusalDefinition[]
}

type Method = Endpoint['method']
/** `POST /api/bookings`. */
type AddressText = `${Method} /${string}`
type AddressOf<Text> = Text extends `${infer M extends Method} ${infer Path}`
  ? { readonly method: M; readonly path: Path } & (Path extends AdminPath ? { readonly who: 'admin' } : unknown)
  : never
type AdminPath = `/api/admin/${string}`
type Described<Text> = Omit<Endpoint, 'method' | 'path' | 'who' | 'response' | 'says'> &
  ({ readonly response: z.ZodType; readonly says?: string } | { readonly says: string; readonly response?: never }) &
  (Text extends `${Method} ${AdminPath}` ? { readonly who?: never } : Pick<Endpoint, 'who'>)

/** A contract entry, for the server, the browser and OpenAPI. Below `/api/admin/` everything is for admins alone. */
export function endpoint<const Text extends AddressText, const Rest extends Described<Text>>(
  address: Text,
  rest: Rest,
): AddressOf<Text> & Rest & (Rest extends { says: string } ? { readonly response: typeof Message } : unknown) {
  const [method, path] = address.split(' ')
  const defaults: object = { method, path, who: 'admin', response: Message }
  return { ...defaults, ...rest } as ReturnType<typeof endpoint<Text, Rest>>
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined
type Input<S> = S extends z.ZodType ? z.input<S> : undefined

export type ParamsOf<E extends Endpoint> = Output<E['params']>
export type QueryOf<E extends Endpoint> = Output<E['query']>
export type BodyOf<E extends Endpoint> = Output<E['body']>
/** What a handler returns. */
export type ResponseInput<E extends Endpoint> = z.input<E extends { says: string } ? z.ZodVoid : E['response']>

type Sent<Key extends string, S> = S extends z.ZodType ? { [K in Key]: Input<S> } : { [K in Key]?: undefined }
export type CallOf<E extends Endpoint> = Sent<'params', E['params']> &
  Partial<Sent<'query', E['query']>> &
  Sent<'body', E['body']> &
  (E['upload'] extends object ? { file: Blob } : { file?: undefined })
export type ResponseOf<E extends Endpoint> = z.output<E['response']>
