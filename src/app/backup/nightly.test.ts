import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lastBackup } from '#platform/database/backup/records.ts'
import { readBackup } from '#platform/database/backup/whole-backup.ts'
import { openEmptyStudio } from '#testing/studio-under-test.ts'

test('keeps seven nightly backups and touches no other file in the folder', async () => {
  const studio = await openEmptyStudio()
  const folder = join(studio.settings.dataDir, 'backups')
  expect(await lastBackup(studio.db)).toEqual({ made: undefined, failure: undefined })
  await mkdir(folder)
  const own = ['night-2020-01-01-041500.tar.zst.old', 'studio-2020-01-01-041500.tar.zst', 'to-the-bank.txt']
  for (const name of own) await writeFile(join(folder, name), 'mine')
  const abandoned = join(folder, 'night-2020-01-02-041500.tar.zst.partial-0123abcd')
  await writeFile(abandoned, 'half')
  await utimes(abandoned, 0, 0)

  for (let night = 0; night < 9; night++) {
    studio.clock.set(Temporal.Instant.from('2027-03-24T04:15:00Z').add({ hours: 24 * night }))
    await studio.server.workers['back-up']({}, 'by hand')
  }
  const kept = ['26-041500', '27-041500', '28-051500', '29-051500', '30-051500', '31-051500'].map(
    (at) => `night-2027-03-${at}.tar.zst`,
  )
  expect((await readdir(folder)).sort()).toEqual(
    ['erased.txt', ...kept, 'night-2027-04-01-051500.tar.zst', ...own].sort(),
  )
  const file = join(folder, 'night-2027-04-01-051500.tar.zst')
  expect((await readBackup(file, [], '0.1.0')).manifest.tables.users?.rows).toBe(0)
  const { size } = await stat(file)
  expect(await lastBackup(studio.db)).toEqual({
    made: { endedAt: studio.clock.now(), file, bytes: size, machine: expect.any(String) },
    failure: undefined,
  })
})

test('leaves no file when a backup fails, keeps the older ones and reports it', async () => {
  const studio = await openEmptyStudio()
  const folder = join(studio.settings.dataDir, 'backups')
  await studio.server.workers['back-up']({}, 'by hand')
  const before = await lastBackup(studio.db)
  // The same second again, so the same name.
  await expect(studio.server.workers['back-up']({}, 'by hand')).rejects.toThrow('already exists')
  expect((await readdir(folder)).filter((name) => name.startsWith('night-'))).toHaveLength(1)

  studio.travelTo('Wednesday 04:15')
  await rm(folder, { recursive: true })
  await writeFile(folder, 'a file where the folder was')
  await expect(studio.server.workers['back-up']({}, 'by hand')).rejects.toThrow(/EEXIST|ENOTDIR/)
  expect(before).toMatchObject({ made: { bytes: expect.any(Number) }, failure: undefined })
  expect(await lastBackup(studio.db)).toEqual({ ...before, failure: expect.stringMatching(/EEXIST|ENOTDIR/) })
})
