// npm start: install what is missing, build what is stale, run the server on the project's own Node.
//
// package.json says `exec node … || node …` so that npm's SIGTERM reaches this script and not a shell around it, which
// would die of it and let npm return while the server still drains. Windows knows no exec and goes on to the second.
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { run } from './lib/processes.mjs'
import { say, script } from './lib/project.mjs'
import { environment, STOP_WITH_PARENT } from './lib/runtime.mjs'

await script(async () => {
  const node = await ensureInstalled()
  await ensureBuilt(node)
  say('Starting the server.')
  const env = environment(node, { NODE_ENV: process.env.NODE_ENV ?? 'production' })
  return run(node, [...STOP_WITH_PARENT, 'src/app/main.ts'], { env, server: true })
})
