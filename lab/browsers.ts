import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import type { StartEngine } from './browsers/engine.ts'
import { startFirefox } from './browsers/firefox.ts'
import { mainPath } from './browsers/main-path.ts'
import { Tab } from './browsers/tab.ts'
import { startWebKit } from './browsers/webkit.ts'
import { check } from './lib/check.ts'
import { demoMember } from './lib/demo-member.ts'
import { runSql } from './lib/own-postgres.ts'
import { DemoSite } from './storm/demo-site.ts'

/** By name: how it starts, and the programs it needs. */
const ENGINES: Record<string, [start: StartEngine, ...programs: string[]]> = {
  Firefox: [startFirefox, process.env.FIREFOX ?? 'firefox-esr'],
  WebKit: [startWebKit, process.env.WEBKIT_DRIVER ?? 'WebKitWebDriver', 'Xvfb'],
}
const SCREENS = [390, 1440]
const HEIGHT = 900

/**
 * `npm run lab -- browsers [Firefox | WebKit]`: the main path of a member and of the owner, on a phone's screen and a
 * large one. Errors in the console, reports of the content security policy and pages that are too wide are faults.
 */
const wanted = process.argv.slice(2)
const engines = Object.entries(ENGINES).filter(([name]) => wanted.length === 0 || wanted.includes(name))
const missing = engines.flatMap(([, [, ...programs]]) => programs).filter((name) => spawnSync('which', [name]).status)
if (missing.length > 0) {
  console.log(`Missing: ${missing.join(', ')}. On Debian: apt-get install firefox-esr webkit2gtk-driver xvfb`)
  process.exit(1)
}

await check(async (onFinished) => {
  const folder = await mkdtemp(join(tmpdir(), 'studio-browsers-'))
  // Started as root, PostgreSQL runs as another user, who must reach this folder.
  await chmod(folder, 0o711)
  onFinished(() => rm(folder, { recursive: true, force: true }))
  const data = join(folder, 'site')
  const site = await DemoSite.prepare(data)
  onFinished(() => site.stop())
  await site.start()
  const { admin, member: holder } = await demoMember(site.origin, 20)
  const faults: string[] = []
  let hour = 0
  for (const [engineName, [start]] of engines) {
    for (const width of SCREENS) {
      hour++
      const own = join(folder, `${engineName}-${width}`)
      const startedAt = performance.now()
      const engine = await start(own)
      try {
        await engine.resize(width, HEIGHT)
        const tab = new Tab(engine, site.origin, join(own, 'Downloads'))
        const walk = { admin, holder, hour, name: `${engineName}${width}`, folder: own }
        for (const [step, run] of Object.entries(mainPath(tab, walk))) {
          await run().catch((error) => tab.faults.push(`${step}: ${error.message}`))
        }
        await tab.look()
        faults.push(...tab.faults.map((fault) => `${engineName}, ${width} px: ${fault}`))
      } finally {
        await engine.close()
      }
      console.log(`${engineName} at ${width} px took ${Math.round((performance.now() - startedAt) / 1000)} s.`)
    }
  }
  return [...faults, ...(await reportedViolations(data))]
}, 'Every step worked in every browser.')

/** What browsers reported that a page was not allowed to load. */
async function reportedViolations(data: string): Promise<string[]> {
  const options = { dataDir: data, print: () => {}, ownerLabel: 'the lab', canShareServer: true }
  const { url } = await startEmbeddedPostgres(options)
  const { rows } = await runSql(url, 'select distinct page, directive, blocked from csp_reports')
  return rows.map(({ page, directive, blocked }) => `${page}: ${directive} refused ${blocked}`)
}
