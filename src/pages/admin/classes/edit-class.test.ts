import { expect, test } from 'vitest'
import { changesOf, isMove } from './edit-class.tsx'

const shown = {
  title: 'Duo',
  description: '',
  date: '2026-12-08',
  startTime: '18:00',
  endTime: '18:45',
  maxParticipants: 2,
  isActive: true,
}

test.each([
  ['no change', {}, false],
  ['title', { title: 'Gentle' }, false],
  ['removed description', { description: '' }, false],
  ['start', { startTime: '17:30' }, true],
  ['end', { endTime: '19:00' }, true],
  ['date and places', { date: '2026-12-09', maxParticipants: 1 }, true],
  ['off the timetable', { isActive: false }, false],
])('sends only the changed fields and recognises a move: %s', (_what, changes, moves) => {
  const before = 'description' in changes ? { ...shown, description: 'Socks' } : shown
  expect(changesOf({ ...before, ...changes }, before)).toEqual(changes)
  expect(isMove(changes)).toBe(moves)
})
