import { systemClock } from '../foundation/clock.ts'
import { PlainFault } from '../platform/plain-fault.ts'
import { studioLog } from './log.ts'
import { prepareDatabase } from './prepare-database.ts'
import { readSettings, type Settings } from './settings.ts'
import { runStudio } from './studio-server.ts'

const say = (sentence: string) => console.log(sentence)
/** A stop that takes longer than this is forced. */
const STOP_PATIENCE_MS = 20_000

async function main(): Promise<void> {
  const settings = readSettings(process.env)
  // What has been started, the last first. A signal during the start waits for it and then stops everything.
  const started: { close(): Promise<void> }[] = []
  const starting = start(settings, started)
  stopOnSignals(async () => {
    await starting.catch(() => {})
    await closeAll(started)
  })
  try {
    await starting
  } catch (error) {
    await closeAll(started)
    throw error
  }
}

async function start(settings: Settings, started: { close(): Promise<void> }[]): Promise<void> {
  const clock = systemClock
  // What only the demo needs is loaded in the demo only.
  const demo = settings.mode === 'demo' ? await import('./demo/demo.ts') : undefined
  const { url, stop } = await prepareDatabase(settings, say)
  started.unshift({ close: stop })
  const log = studioLog(process.env.LOG_LEVEL ?? (settings.mode === 'live' ? 'info' : 'warn'))
  const running = { ...settings, databaseUrl: url }
  await demo?.loadDemoData(running, { clock, log, say })
  const studio = await runStudio(running, { clock, log, workQueues: true, strict: false })
  started.unshift(studio)
  say(`\nThe studio is open at ${settings.port === 0 ? studio.origin : settings.appUrl}`)
  if (demo) {
    for (const { email, password, what } of demo.demoAccounts) say(`  ${what}: ${email} / ${password}`)
    say(`  Mail that was sent: ${settings.appUrl}/dev/mailbox`)
  }
}

async function closeAll(started: { close(): Promise<void> }[]): Promise<void> {
  for (let part = started.shift(); part; part = started.shift()) await part.close()
}

function stopOnSignals(stop: () => Promise<void>): void {
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) return
      stopping = true
      say('Closing: finishing what is under way.')
      setTimeout(() => process.exit(1), STOP_PATIENCE_MS).unref()
      stop().then(
        () => process.exit(0),
        (error) => {
          console.error(error)
          process.exit(1)
        },
      )
    })
  }
}

main().catch((error) => {
  // What an owner can mend is said plainly; anything else is a fault of ours and shows where.
  console.error(error instanceof PlainFault ? error.message : error)
  process.exit(1)
})
