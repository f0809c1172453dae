import { execFileSync } from 'node:child_process'
import { mkdtemp, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Outcome, runTrouble, type Scene } from './storm/scene.ts'
import { storm } from './storm/storm.ts'
import * as troubles from './storm/troubles.ts'

/**
 * `npm run lab -- storm [kills]`: kills the site during bookings, cancellations and payments; `<trouble>` (or `all`)
 * runs one fault while members read, book and cancel. Exits with 1 if anything was lost, or a request to a running
 * process got no response.
 */
const KILLS = 20
const SMALL_DISK = '400m'

const print = (sentence: string) => console.log(sentence)
const of = (trouble: (scene: Scene) => Promise<string[]>) => () => runTrouble(trouble, { print })

const TROUBLES: Record<string, () => Promise<Outcome>> = {
  'stopped-database': of(troubles.stoppedDatabase),
  'frozen-database': of(troubles.frozenDatabase),
  'frozen-site': of(troubles.frozenSite),
  'refusing-mail': of(troubles.refusingMail),
  'idle-connections': of(troubles.idleConnections),
  'connection-limit': of(troubles.connectionLimit),
  'full-disk': () => onSmallDisk((disk) => runTrouble(troubles.fullDisk, { print, disk })),
}

/** A small tmpfs; only root can mount one. */
async function onSmallDisk<Result>(work: (disk: string) => Promise<Result>): Promise<Result> {
  const disk = await mkdtemp(join(tmpdir(), 'studio-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SMALL_DISK},mode=755`, 'studio-disk', disk])
  try {
    return await work(disk)
  } finally {
    execFileSync('umount', [disk])
    await rmdir(disk)
  }
}

async function kills(count: number): Promise<Outcome> {
  const { violations, lines, unanswered } = await storm(count, print)
  return { faults: violations, lines, unanswered }
}

function closingLine({ faults, unanswered }: Outcome): string {
  if (faults.length > 0) return `${faults.length} FAULTS`
  if (unanswered > 0) return `Nothing was lost. ${unanswered} requests to a killed process got no response.`
  return 'Nothing was lost, and every request got a response.'
}

const wish = process.argv[2] ?? String(KILLS)
const wanted = wish === 'all' ? [...Object.keys(TROUBLES), String(KILLS)] : [wish]
for (const name of wanted) {
  const run = TROUBLES[name] ?? (/^\d+$/.test(name) ? () => kills(Number(name)) : undefined)
  if (!run)
    throw new Error(`There is no trouble ${name}. There are: ${Object.keys(TROUBLES).join(', ')}, a number of kills.`)
  print(`\n${name}`)
  const outcome = await run()
  const { faults, lines } = outcome
  for (const line of lines) print(`  ${line}`)
  for (const fault of faults.slice(0, 20)) print(`  FAULT ${fault}`)
  print(`  ${closingLine(outcome)}`)
  if (faults.length > 0) process.exitCode = 1
}
