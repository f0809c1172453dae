// npm run build
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { say, script } from './lib/project.mjs'

await script(async () => {
  await ensureBuilt(await ensureInstalled(), { quiet: false })
  say('The pages are built.')
  return 0
})
