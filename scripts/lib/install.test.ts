import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const INSTALL = join(import.meta.dirname, 'install.mjs')

/**
 * Installs with an npm that fails `failures` times first. Returns the exit status, the output and the number of
 * attempts.
 */
function installed(failures: number) {
  const folder = mkdtempSync(join(tmpdir(), 'studio-install-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [calls, npm] = [join(folder, 'calls'), join(folder, 'npm-cli.cjs')]
  writeFileSync(calls, '')
  writeFileSync(
    npm,
    `const { appendFileSync, readFileSync } = require('node:fs')
    appendFileSync(${JSON.stringify(calls)}, '.')
    process.exitCode = readFileSync(${JSON.stringify(calls)}).length > ${failures} ? 0 : 1`,
  )
  const work = `import { installForServing } from ${JSON.stringify(INSTALL)}
    import { script } from ${JSON.stringify(join(INSTALL, '../project.mjs'))}
    await script(() => installForServing(${JSON.stringify(folder)}))`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', work], {
    env: { ...process.env, npm_execpath: npm },
  })
  return { status, output: `${stdout}${stderr}`, times: readFileSync(calls, 'utf8').length }
}

test('retries a failed install once, then reports it', () => {
  expect(installed(0)).toMatchObject({ status: 0, times: 1 })
  expect(installed(1)).toMatchObject({ status: 0, times: 2, output: expect.stringContaining('trying again') })
  expect(installed(2)).toMatchObject({ status: 1, times: 2, output: expect.stringContaining('Check the network') })
})
