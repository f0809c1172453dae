// npm run lab -- histories: random histories of a studio, whose invariants are checked after every step.
//   npm run lab -- histories --minutes 10             for that long (10 by default)
//   npm run lab -- histories --seed 42 [--path 3:1]   repeats a history: a failure prints both numbers
import { parseArgs } from 'node:util'
import { ensureInstalled } from '../scripts/lib/install.mjs'
import { run } from '../scripts/lib/processes.mjs'
import { Failure, inProject, script } from '../scripts/lib/project.mjs'
import { environment } from '../scripts/lib/runtime.mjs'

await script(async () => {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string' },
      seed: { type: 'string' },
      path: { type: 'string' },
    },
  })
  const { minutes = values.seed ? '0' : '10', seed, path } = values
  if (Number.isNaN(Number(minutes))) throw new Failure('How long? npm run lab -- histories --minutes 10')
  const node = await ensureInstalled()
  const env = environment(node, {
    LAB_TESTS: 'lab/histories/histories.slow.test.ts',
    HISTORIES_MINUTES: minutes,
    HISTORIES_SEED: seed,
    HISTORIES_PATH: path,
  })
  const options = ['--config', 'lab/vitest.config.ts', '--disable-console-intercept']
  return run(node, [inProject('node_modules/vitest/vitest.mjs'), 'run', ...options], { env })
})
