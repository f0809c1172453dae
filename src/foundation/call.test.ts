import { afterEach, describe, expect, test, vi } from 'vitest'
import { CallError, call, callRead, emptyIfRefused, errorMessage, setTransport, Unreachable } from './call.ts'

test.each([
  ['1', ' Please try again in 1 minute.'],
  ['60', ' Please try again in 1 minute.'],
  ['61', ' Please try again in 2 minutes.'],
  ['3600', ' Please try again in 60 minutes.'],
  [null, ''],
  ['Wed, 21 Oct 2026 07:28:00 GMT', ''],
])('a 429 with Retry-After %s explains when to try again', (retryAfter, advice) => {
  const tooMany = new CallError(429, '{"message":"Too many."}', 'Too Many Requests', retryAfter)
  expect(errorMessage(tooMany, 'Not done.')).toBe(`Too many.${advice}`)
  const body = JSON.stringify({ message: 'Too many attempts. Please wait a little and try again.' })
  expect(errorMessage(new CallError(429, body, '', retryAfter), 'Not done.')).toBe(
    `Too many attempts.${advice || ' Please wait a little and try again.'}`,
  )
  // 503 has its own message.
  expect(errorMessage(new CallError(503, '{"message":"Later."}', '', retryAfter), 'Not done.')).toBe('Later.')
})

const BOOK = { method: 'POST', path: '/api/bookings' } as const
const LIST = { method: 'GET', path: '/api/bookings' } as const

describe('a lost response', () => {
  afterEach(() => {
    vi.useRealTimers()
    setTransport((path, init) => fetch(path, init))
  })

  /** Responds in turn; a missing response is lost. Returns the outcome of a call, and the keys that were sent. */
  function serverOf(...responses: (Response | undefined)[]) {
    vi.useFakeTimers()
    const keys: (string | null)[] = []
    setTransport(async (_, init) => {
      keys.push(new Headers(init.headers).get('idempotency-key'))
      return responses.shift() ?? Promise.reject(new TypeError('fetch failed'))
    })
    const outcome = async (called: Promise<unknown>) => {
      const settled = called.catch((error) => error)
      await vi.runAllTimersAsync()
      return await settled
    }
    return { keys, outcome }
  }
  const ok = (booking: string) => new Response(JSON.stringify(booking))

  test('is fetched by repeating the write once with the same key', async () => {
    const { keys, outcome } = serverOf(undefined, ok('booked'))
    expect(await outcome(call(BOOK, { body: { classId: 1 } }))).toBe('booked')
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys).toEqual([keys[0], keys[0]])
  })

  test('is reported after the second one; the same write sent again by hand has the same key', async () => {
    const { keys, outcome } = serverOf(undefined, undefined, ok('booked'), ok('booked'))
    const book = () => outcome(call(BOOK, { body: { classId: 1 } }))
    expect(await book()).toBeInstanceOf(Unreachable)
    expect(await book()).toBe('booked')
    expect(await book()).toBe('booked')
    expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]])
    expect(keys[3]).not.toBe(keys[0])
  })

  test('of another write does not lend its key', async () => {
    const { keys, outcome } = serverOf(undefined, undefined, ok('booked'), ok('booked'))
    await outcome(call(BOOK, { body: { classId: 1 } }))
    await outcome(call(BOOK, { body: { classId: 2 } }))
    await outcome(call(BOOK, { body: { classId: 1 } }))
    expect(new Set(keys).size).toBe(3)
  })

  test.each([503, 409])('is not one with the status %d', async (status) => {
    const { keys, outcome } = serverOf(new Response('{"message":"No."}', { status }), ok('booked'))
    expect(await outcome(call(BOOK, { body: { classId: 1 } }))).toBeInstanceOf(CallError)
    expect(keys).toHaveLength(1)
  })

  test('of a read is final, whatever its method', async () => {
    const { keys, outcome } = serverOf(undefined, undefined)
    expect(await outcome(call(LIST))).toBeInstanceOf(Unreachable)
    expect(await outcome(callRead(BOOK, { body: { classId: 1 } }))).toBeInstanceOf(Unreachable)
    expect(keys).toEqual([null, null])
  })
})

describe('a read that takes a 401 as empty', () => {
  afterEach(() => setTransport((path, init) => fetch(path, init)))
  const reads = (status: number) => {
    setTransport(async () => new Response('{"message":"No."}', { status }))
    return callRead(LIST)
  }

  test('is null; by default a 401 throws', async () => {
    expect(await emptyIfRefused(reads(401))).toBeNull()
    await expect(reads(401)).rejects.toThrow('401: {"message":"No."}')
  })

  test('throws on other failures, unless they are named', async () => {
    await expect(emptyIfRefused(reads(500))).rejects.toThrow('500')
    expect(await emptyIfRefused(reads(500), ({ status }) => status >= 500)).toBeNull()
    setTransport(() => Promise.reject(new TypeError('fetch failed')))
    await expect(emptyIfRefused(callRead(LIST), () => true)).rejects.toBeInstanceOf(Unreachable)
  })
})
