import { systemClock } from '../foundation/clock.ts'
import { demoAccounts, loadDemoData } from './demo/demo.ts'
import { studioLog } from './log.ts'
import { prepareDatabase } from './prepare-database.ts'
import { readSettings, SettingsError } from './settings.ts'
import { runStudio } from './studio-server.ts'

const say = (sentence: string) => console.log(sentence)
/** A stop that takes longer than this is forced. */
const STOP_PATIENCE_MS = 20_000

async function main(): Promise<void> {
  const settings = readSettings(process.env)
  const clock = systemClock
  const { url, stop } = await prepareDatabase(settings, say)
  // Signals that arrive while we start are answered by stopping what has been started.
  const started: { close(): Promise<void> }[] = [{ close: stop }]
  const stopOnce = onceStopped(started)

  try {
    const log = studioLog(process.env.LOG_LEVEL ?? (settings.mode === 'live' ? 'info' : 'warn'))
    const running = { ...settings, databaseUrl: url }
    if (settings.mode === 'demo') await loadDemoData(running, { clock, log, say })
    const studio = await runStudio(running, { clock, log, workQueues: true, strict: false })
    started.unshift(studio)
    say(`\nThe studio is open at ${settings.port === 0 ? studio.origin : settings.appUrl}`)
    if (settings.mode === 'demo') {
      for (const { email, password, what } of demoAccounts) say(`  ${what}: ${email} / ${password}`)
      say(`  Mail that was sent: ${settings.appUrl}/dev/mailbox`)
    }
  } catch (error) {
    await stopOnce()
    throw error
  }
}

function onceStopped(started: { close(): Promise<void> }[]): () => Promise<void> {
  let stopping: Promise<void> | undefined
  const stopAll = async () => {
    for (const part of started) await part.close()
  }
  const stopOnce = () => {
    stopping ??= stopAll()
    return stopping
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (!stopping) say('Closing: finishing what is under way.')
      setTimeout(() => process.exit(1), STOP_PATIENCE_MS).unref()
      stopOnce().then(
        () => process.exit(0),
        (error) => {
          console.error(error)
          process.exit(1)
        },
      )
    })
  }
  return stopOnce
}

main().catch((error) => {
  // What an owner can mend is said plainly; a fault of ours with its stack.
  const isPlain =
    error instanceof SettingsError ||
    (error instanceof Error && error.constructor !== TypeError && !error.stack?.includes('node_modules'))
  console.error(isPlain ? (error as Error).message : error)
  process.exit(1)
})
