// npm run lab -- screenshots: a picture of every screen and main state, at 1440 and 390 px, and of the main screens at 768, 1024 and
// 1920 px, into screenshots/.
//   npm run lab -- screenshots -g checkout            only those with 'checkout' in their name
//   npm run lab -- screenshots --beside ../pictures   and a page of what is different from older ones: screenshots/differences.html
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { ensureBrowser } from '../scripts/lib/browser.mjs'
import { ensureBuilt } from '../scripts/lib/build.mjs'
import { ensureInstalled } from '../scripts/lib/install.mjs'
import { run } from '../scripts/lib/processes.mjs'
import { Failure, inProject, say, script } from '../scripts/lib/project.mjs'
import { environment } from '../scripts/lib/runtime.mjs'

const folder = inProject('screenshots')

await script(async () => {
  const { words, older } = readArguments()
  const node = await ensureInstalled()
  const env = environment(node, { STEADY_NAMES: 'yes' })
  await ensureBuilt(node)
  await ensureBrowser(node, env)
  if (words.length === 0) rmSync(folder, { recursive: true, force: true })
  const config = inProject('lab/screenshots/playwright.config.ts')
  const playwright = inProject('node_modules/@playwright/test/cli.js')
  const exitCode = await run(node, [playwright, 'test', '--config', config, ...words], { env })
  say(`The pictures are in ${folder}.`)
  if (!older) return exitCode
  return Math.max(exitCode, await run(node, [inProject('lab/screenshots/compare.ts'), older, folder], { env }))
})

/** What is Playwright's stays as it is. */
function readArguments() {
  const words = process.argv.slice(2)
  const at = words.indexOf('--beside')
  if (at < 0) return { words, older: undefined }
  const [, older = ''] = words.splice(at, 2)
  const found = path.resolve(process.env.INIT_CWD ?? process.cwd(), older)
  if (!older || !existsSync(found)) throw new Failure(`There are no older pictures in ${found}.`)
  if (found === folder) throw new Failure(`${folder} is where the new pictures go: keep the older ones elsewhere.`)
  return { words, older: found }
}
