import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Makes a process believe that it is an older Node. */
const AS_OLD =
  "data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '24.1.0' } })"

test('vitest on an older Node says in a sentence what to do', () => {
  const args = ['--import', AS_OLD, 'node_modules/vitest/vitest.mjs', 'run', 'src/booking/rules.test.ts']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(stdout + stderr).toBe(
    "The tests need Node 26, and this is 24.1.0. Run them on the project's own: npm test -- unit <file>\n",
  )
  expect(status).toBe(1)
})
