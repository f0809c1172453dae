import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '#foundation/instants.ts'
import { openTestDatabase } from '#testing/test-databases.ts'
import { studioLog } from './log.ts'
import { builtPages } from './pages/pages-under-test.ts'
import { demo } from './settings-under-test.ts'
import { runStudio } from './studio-server.ts'

test('a studio without visitors sends few statements in a minute, over connections that stay open', async () => {
  const { url, drop } = await openTestDatabase(inject('databaseServer'))
  const pages = builtPages(async (path, { ask }) => {
    // As many as the public pages do.
    const responses = path === '/' ? ['/api/packages', '/api/closures', '/api/classes?from=2026-11-28'] : []
    return (await Promise.all(responses.map(async (address) => (await ask(address)).text()))).join()
  })
  const settings = { ...demo({ PORT: '0', METRICS_TOKEN: 'the-token-of-the-tests' }), databaseUrl: url }
  const log = studioLog('silent')
  const site = await runStudio(settings, { clock: systemClock, log, workQueues: true, strict: true, pages })
  onTestFinished(async () => {
    await site.close()
    await drop()
    rmSync(pages.folder, { recursive: true })
  })
  // Past the start: its connections have closed.
  await vi.waitUntil(() => site.database.pool.totalCount <= 1, { timeout: 60_000 })
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const connect = vi.spyOn(pg.Client.prototype, 'connect')
  onTestFinished(() => void vi.restoreAllMocks())
  // What is measured is a minute.
  await pause(60_000)
  const texts = query.mock.calls.map(([statement]: unknown[]) =>
    typeof statement === 'string' ? statement : (statement as { text: string }).text,
  )
  const statements = texts.filter((text) => !/^(begin|commit)/.test(text))
  // About 70 for each run of the tasks of every minute, of which two may begin within 60 seconds.
  expect(statements.length).toBeLessThan(160)
  // Those of the first minute's jobs stay open.
  expect(connect.mock.calls.length).toBeLessThan(6)
})
