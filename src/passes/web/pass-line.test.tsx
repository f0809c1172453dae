import { renderToStaticMarkup } from 'react-dom/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Pass } from '../contract.ts'
import { PassLine } from './pass-line.tsx'

const sold = {
  id: 3,
  name: 'Class Pass',
  description: '',
  classCount: 8,
  price: '200.00',
  validityMonths: 3,
  maxParticipants: 2,
  isActive: true,
  isLimitedOffer: false,
  purchaseOncePerUser: false,
  createdAt: '2026-12-07T09:00:00Z',
  updatedAt: '2026-12-07T09:00:00Z',
}

const lineOf = (creditsRemaining: number, creditsTotal: number, paused: Pass['paused'] = []) =>
  renderToStaticMarkup(
    <PassLine
      pass={
        {
          id: 1,
          userId: 'ana',
          packageId: sold.id,
          creditsRemaining,
          creditsTotal,
          expiresAt: '2027-03-07T23:59:59Z',
          createdAt: '2026-12-07T09:00:00Z',
          frozenAt: null,
          isEnded: false,
          paused,
          package: sold,
          classPass: sold,
        } satisfies Pass
      }
    />,
  )

/** How many arches are filled, and how many outlined. */
function archesOf(line: string): number[] {
  return Array.from(line.matchAll(/<path d="([^"]*)"/g), ([, d = '']) => d.split('a12 12').length - 1)
}

test.each([
  [5, 8, [5, 3]],
  [8, 8, [8, 0]],
  [0, 8, [0, 8]],
  [1, 1, [1, 0]],
  [12, 12, [12, 0]],
  // A returned credit can make it more than the pass began with.
  [9, 8, [9, 0]],
])('draws an arch for each credit: %i left of %i', (left, of, arches) => {
  expect(archesOf(lineOf(left, of))).toEqual(arches)
})

test.each([
  [13, 13, '100%'],
  [5, 20, '25%'],
  [500, 500, '100%'],
  [13, 12, '100%'],
])('draws a bar if there are too many credits: %i left of %i', (left, of, width) => {
  const line = lineOf(left, of)
  expect(archesOf(line)).toEqual([])
  expect(line).toContain(`width:${width}`)
})

test('exposes the number to screen readers, not the drawing', () => {
  const line = lineOf(5, 8)
  expect(line.replace(/<[^>]+>/g, '')).toBe('Class Pass5 credits leftExpires 07/03/2027')
  expect(line).toMatch(/<svg[^>]* aria-hidden="true"/)
})

test.each([
  [[{ from: '2027-01-01', to: '2027-01-09' }], ''],
  [[{ from: '2027-01-01', to: '2027-01-10' }], 'Paused from 01/01/2027 to 10/01/2027'],
  [[{ from: '2027-02-01', to: '2027-02-03' }], 'Paused from 01/02/2027 to 03/02/2027'],
])('on 10 January, shows the pause %j as "%s"', (paused, words) => {
  vi.useFakeTimers({ now: new Date('2027-01-10T12:00:00Z'), toFake: ['Date'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const text = lineOf(5, 8, paused).replace(/<[^>]+>/g, '')
  expect(text.includes('Paused')).toBe(words !== '')
  expect(text).toContain(words)
})
