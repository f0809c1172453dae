// npm start: installs and builds if needed, then runs the server on the project's Node.
//
// package.json says `exec node … || node …` so that npm's SIGTERM reaches this script and not a shell, which would exit
// while the server still drains. Windows has no exec and runs the second command.
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { run } from './lib/processes.mjs'
import { print, script } from './lib/project.mjs'
import { environment, SITE } from './lib/runtime.mjs'

await script(async () => {
  const node = await ensureInstalled()
  await ensureBuilt(node)
  print('Starting the server.')
  const env = environment(node, { NODE_ENV: process.env.NODE_ENV ?? 'production' })
  return run(node, [...SITE, 'src/app/main.ts'], { env, server: true })
})
