// npm run test:attack: what somebody would try who wants to get in; some minutes. Words choose files, as for npm test.
import { ensureInstalled } from './lib/install.mjs'
import { run } from './lib/processes.mjs'
import { inProject, script } from './lib/project.mjs'
import { environment } from './lib/runtime.mjs'

await script(async () => {
  const node = await ensureInstalled()
  const config = ['--config', 'vitest.attack.config.ts', '--disable-console-intercept']
  // Words first: an option would take the next one for its value.
  const args = [inProject('node_modules/vitest/vitest.mjs'), 'run', ...process.argv.slice(2), ...config]
  return run(node, args, { env: environment(node) })
})
