import { ensureBrowser } from '../../scripts/lib/browser.mjs'
import { ensureBuilt } from '../../scripts/lib/build.mjs'
import { ensureInstalled } from '../../scripts/lib/install.mjs'
import { run } from '../../scripts/lib/processes.mjs'
import { inProject } from '../../scripts/lib/project.mjs'
import { environment } from '../../scripts/lib/runtime.mjs'

/**
 * Runs a walk through the screens with Playwright. @param {string} folder of its configuration, in lab
 * @param {string[]} words @param {Record<string, string>} [more] for its environment
 */
export async function walk(folder, words, more) {
  const node = await ensureInstalled()
  const env = environment(node, more)
  await ensureBuilt(node)
  await ensureBrowser(node, env)
  const config = inProject('lab', folder, 'playwright.config.ts')
  return await run(node, [inProject('node_modules/@playwright/test/cli.js'), 'test', '--config', config, ...words], {
    env,
  })
}
