import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { live } from '#testing/histories/history.ts'
import { histories } from '#testing/histories/steps.ts'
import { openWorld, type World } from '#testing/histories/world.ts'
import { livePlanted } from './planting.ts'
import { PLANTS } from './plants.ts'

/** A bug that shows only in a rare place is looked for so often. */
const MOST_HISTORIES = 200

let world: World
beforeAll(async () => {
  const opened = await openWorld()
  world = opened.world
  return opened.close
})

test('without a bug none of the stories finds anything', { timeout: 300_000 }, async () => {
  for (const { bug, story } of PLANTS) {
    const lines = await live(world, story)
    expect(lines, `every step of "${bug}" is taken`).toHaveLength(story.length + 1)
  }
})

test.each(PLANTS)('is found: $bug', { timeout: 900_000 }, async (plant) => {
  await expect(livePlanted(world, plant, plant.story)).rejects.toThrow(plant.found)
  const property = fc.asyncProperty(histories, async (steps) => void (await livePlanted(world, plant, steps)))
  const { failed, numRuns } = await fc.check(property, { numRuns: MOST_HISTORIES, endOnFailure: true })
  console.log(`${failed ? `by chance in history ${numRuns}` : 'NOT BY CHANCE'}: ${plant.bug}`)
  expect(failed).toBe(true)
})
