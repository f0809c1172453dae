import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { loadDemoData } from '#app/demo/demo.ts'
import { studioLog } from '#app/log.ts'
import { readSettings } from '#app/settings.ts'
import { frozenClock, london } from './frozen-clock.ts'
import { createTestDatabase } from './test-databases.ts'

/** The database and folder from which the demo studio of a London wall time is copied. */
export function demoTemplate(folder: string, now: string): { database: string; folder: string } {
  const name = `demo_${now.replace(/\D/g, '')}`
  return { database: name, folder: join(folder, name) }
}

/**
 * Run before browser tests: loads the demo studio once for all servers under test to copy.
 * `node demo-template.ts <database server> <folder> <2026-12-07 09:00>`
 */
if (import.meta.main) {
  const [databaseServer = '', folder = '', now = ''] = process.argv.slice(2)
  const template = demoTemplate(folder, now)
  await mkdir(template.folder, { recursive: true })
  const databaseUrl = await createTestDatabase(databaseServer, template.database)
  const settings = { ...readSettings({ DATA_DIR: template.folder, DATABASE_URL: databaseUrl }), databaseUrl }
  const log = studioLog('warn', { write: (line) => void process.stderr.write(line) })
  await loadDemoData(settings, { clock: frozenClock(london(now)), log, print: () => {} })
}
