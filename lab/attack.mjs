// npm run lab -- attack: what an intruder would try; takes some minutes. Words choose files, as for npm test.
import { ensureInstalled } from '../scripts/lib/install.mjs'
import { run } from '../scripts/lib/processes.mjs'
import { inProject, script } from '../scripts/lib/project.mjs'
import { environment } from '../scripts/lib/runtime.mjs'

await script(async () => {
  const node = await ensureInstalled()
  const env = environment(node, { LAB_TESTS: 'lab/attack/**/*.attack.ts' })
  const options = ['--config', 'lab/vitest.config.ts', '--disable-console-intercept']
  // Words first: an option would take the next one for its value.
  const args = [inProject('node_modules/vitest/vitest.mjs'), 'run', ...process.argv.slice(2), ...options]
  return run(node, args, { env })
})
