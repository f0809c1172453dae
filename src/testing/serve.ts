import { cp, mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { studioLog } from '#app/log.ts'
import { loadBuiltPages } from '#app/pages/bundle.ts'
import { readSettings } from '#app/settings.ts'
import { runStudio } from '#app/studio-server.ts'
import { demoTemplate } from './demo-template.ts'
import { frozenClock, london } from './frozen-clock.ts'
import { CHEAP_PASSWORDS, PATIENT_LIMITS } from './limits.ts'
import { openTestDatabase } from './test-databases.ts'

/**
 * Run by browser tests: the demo studio at a frozen London wall time, on a copy of demo-template.ts's database.
 * `node serve.ts <database server> <folder> <2026-12-07 09:00> [<refresh ms> [<database>]]`
 * Sends its address to the parent process and does what its messages ask. With a database it is a second process of
 * that studio, which leaves the queues to the first. Further settings: `SITE_SETTINGS`, as JSON. A live site starts
 * empty.
 */
const [databaseServer = '', folder = '', startsAt = '', refreshMs = '', shared = ''] = process.argv.slice(2)
const overrides: Record<string, string> = JSON.parse(process.env.SITE_SETTINGS ?? '{}')

async function openSite(now: string) {
  const clock = frozenClock(london(now))
  const dataDir = await mkdtemp(join(folder, 'site-'))
  const template = overrides.STUDIO_MODE === 'live' ? undefined : demoTemplate(folder, now)
  if (template) await cp(template.folder, dataDir, { recursive: true })
  const database = shared
    ? { url: shared, drop: async () => {} }
    : await openTestDatabase(databaseServer, template?.database)
  const { url: databaseUrl } = database
  const read = readSettings({ PORT: '0', DATA_DIR: dataDir, ...overrides, DATABASE_URL: databaseUrl })
  const settings = { ...read, databaseUrl }
  const log = studioLog('warn', { write: (line) => void process.stderr.write(line) })
  const studio = await runStudio(settings, {
    clock,
    log,
    workQueues: !shared,
    strict: true,
    connections: 10,
    limits: PATIENT_LIMITS,
    pages: await loadBuiltPages(),
    refreshMs: refreshMs ? Number(refreshMs) : undefined,
    passwordCost: CHEAP_PASSWORDS,
    // Addresses of calendars begin with https, but a test's server on this machine has no certificate.
    reach: {
      protocols: ['https:'],
      mayConnect: (address) => address === '127.0.0.1',
      request: (url, options, onResponse) => request(url.href.replace('https:', 'http:'), options, onResponse),
    },
  })
  return {
    clock,
    studio,
    address: { origin: studio.origin, databaseUrl: database.url },
    async close() {
      await studio.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

let site = await openSite(startsAt)
process.on('message', async (message: { type: 'travel' | 'end-undo' | 'reopen'; now: string }) => {
  if (message.type === 'travel') site.clock.set(london(message.now))
  if (message.type === 'end-undo') await site.studio.workers['end-undo']({}, 'by hand')
  // The modules are loaded already, which is most of a start.
  if (message.type === 'reopen') {
    await site.close()
    site = await openSite(message.now)
  }
  process.send?.(site.address)
})
process.once('disconnect', () => site.close())
process.send?.(site.address)
