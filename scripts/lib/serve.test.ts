import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const SCRIPTS = join(import.meta.dirname, '..')

/** A project of two packages, with nothing installed or built yet. */
function project() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'studio-serve-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  cpSync(SCRIPTS, join(root, 'scripts'), { recursive: true })
  const write = (file: string, text: string) => {
    mkdirSync(join(root, file, '..'), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const install = (name: string, version: string) =>
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version }))
  write('package.json', JSON.stringify({ dependencies: { fast: '1.0.0', slow: '2.0.0' } }))
  const serve = () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/serve.mjs'], { cwd: root })
    return { status, output: `${stdout}${stderr}` }
  }
  return { write, install, serve }
}

test('reports what is missing and installs or builds nothing', () => {
  const { write, install, serve } = project()
  install('slow', '1.9.9')
  expect(serve()).toEqual({
    status: 1,
    output: 'Not installed: fast 1.0.0, slow 2.0.0. Run npm ci --omit=dev here first; serving installs nothing.\n',
  })
  install('fast', '1.0.0')
  install('slow', '2.0.0')
  expect(serve()).toEqual({
    status: 1,
    output: expect.stringMatching(/^The pages are not built\. Run npm run build here/),
  })
  write('build/server/index.js', 'export {}')
  write('src/app/main.ts', "console.log('served, NODE_ENV', process.env.NODE_ENV)")
  expect(serve()).toEqual({ status: 0, output: 'served, NODE_ENV production\n' })
})
