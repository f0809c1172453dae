// npm run build
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { print, script } from './lib/project.mjs'

await script(async () => {
  await ensureBuilt(await ensureInstalled(), { quiet: false })
  print('The pages are built.')
  return 0
})
