import fc from 'fast-check'
import { clash } from './clash-steps.ts'
import * as member from './member-steps.ts'
import * as money from './money-steps.ts'
import type { Step } from './step.ts'
import * as owner from './studio-steps.ts'
import * as time from './time-steps.ts'

const { together: _, tooShort: __, endedPass: ___, ...memberSteps } = member
const KINDS = [
  clash,
  ...Object.values(memberSteps),
  ...Object.values(money),
  ...Object.values(owner),
  time.passes,
  time.comesTo,
]

const anyStep = fc.oneof(...KINDS.map(({ weight, arbitrary }) => ({ weight, arbitrary })))
const MOST_STEPS = 40

/** Anything that anybody may do, one after the other. */
export const histories: fc.Arbitrary<Step[]> = fc.array(anyStep, { minLength: 1, maxLength: MOST_STEPS, size: 'max' })
