import fc from 'fast-check'
import { books, cancels, leaves, moves, waits } from './member-steps.ts'
import { refundsHere } from './money-steps.ts'
import { someone, something, stepKind } from './step.ts'
import * as owner from './studio-steps.ts'

const once = { applyToRecurring: false }
const MEMBERS = [books, cancels, waits, leaves, moves]
const OWNERS = ['takesOff', 'reschedules', 'resizes', 'voids', 'refunds', 'books'] as const
const CLASH = {
  who: someone,
  which: something,
  other: something,
  does: fc.constantFrom(...MEMBERS),
  meanwhile: fc.constantFrom(...OWNERS),
}

/** A member and the owner (or another member) do something at once, mostly about one class. */
export const clash = stepKind('clash', 10, CLASH, async (world, state, { who, which, other, does, meanwhile }) => {
  const choices = { who, which, to: other }
  const own = does.of(choices)
  const theirs = {
    takesOff: owner.takesOff.of({ which, forGood: false, ...once }),
    reschedules: owner.reschedulesClass.of({ which, by: 24 * 60, ...once, onClosedDay: false }),
    resizes: owner.resizes.of({ which, places: 2 }),
    voids: owner.voids.of({ which: other }),
    refunds: refundsHere.of({ which: other, part: undefined, credits: 0, sends: false }),
    books: books.of({ who: who + 1, which }),
  }[meanwhile]
  const [first, second] = await Promise.all([own.take(world, state), theirs.take(world, state)])
  if (!first || !second) return first ?? second
  // What each was answered may have been undone by the other: only what always holds is asked.
  return { line: `at once: ${first.line} | ${second.line}`, answers: [...first.answers, ...second.answers] }
})
