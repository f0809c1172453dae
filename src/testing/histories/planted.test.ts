import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { live } from './history.ts'
import { livePlanted } from './planting.ts'
import { PLANTS } from './plants.ts'
import { histories } from './steps.ts'
import { openWorld, type World } from './world.ts'

/** `npm run histories -- --planted` looks for them in random histories too. */
const BY_CHANCE = Boolean(process.env.HISTORIES_PLANTED)
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

test('the bugs are listed in docs/testing.md', async () => {
  const page = await readFile(new URL('../../../docs/testing.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('\n## Planted bugs\n')
  const listed = [...section.matchAll(/^- (.+)$/gm)].map(([, bug]) => bug)
  expect(listed).toEqual(PLANTS.map(({ bug }) => bug))
})

test.each(PLANTS)('is found: $bug', { timeout: BY_CHANCE ? 900_000 : 180_000 }, async (plant) => {
  await expect(livePlanted(world, plant, plant.story)).rejects.toThrow(plant.found)
  if (!BY_CHANCE) return
  const property = fc.asyncProperty(histories, async (steps) => void (await livePlanted(world, plant, steps)))
  const { failed, numRuns } = await fc.check(property, { numRuns: MOST_HISTORIES, endOnFailure: true })
  console.log(`${failed ? `by chance in history ${numRuns}` : 'NOT BY CHANCE'}: ${plant.bug}`)
  expect(failed).toBe(true)
})
