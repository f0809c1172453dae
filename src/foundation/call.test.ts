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
])('after "%s" it is uncertain what became of a write: %s', (error, expected) => {
  expect(isUncertain(error)).toBe(expected)
})

test.each([
  ['1', ' Please try again in 1 minute.'],
  ['60', ' Please try again in 1 minute.'],
  ['61', ' Please try again in 2 minutes.'],
  ['3600', ' Please try again in 60 minutes.'],
  [null, ''],
  ['Wed, 21 Oct 2026 07:28:00 GMT', ''],
])('too many tries, to be tried again after %s, are told in words', (retryAfter, told) => {
  const tooMany = new CallError(429, '{"message":"Too many."}', 'Too Many Requests', retryAfter)
  expect(sentenceOf(tooMany, 'Not done.')).toBe(`Too many.${told}`)
  const said = JSON.stringify({ message: 'Too many attempts. Please wait a little and try again.' })
  expect(sentenceOf(new CallError(429, said, '', retryAfter), 'Not done.')).toBe(
    `Too many attempts.${told || ' Please wait a little and try again.'}`,
  )
  // 503 has its own message.
  expect(sentenceOf(new CallError(503, '{"message":"Later."}', '', retryAfter), 'Not done.')).toBe('Later.')
})

describe('looking whether a lost write was done', () => {
  /** Returns the answers in turn; throws errors. */
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

  test('after silence it looks again for a moment: the server may still be at work', async () => {
    const look = looks(undefined, undefined, 'booked')
    expect(await outcome(silence, look)).toBe('booked')
    expect(look).toHaveBeenCalledTimes(3)
  })

  test('what was not done by then failed as it did', async () => {
    const look = looks()
    expect(await outcome(silence, look)).toBe(silence)
    expect(look).toHaveBeenCalledTimes(3)
  })

  test('a 503 is an answer: one look is enough', async () => {
    const look = looks(undefined, 'booked')
    expect(await outcome(busy, look)).toBe(busy)
    expect(look).toHaveBeenCalledTimes(1)
    expect(await outcome(busy, looks('booked'))).toBe('booked')
  })

  test('where nothing can be read it does not wait; a session that ended meanwhile is its own answer', async () => {
    const look = looks(silence, 'booked')
    expect(await outcome(silence, look)).toBe(silence)
    expect(look).toHaveBeenCalledTimes(1)
    expect(await outcome(silence, looks(loggedOut))).toBe(loggedOut)
  })
})
