import { describe, expect, test } from 'vitest'
import { isUseRecordDue, sessionEndsAt } from './session-rules.ts'

const at = (text: string) => Temporal.Instant.from(text)
const session = { createdAt: at('2026-12-07T09:00:00Z'), expiresAt: at('2027-01-06T09:00:00Z') }
const usedAt = (lastUsedAt: string) => ({ ...session, lastUsedAt: at(lastUsedAt) })

describe('a session ends', () => {
  test.each([
    ['of a member, live', { isStaff: false, mode: 'live' }, '2026-12-07T09:00:00Z', '2027-01-06T09:00:00Z'],
    ['of an admin, demo', { isStaff: true, mode: 'demo' }, '2026-12-07T09:00:00Z', '2027-01-06T09:00:00Z'],
    [
      'of an admin, live: 12 hours idle',
      { isStaff: true, mode: 'live' },
      '2026-12-08T08:00:00Z',
      '2026-12-08T20:00:00Z',
    ],
    [
      'of an admin, live: 7 days in all',
      { isStaff: true, mode: 'live' },
      '2026-12-14T08:59:00Z',
      '2026-12-14T09:00:00Z',
    ],
  ] as const)('%s', (_, who, lastUsedAt, end) => {
    expect(sessionEndsAt(usedAt(lastUsedAt), who).toString()).toBe(end)
  })

  test('at its own expiry at the latest', () => {
    const short = { ...usedAt('2026-12-07T09:00:00Z'), expiresAt: at('2026-12-07T10:00:00Z') }
    expect(sessionEndsAt(short, { isStaff: true, mode: 'live' }).toString()).toBe('2026-12-07T10:00:00Z')
  })
})

test.each([
  ['2026-12-07T09:04:59Z', false],
  ['2026-12-07T09:05:00Z', true],
])('its use is recorded after five minutes: %s', (now, isDue) => {
  expect(isUseRecordDue(at('2026-12-07T09:00:00Z'), at(now))).toBe(isDue)
})
