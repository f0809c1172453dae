import { run } from './processes.mjs'
import { inProject, print } from './project.mjs'

/**
 * Unpacks the test browser before the workers need it, or lets Playwright download its own.
 *
 * @param {string} node @param {NodeJS.ProcessEnv} env
 */
export async function ensureBrowser(node, env) {
  if ((await run(node, ['src/testing/chromium.ts'], { env })) === 0) return
  print('Fetching a browser with Playwright.')
  await run(node, [inProject('node_modules/@playwright/test/cli.js'), 'install', 'chromium'], { env })
}
