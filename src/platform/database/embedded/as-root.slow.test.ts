import { chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
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
    place.undo.push(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
    expect(folder).toMatch(/^\/var\/(lib|tmp)\/reformer-studio-/)
    expect(place.sentences.join('\n')).toContain(
      `who cannot enter ${place.dataDir}. The database is therefore kept in ${folder}.`,
    )
    await ask(first.url, 'create table kept as select 7 as number')
    await first.stop()

    await chmod(closed, 0o755)
    const second = await begin()
    expect(place.sentences).toContain(`The database is kept in ${folder}, as on the first start.`)
    expect(await ask(second.url, 'select number from kept')).toEqual([{ number: 7 }])

    const third = await second.startAfresh('another version of the site')
    expect(place.sentences.join('\n')).toContain(`It was moved to ${folder}/cluster.before-`)
    expect(await ask(third.url, "select to_regclass('kept') as kept")).toEqual([{ kept: null }])
    expect((await stat(`/proc/${await serverProcess()}`)).uid).toBeGreaterThan(0)
    await third.stop()

    await rm(folder, { recursive: true })
    await expect(begin()).rejects.toThrow(`The database of ${place.dataDir} was kept in ${folder}, which is missing.`)
  })

  test('does not let a copied project write into the original’s database', async () => {
    await chmod(path.dirname(place.dataDir), 0o700)
    const first = await begin()
    const folder = path.dirname(await cluster())
    place.undo.push(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
    await first.stop()
    const copy = `${place.dataDir}-copy`
    await mkdir(copy)
    await writeFile(path.join(copy, 'postgres-location'), `${folder}\n`)
    await expect(begin({ dataDir: copy })).rejects.toThrow(
      `belongs to ${place.dataDir}; ${copy} looks like a copy of it`,
    )
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
