import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { lastBackup } from '#platform/database/backup/records.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { ask, openEmptyPlace, openFolder } from './places-under-test.ts'

const run = promisify(execFile)
const { PATH, NODE_COMPILE_CACHE } = process.env // uses the compile cache, as the commands do

/** Runs a command as npm does. */
async function command(name: 'backup' | 'restore', env: Record<string, string>, ...args: string[]) {
  const program = join(import.meta.dirname, `../${name}.ts`)
  const options = { env: { PATH, NODE_COMPILE_CACHE, ...env } }
  return await run(process.execPath, [program, ...args], options).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  )
}

test('backs up, verifies and restores by command while a site runs', async () => {
  const { studio, ana } = await openStudio()
  const [folder, place] = [await openFolder(), await openEmptyPlace()]
  const site = { DATABASE_URL: studio.settings.databaseUrl as string, DATA_DIR: studio.settings.dataDir }
  const key = join(folder, 'key.txt')
  const made = await command('backup', {}, '--new-key', key)
  const recipient = /age1\S+/.exec(made.output)?.[0] ?? ''
  expect((await stat(key)).mode & 0o777).toBe(0o600)

  const file = join(folder, 'studio.tar.zst.age')
  const backup = await command('backup', site, file, '--to', recipient, '--with-secrets')
  expect(backup).toMatchObject({ code: 0, output: expect.stringContaining(`${file} is complete`) })
  expect(backup.output).not.toContain('does not contain the secrets')
  expect((await lastBackup(studio.db)).made?.file).toBe(file)
  const verified = await command('restore', site, '--verify', file, '--identity', key)
  expect(verified).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^users +3 rows, [0-9a-f]{12}… +as backed up$/m),
  })

  const elsewhere = { DATABASE_URL: place, DATA_DIR: folder }
  const secrets = join(folder, 'secrets.env')
  const withoutKey = await command('restore', elsewhere, file, '--identity', key, '--secrets-to', secrets)
  expect(withoutKey).toMatchObject({ code: 1, output: expect.stringContaining('which HEALTH_DATA_KEY does not hold') })
  const HEALTH_DATA_KEY = /^HEALTH_DATA_KEY="(.*)"$/m.exec(await readFile(secrets, 'utf8'))?.[1] ?? ''
  const restored = await command('restore', { ...elsewhere, HEALTH_DATA_KEY }, file, '--identity', key)
  expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('Restored: the studio as it was at') })
  expect(restored.output).toMatch(/^as it was {2}members and their profiles +3$/m)
  expect(restored.output).toMatch(/^repeated +receipt numbers +the next is 1$/m)
  expect(restored.output).toMatch(/^to do +bookings since +unknown: /m)
  expect(await ask(place, 'select id from users where id = $1', [ana.id])).toHaveLength(1)
  expect(await ask(place, 'select settled_at is not null as settled from restores')).toEqual([{ settled: true }])
  expect(await ask(place, "select to_regclass('pgboss.job') is not null as queue")).toEqual([{ queue: true }])
})

test.each([
  ['backup', ['--with-secrets'], 'only an encrypted backup can contain secrets: --with-secrets --to'],
  ['backup', ['--to', 'AGE-SECRET-KEY-1'], '--to must be an age public key'],
  ['restore', [], 'name a backup: npm run restore -- <file>'],
  ['restore', ['x', '--identity', 'nowhere.txt'], 'nowhere.txt cannot be read'],
  ['restore', ['x', '--receipts-from', 'many'], 'name a backup: npm run restore -- <file>'],
] as const)('%s %j is answered with a sentence', async (name, args, sentence) => {
  const { code, output } = await command(
    name,
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', DATA_DIR: await openFolder() },
    ...args,
  )
  expect([code, output]).toEqual([1, expect.stringContaining(sentence)])
  expect(output).not.toMatch(/\n\s+at |SECRET-KEY/)
})
