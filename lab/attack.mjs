// npm run lab -- attack: attacks on sign-in, roles, tokens and input; takes some minutes. Words choose files.
import { ensureInstalled } from '../scripts/lib/install.mjs'
import { run } from '../scripts/lib/processes.mjs'
import { inProject, script } from '../scripts/lib/project.mjs'
import { environment } from '../scripts/lib/runtime.mjs'

await script(async () => {
  const node = await ensureInstalled()
  const env = environment(node, { LAB_TESTS: 'lab/attack/**/*.attack.ts' })
  const options = ['--config', 'lab/vitest.config.ts', '--disable-console-intercept']
  // Words first: after an option they would be its value.
  const args = [inProject('node_modules/vitest/vitest.mjs'), 'run', ...process.argv.slice(2), ...options]
  return run(node, args, { env })
})
