// npm run screenshots: a picture of every screen and main state, at 1440 and 390 px, into screenshots/.
//   npm run screenshots -- -g checkout    only those with 'checkout' in their name
import { rmSync } from 'node:fs'
import { ensureBrowser } from './lib/browser.mjs'
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { run } from './lib/processes.mjs'
import { inProject, say, script } from './lib/project.mjs'
import { environment } from './lib/runtime.mjs'

await script(async () => {
  const words = process.argv.slice(2)
  const node = await ensureInstalled()
  const env = environment(node)
  await ensureBuilt(node)
  await ensureBrowser(node, env)
  if (words.length === 0) rmSync(inProject('screenshots'), { recursive: true, force: true })
  const config = inProject('playwright.screenshots.config.ts')
  const playwright = inProject('node_modules/@playwright/test/cli.js')
  const exitCode = await run(node, [playwright, 'test', '--config', config, ...words], { env })
  say(`The pictures are in ${inProject('screenshots')}.`)
  return exitCode
})
