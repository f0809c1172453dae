import { expect, test } from 'vitest'
import { changesOf, isMove, scopesOf } from './edit-class.tsx'

const shown = {
  title: 'Duo',
  description: '',
  date: '2026-12-08',
  startTime: '18:00',
  endTime: '18:45',
  maxParticipants: 2,
  instructorName: 'Eleanor Marsh',
  isActive: true,
}

test.each([
  ['no change', {}, false],
  ['title', { title: 'Gentle' }, false],
  ['removed description', { description: '' }, false],
  ['teacher', { instructorName: 'Jo Hart' }, false],
  ['start', { startTime: '17:30' }, true],
  ['end', { endTime: '19:00' }, true],
  ['date and places', { date: '2026-12-09', maxParticipants: 1 }, true],
  ['off the timetable', { isActive: false }, false],
])('sends only the changed fields and recognises a move: %s', (_what, changes, moves) => {
  const before = 'description' in changes ? { ...shown, description: 'Socks' } : shown
  expect(changesOf({ ...before, ...changes }, before)).toEqual(changes)
  expect(isMove(changes)).toBe(moves)
})

test.each([
  ['weekly', 1, 1, []],
  ['weekly', 4, 4, ['All 4 classes on Tuesday at 18:00']],
  ['weekly', 4, 3, ['All 4 classes on Tuesday at 18:00', 'This and 2 later']],
  [null, 2, 1, ['All 2 classes on Tuesday at 18:00']],
  ['monthly', 1, 12, ['This and 11 later']],
  ['monthly', 2, 2, ['All 2 classes on Tuesday at 18:00', 'This and 1 later']],
  ['monthly', 1, 1, []],
] as const)(
  'offers the classes of a %s class, of which %i are alike and %i this and later',
  (frequency, all, later, more) => {
    const touches = { all: { classes: all }, later: { classes: later } }
    const scopes = scopesOf({ ...shown, repeatFrequency: frequency }, touches)
    expect(scopes.map(([, label]) => label)).toEqual(['This class only', ...more])
  },
)
