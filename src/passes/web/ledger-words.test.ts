import { expect, test } from 'vitest'
import type { LedgerLine } from '../contract.ts'
import {
  classInWords,
  creditsInWords,
  whatHappened,
  whoForAdmin,
  whoForMember,
  whyItHappened,
} from './credit-history-dialog.tsx'

const line = (changes: Partial<LedgerLine>): LedgerLine => ({
  id: 1,
  kind: 'booking',
  credits: -1,
  passId: 1,
  package: '8 Class Pass',
  bookingId: 1,
  class: { title: 'Duo', date: '2026-07-07', startTime: '09:30' },
  causedBy: { by: 'member', name: null },
  reason: null,
  at: '2026-07-06T08:15:00Z',
  ...changes,
})

test('describes what happened, the class and the credits', () => {
  const booked = line({})
  expect([whatHappened(booked), classInWords(booked), creditsInWords(booked)]).toEqual([
    'Class booked',
    'Duo, 07/07/2026 at 09:30',
    '−1',
  ])
  expect(classInWords(line({ class: null }))).toBeNull()
  expect([creditsInWords(line({ credits: 8 })), creditsInWords(line({ credits: 0 }))]).toEqual(['+8', '0'])
})

test.each([
  [{ kind: 'correction', credits: 0 }, 'Attendance corrected'],
  [{ kind: 'correction', credits: 2 }, 'Credits added'],
  [{ kind: 'correction', credits: -2 }, 'Credits taken away'],
  [{ kind: 'goodwill', credits: 1 }, 'Credit given back'],
] as const)('describes %j as %s', (changes, words) => {
  expect(whatHappened(line(changes))).toBe(words)
})

test('gives the line’s reason, otherwise the rule’s', () => {
  expect(whyItHappened(line({ kind: 'goodwill', reason: 'The bus broke down' }))).toBe('The bus broke down')
  expect(whyItHappened(line({ kind: 'forfeit' }))).toBe('Cancelled in the last 120 minutes before the start')
  expect(whyItHappened(line({ kind: 'return' }))).toBe('Cancelled more than 120 minutes before the start')
  expect(whyItHappened(line({}))).toBeNull()
})

test.each([
  [{ by: 'member', name: null }, 'by you', 'The member'],
  [{ by: 'admin', name: 'Dora Cast' }, 'by the studio', 'Dora Cast'],
  [{ by: 'admin', name: null }, 'by the studio', 'A former admin'],
  [{ by: 'system', name: null }, 'automatically', 'Automatic'],
  [{ by: 'provider', name: null }, 'by the card provider', 'The card provider'],
] as const)('names the cause %j as %s to the member and %s to the studio', (causedBy, member, admin) => {
  expect([whoForMember(line({ causedBy })), whoForAdmin(line({ causedBy }))]).toEqual([member, admin])
})
