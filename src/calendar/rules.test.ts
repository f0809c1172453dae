import { expect, test } from 'vitest'
import { feedStart } from './rules.ts'

test('a feed starts ninety days back, to the second', () => {
  expect(feedStart(Temporal.Instant.from('2026-12-07T09:00:01Z')).toString()).toBe('2026-09-08T09:00:01Z')
})
