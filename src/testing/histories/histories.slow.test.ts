import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { live } from './history.ts'
import { histories } from './steps.ts'
import { openWorld, type World } from './world.ts'

/** What `npm test` lives through: enough to meet most kinds of steps, little enough for a busy machine. */
const RUNS = 8
/** `npm run lab -- histories` goes on for so long. */
const MINUTES = Number(process.env.HISTORIES_MINUTES ?? 0)
/** `npm test` lives the same histories every time, so that a change is judged by what it changed; new ones are for the long run. */
const SEED = Number(process.env.HISTORIES_SEED ?? (MINUTES > 0 ? Date.now() % 2 ** 31 : 2026))
const PATH = process.env.HISTORIES_PATH
/** How often a history that failed is lived again with less in it. */
const SHRINKS = 40
/** A failing history is made smaller first. */
const PATIENCE_MS = 300_000

let world: World
beforeAll(async () => {
  const opened = await openWorld()
  world = opened.world
  return opened.close
})

test('whatever people do, in whatever order, nobody is misled', {
  timeout: MINUTES * 60_000 + PATIENCE_MS,
}, async () => {
  const until = performance.now() + MINUTES * 60_000
  let steps = 0
  for (let seed = SEED; seed === SEED || performance.now() < until; seed++) {
    steps += await liveMany(seed)
    console.log(`Histories with seed ${seed}: nothing found, after ${steps} steps in all.`)
  }
  expect(steps).toBeGreaterThan(0)
})

/** Lives the histories of one seed. Answers how many steps were taken. */
async function liveMany(seed: number): Promise<number> {
  let taken = 0
  let failed = 0
  const property = fc.asyncProperty(histories, async (steps) => {
    if (failed > SHRINKS) return
    try {
      if (failed > 0) failed += 1
      taken += (await live(world, steps)).length
    } catch (error) {
      failed ||= 1
      throw error
    }
  })
  await fc.assert(property, { seed, numRuns: RUNS, ...(PATH && { path: PATH }) })
  return taken
}
