import { afterEach, describe, expect, test, vi } from 'vitest'
import { CallError, errorMessage, Unreachable } from './call.ts'
import { findLostResponse, isUncertain } from './lost-responses.ts'

const silence = new Unreachable(new TypeError('fetch failed'))
const busy = new CallError(503, '{"message":"Later."}', 'Service Unavailable')
const loggedOut = new CallError(401, '{"message":"Unauthorized"}', 'Unauthorized')

afterEach(() => {
  vi.useRealTimers()
})

test.each([
  [silence, true],
  [busy, true],
  [new CallError(502, '<html>', 'Bad Gateway'), true],
  [new CallError(400, '{"message":"Full."}', 'Bad Request'), false],
  [loggedOut, false],
  [new TypeError('ours'), false],
])('whether a write may have happened after "%s": %s', (error, expected) => {
  expect(isUncertain(error)).toBe(expected)
})

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

describe('findLostResponse', () => {
  /** Returns the responses in turn; throws errors. */
  function looks(...responses: unknown[]) {
    return vi.fn(async () => {
      const response = responses.shift()
      if (response instanceof Error) throw response
      return response
    })
  }
  const outcome = async (lost: unknown, look: () => Promise<unknown>) => {
    vi.useFakeTimers()
    const found = findLostResponse(lost, look).catch((error) => error)
    await vi.runAllTimersAsync()
    return await found
  }

  test('looks several times after a timeout, as the server may still be working', async () => {
    const look = looks(undefined, undefined, 'booked')
    expect(await outcome(silence, look)).toBe('booked')
    expect(look).toHaveBeenCalledTimes(3)
  })

  test('fails with the original error if the write did not happen', async () => {
    const look = looks()
    expect(await outcome(silence, look)).toBe(silence)
    expect(look).toHaveBeenCalledTimes(3)
  })

  test('looks once after a 503', async () => {
    const look = looks(undefined, 'booked')
    expect(await outcome(busy, look)).toBe(busy)
    expect(look).toHaveBeenCalledTimes(1)
    expect(await outcome(busy, looks('booked'))).toBe('booked')
  })

  test('gives up if it cannot read; passes on a 401', async () => {
    const look = looks(silence, 'booked')
    expect(await outcome(silence, look)).toBe(silence)
    expect(look).toHaveBeenCalledTimes(1)
    expect(await outcome(silence, looks(loggedOut))).toBe(loggedOut)
  })
})
