import { afterEach, describe, expect, test, vi } from 'vitest'
import { CallError, sentenceOf, Unreachable } from './call.ts'
import { isUncertain, lookUntilKnown } from './lost-answers.ts'

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
])('after "%s" the outcome of a write is uncertain: %s', (error, expected) => {
  expect(isUncertain(error)).toBe(expected)
})

test.each([
  ['1', ' Please try again in 1 minute.'],
  ['60', ' Please try again in 1 minute.'],
  ['61', ' Please try again in 2 minutes.'],
  ['3600', ' Please try again in 60 minutes.'],
  [null, ''],
  ['Wed, 21 Oct 2026 07:28:00 GMT', ''],
])('explains a 429 with a retry after %s in words', (retryAfter, told) => {
  const tooMany = new CallError(429, '{"message":"Too many."}', 'Too Many Requests', retryAfter)
  expect(sentenceOf(tooMany, 'Not done.')).toBe(`Too many.${told}`)
  const said = JSON.stringify({ message: 'Too many attempts. Please wait a little and try again.' })
  expect(sentenceOf(new CallError(429, said, '', retryAfter), 'Not done.')).toBe(
    `Too many attempts.${told || ' Please wait a little and try again.'}`,
  )
  // What is busy has its own sentence.
  expect(sentenceOf(new CallError(503, '{"message":"Later."}', '', retryAfter), 'Not done.')).toBe('Later.')
})

describe('checking a write whose response was lost', () => {
  /** Answers in turn; an error is thrown. */
  function looks(...answers: unknown[]) {
    return vi.fn(async () => {
      const answer = answers.shift()
      if (answer instanceof Error) throw answer
      return answer
    })
  }
  const outcome = async (lost: unknown, look: () => Promise<unknown>) => {
    vi.useFakeTimers()
    const found = lookUntilKnown(lost, look).catch((error) => error)
    await vi.runAllTimersAsync()
    return await found
  }

  test('checks again for a moment after a timeout, because the server may still be working', async () => {
    const look = looks(undefined, undefined, 'booked')
    expect(await outcome(silence, look)).toBe('booked')
    expect(look).toHaveBeenCalledTimes(3)
  })

  test('rethrows the error if the write was not done by then', async () => {
    const look = looks()
    expect(await outcome(silence, look)).toBe(silence)
    expect(look).toHaveBeenCalledTimes(3)
  })

  test('checks once after a 503', async () => {
    const look = looks(undefined, 'booked')
    expect(await outcome(busy, look)).toBe(busy)
    expect(look).toHaveBeenCalledTimes(1)
    expect(await outcome(busy, looks('booked'))).toBe('booked')
  })

  test('does not wait if the check fails; an expired session is reported', async () => {
    const look = looks(silence, 'booked')
    expect(await outcome(silence, look)).toBe(silence)
    expect(look).toHaveBeenCalledTimes(1)
    expect(await outcome(silence, looks(loggedOut))).toBe(loggedOut)
  })
})
