// npm run histories: random histories of a studio, and after every step a look whether anybody was misled.
//   npm run histories -- --minutes 10             goes on that long (10 unless said otherwise)
//   npm run histories -- --seed 42 [--path 3:1]   lives a history again: both numbers stand in what a failure prints
import { parseArgs } from 'node:util'
import { ensureInstalled } from './lib/install.mjs'
import { run } from './lib/processes.mjs'
import { Failure, inProject, script } from './lib/project.mjs'
import { environment } from './lib/runtime.mjs'

await script(async () => {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string' },
      seed: { type: 'string' },
      path: { type: 'string' },
    },
  })
  const { minutes = values.seed ? '0' : '10', seed, path } = values
  if (Number.isNaN(Number(minutes))) throw new Failure('How long? npm run histories -- --minutes 10')
  const node = await ensureInstalled()
  const env = environment(node, {
    HISTORIES_MINUTES: minutes,
    HISTORIES_SEED: seed,
    HISTORIES_PATH: path,
  })
  const file = 'src/testing/histories/histories.slow.test.ts'
  return run(node, [inProject('node_modules/vitest/vitest.mjs'), 'run', file, '--disable-console-intercept'], { env })
})
