import fc from 'fast-check'
import { bookStep, cancelStep, leaveStep, moveStep, waitStep } from './member-steps.ts'
import { refundStep } from './money-steps.ts'
import * as owner from './owner-steps.ts'
import { defineStep, itemIndex, memberIndex } from './step.ts'

const once = { applyToRecurring: false }
const MEMBERS = [bookStep, cancelStep, waitStep, leaveStep, moveStep]
const OWNERS = ['takesOff', 'reschedules', 'resizes', 'voids', 'refunds', 'books'] as const
const CLASH = {
  who: memberIndex,
  which: itemIndex,
  other: itemIndex,
  first: fc.constantFrom(...MEMBERS),
  second: fc.constantFrom(...OWNERS),
}

/** A member and the owner (or another member) act concurrently, mostly on the same class. */
export const clashStep = defineStep(
  'clash',
  10,
  CLASH,
)(async (world, state, { who, which, other, first, second }) => {
  const choices = { who, which, to: other }
  const own = first.of(choices)
  const theirs = {
    takesOff: owner.takeOffStep.of({ which, forGood: false, ...once }),
    reschedules: owner.moveClassStep.of({ which, by: 24 * 60, ...once, onClosedDay: false }),
    resizes: owner.resizeStep.of({ which, places: 2 }),
    voids: owner.voidPassStep.of({ which: other }),
    refunds: refundStep.of({ which: other, part: undefined, credits: 0, sends: false }),
    books: bookStep.of({ who: who + 1, which }),
  }[second]
  const [mine, others] = await Promise.all([own.take(world, state), theirs.take(world, state)])
  if (!mine || !others) return mine ?? others
  // Each may have undone the other, so only the invariants are checked.
  return { line: `concurrently: ${mine.line} | ${others.line}`, responses: [...mine.responses, ...others.responses] }
})
