// npm run lab -- screenshots: a screenshot of every screen and main state at 1440 and 390 px, of the main screens at
// 768, 1024 and 1920 px too, in screenshots/.
//   npm run lab -- screenshots -g checkout            only scenes with 'checkout' in their name
//   npm run lab -- screenshots --against ../pictures   compares them with older ones in screenshots/differences.html
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { ensureInstalled } from '../scripts/lib/install.mjs'
import { run } from '../scripts/lib/processes.mjs'
import { Failure, inProject, print, script } from '../scripts/lib/project.mjs'
import { walk } from './lib/playwright.mjs'

const folder = inProject('screenshots')

await script(async () => {
  const { words, older } = readArguments()
  if (words.length === 0) rmSync(folder, { recursive: true, force: true })
  const exitCode = await walk('screenshots', words, { STEADY_NAMES: 'yes' })
  print(`The screenshots are in ${folder}.`)
  if (!older) return exitCode
  const compare = [inProject('lab/screenshots/compare.ts'), older, folder]
  return Math.max(exitCode, await run(await ensureInstalled(), compare))
})

/** Other words go to Playwright. */
function readArguments() {
  const words = process.argv.slice(2)
  const at = words.indexOf('--against')
  if (at < 0) return { words, older: undefined }
  const [, older = ''] = words.splice(at, 2)
  const found = path.resolve(process.env.INIT_CWD ?? process.cwd(), older)
  if (!older || !existsSync(found)) throw new Failure(`There are no older screenshots in ${found}.`)
  if (found === folder) throw new Failure(`The new screenshots go into ${folder}. Keep the older ones elsewhere.`)
  return { words, older: found }
}
