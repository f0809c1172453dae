// npm run lab -- histories: random histories of a studio, whose invariants are checked after every step.
//   npm run lab -- histories --minutes 10             for that long (8 by default)
//   npm run lab -- histories --seed 42 [--path 3:1]   repeats a history: a failure prints both numbers
import { parseArgs } from 'node:util'
import { Failure, script } from '../scripts/lib/project.mjs'
import { runTests } from './lib/vitest.mjs'

await script(async () => {
  const { values } = parseArgs({
    options: { minutes: { type: 'string' }, seed: { type: 'string' }, path: { type: 'string' } },
  })
  const { minutes = values.seed ? '0' : '8', seed, path } = values
  if (Number.isNaN(Number(minutes))) throw new Failure('How long? npm run lab -- histories --minutes 10')
  const LAB_TESTS = 'lab/histories/histories.slow.test.ts'
  return await runTests([], { LAB_TESTS, HISTORIES_MINUTES: minutes, HISTORIES_SEED: seed, HISTORIES_PATH: path })
})
