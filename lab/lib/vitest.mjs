import { ensureInstalled } from '../../scripts/lib/install.mjs'
import { run } from '../../scripts/lib/processes.mjs'
import { inProject } from '../../scripts/lib/project.mjs'
import { environment } from '../../scripts/lib/runtime.mjs'

/**
 * Runs Vitest on the project's Node. Words come before options, which would take them as values.
 * @param {string[]} words @param {Record<string, string | undefined>} env @returns {Promise<number>} the exit code
 */
export async function runTests(words, env) {
  const node = await ensureInstalled()
  const config = env.LAB_TESTS ? ['--config', 'lab/vitest.config.ts'] : []
  const args = [inProject('node_modules/vitest/vitest.mjs'), 'run', ...words, ...config, '--disable-console-intercept']
  return await run(node, args, { env: environment(node, env) })
}
