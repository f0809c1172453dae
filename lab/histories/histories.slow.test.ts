import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { giftCredits } from '#passes/contract.ts'
import { runHistory } from './history.ts'
import { bookStep, cancelStep } from './member-steps.ts'
import { type Step, toResult } from './step.ts'
import { histories } from './steps.ts'
import { timePassesStep } from './time-steps.ts'
import { addToSlotStep, setRegularStep } from './together-steps.ts'
import { openWorld, type World } from './world.ts'

/** Histories per run: enough for most kinds of steps, few enough for a busy machine. */
const RUNS = 8
/** How long `npm run lab -- histories` runs. */
const MINUTES = Number(process.env.HISTORIES_MINUTES ?? 0)
/** The test suite always runs the same histories, the laboratory new ones. */
const SEED = Number(process.env.HISTORIES_SEED ?? (MINUTES > 0 ? Date.now() % 2 ** 31 : 2026))
const PATH = process.env.HISTORIES_PATH
/** Attempts to shrink a failing history. */
const MAX_SHRINKS = 40
/** For shrinking. */
const SHRINKING_MS = 300_000

let world: World
beforeAll(async () => {
  const opened = await openWorld()
  world = opened.world
  return opened.close
})

test('every invariant holds after every step of random histories', {
  timeout: MINUTES * 60_000 + SHRINKING_MS,
}, async () => {
  const until = performance.now() + MINUTES * 60_000
  let steps = 0
  for (let seed = SEED; seed === SEED || performance.now() < until; seed++) {
    steps += await runMany(seed)
    console.log(`Histories with seed ${seed}: nothing found, after ${steps} steps in all.`)
  }
  expect(steps).toBeGreaterThan(0)
})

test.runIf(MINUTES === 0)(
  'new classes leave the credits that came back today alone',
  { timeout: 180_000 },
  async () => {
    const who = 2
    const gift: Step = {
      name: 'gifts',
      async take(of) {
        const body = { packageId: of.packages[0]?.id, creditsToGift: 7, expiryMonths: 12 }
        return toResult('a gift', await of.owner.call(giftCredits, { params: { userId: of.member(who).id }, body }))
      },
    }
    const added = ([1, 2, 3, 4] as const).map((weeks) => addToSlotStep.of({ weeks, places: 2 }))
    const cancelled = [0, 0].map((which) => cancelStep.of({ who, which }))
    // Three credits are free when two more come back.
    await runHistory(world, [
      bookStep.of({ who, which: 0 }),
      gift,
      bookStep.of({ who, which: 1 }),
      bookStep.of({ who, which: 3 }),
      setRegularStep.of({ who, which: 1, comes: 'alone', whom: 1 }),
      timePassesStep.of({ hours: 25 }),
      ...cancelled,
      ...added,
    ])
    const { bookings } = await world.snapshot()
    expect(bookings.filter(({ origin }) => origin === 'regular')).toHaveLength(5)
  },
)

/** Runs the histories of one seed. Returns how many steps were taken. */
async function runMany(seed: number): Promise<number> {
  let taken = 0
  let failed = 0
  const property = fc.asyncProperty(histories, async (steps) => {
    // fast-check would go on with everything that it tried to shrink next.
    const isRepeated = PATH && taken > 0
    if (failed > MAX_SHRINKS || isRepeated) return
    try {
      if (failed > 0) failed += 1
      taken += (await runHistory(world, steps)).length
    } catch (error) {
      failed ||= 1
      throw error
    }
  })
  await fc.assert(property, { seed, numRuns: RUNS, ...(PATH && { path: PATH, endOnFailure: true }) })
  return taken
}
