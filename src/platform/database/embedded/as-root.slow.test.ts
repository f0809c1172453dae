import { chmod, mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { removeDataDir } from '#testing/cluster-template.ts'
import { ask, dataFolder } from './embedded-under-test.ts'

const { begin, cluster, madeBefore, place, serverProcess } = dataFolder()

describe.runIf(process.getuid?.() === 0)('as root', () => {
  test('runs the server as another user', async () => {
    await madeBefore()
    await begin()
    expect((await stat(`/proc/${await serverProcess()}`)).uid).toBeGreaterThan(0)
  })

  test('keeps data where PostgreSQL can reach it when only root may enter the project', async () => {
    const closed = path.dirname(place.dataDir)
    await chmod(closed, 0o700)
    const first = await begin()
    const folder = path.dirname(await cluster())
    expect(folder).toMatch(/^\/var\/lib\/reformer-studio-/)
    expect(place.sentences.join('\n')).toContain(
      `who cannot enter ${place.dataDir}. The database is therefore kept in ${folder}.`,
    )
    await ask(first.url, 'create table kept as select 7 as number')
    await first.stop()

    await chmod(closed, 0o755)
    const second = await begin()
    expect(await ask(second.url, 'select number from kept')).toEqual([{ number: 7 }])

    const third = await second.startAfresh('another version of the site')
    expect(place.sentences.join('\n')).toContain(`It was moved to ${folder}/cluster.before-`)
    expect(await ask(third.url, "select to_regclass('kept') as kept")).toEqual([{ kept: null }])
    expect((await stat(`/proc/${await serverProcess()}`)).uid).toBeGreaterThan(0)
  })

  test('gives a copied project a database of its own', async () => {
    await chmod(path.dirname(place.dataDir), 0o700)
    const first = await begin()
    await ask(first.url, 'create table kept as select 7 as number')
    const copy = `${place.dataDir}-copy`
    place.undo.push(() => removeDataDir(copy))
    await mkdir(copy)
    const second = await begin({ dataDir: copy })
    expect(await ask(second.url, "select to_regclass('kept') as kept")).toEqual([{ kept: null }])
  })

  test('refuses to start when the project’s folder was closed after the data was created', async () => {
    const first = await begin()
    await first.stop()
    await chmod(path.dirname(place.dataDir), 0o700)
    await expect(begin()).rejects.toThrow(/can no longer enter that folder\. Open the folders above it/)
    await chmod(path.dirname(place.dataDir), 0o755)
    await expect(begin()).resolves.toMatchObject({ url: first.url })
  })
})
