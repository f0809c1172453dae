import { execFile } from 'node:child_process'
import { lchown, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { LIVE } from '#testing/live-settings.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { dataFolder, MAIN, runMain } from './main-under-test.ts'

const run = promisify(execFile)
const { PATH, NODE_COMPILE_CACHE } = process.env // uses the compile cache, as the commands do
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

/** Runs a command of a live studio as this user, with RUN_AS. */
async function command(name: string, env: Record<string, string>, ...args: string[]) {
  const options = { env: { PATH, NODE_COMPILE_CACHE, ...LIVE, RUN_AS: 'nobody', ...env } }
  const done = await run(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...args], options)
  return done.stdout + done.stderr
}

/** A DATA_DIR that root gave to `nobody`. */
async function nobodysFolder() {
  const DATA_DIR = await dataFolder()
  if (isRoot) await lchown(DATA_DIR, NOBODY, NOBODY)
  return DATA_DIR
}

test('root backs up, restores and makes an admin as RUN_AS, so the site can use what they leave', async () => {
  const { studio } = await openStudio()
  const DATA_DIR = await nobodysFolder()
  const env = { DATA_DIR, DATABASE_URL: studio.settings.databaseUrl as string }
  const folder = join(DATA_DIR, 'backups')
  await command('backup', env)
  const [name = ''] = (await readdir(folder)).filter((file) => file.startsWith('studio-'))
  await command('restore', env, '--verify', join(folder, name))
  expect(await command('admin', env, 'owner@studio.example')).toContain('is a new admin')
  const owners = await Promise.all([folder, join(folder, name)].map(async (path) => (await stat(path)).uid))
  expect(new Set(owners)).toEqual(new Set([isRoot ? NOBODY : process.getuid?.()]))
})

test('the site takes over a folder of backups that root created', async () => {
  const DATA_DIR = await nobodysFolder()
  const folder = join(DATA_DIR, 'backups')
  await mkdir(folder, { mode: 0o700 })
  await writeFile(join(folder, 'erased.txt'), '', { mode: 0o600 })
  const site = runMain({ ...LIVE, DATA_DIR, PORT: '0', RUN_AS: 'nobody' }, MAIN)
  await site.waitForOutput('The studio is open')
  const owner = isRoot ? NOBODY : process.getuid?.()
  for (const path of [folder, join(folder, 'erased.txt')]) expect((await stat(path)).uid).toBe(owner)
  expect(site.output().match(/Server listening/g)).toHaveLength(1)
})
