import fc from 'fast-check'
import { clashStep } from './clash-steps.ts'
import * as member from './member-steps.ts'
import * as money from './money-steps.ts'
import * as orders from './order-steps.ts'
import * as owner from './owner-steps.ts'
import type { Step } from './step.ts'
import * as time from './time-steps.ts'
import * as together from './together-steps.ts'

const STEPS = [
  clashStep,
  ...Object.values(member),
  ...Object.values(money),
  ...Object.values(orders),
  ...Object.values(owner),
  ...Object.values(together),
  time.timePassesStep,
  time.jumpToEdgeStep,
  time.freeAwaitedPlaceStep,
]

const anyStep = fc.oneof(...STEPS.map(({ weight, arbitrary }) => ({ weight, arbitrary })))
const MAX_STEPS = 40

/** Random sequences of everything that anyone can do. */
export const histories: fc.Arbitrary<Step[]> = fc.noBias(
  fc.array(anyStep, { minLength: 1, maxLength: MAX_STEPS, size: 'max' }),
)
