import { expect, test } from 'vitest'
import { CONFIRM_WITHIN_DAYS, lastForgotten } from './rules.ts'

test('a request to confirm is forgotten after seven days, to the second', () => {
  expect(CONFIRM_WITHIN_DAYS).toBe(7)
  expect(lastForgotten(Temporal.Instant.from('2026-12-07T09:00:01Z')).toString()).toBe('2026-11-30T09:00:01Z')
})
