import { availableParallelism } from 'node:os'
import { measureBooking } from './booking.ts'
import { measureHomePage } from './home-page.ts'
import { type OwnPostgres, startOwnPostgres } from './lib/own-postgres.ts'
import type { Comparison } from './lib/rounds.ts'
import { type Cost, tableOf } from './lib/table.ts'
import { measureWeekList } from './week-list.ts'

/** `npm run bench`: what it costs, beside the limit. Ends with 1 when a limit is missed. Limits: docs/studio-rules.md. */
async function main(): Promise<number> {
  const say = (sentence: string) => console.log(sentence)
  say(
    `Node ${process.versions.node}, ${availableParallelism()} cores. Ratios only: lone times say more of a machine than of a program.\n`,
  )
  const costs: Cost[] = [await homePage()]
  await withPostgres(async (postgres) => {
    say('Listing a week, with eight weeks and with ten years of classes.')
    const week = await measureWeekList(postgres)
    costs.unshift({
      what: "a week's list with 10 years of classes, beside 8 weeks",
      cost: ratio(week),
      limit: 'at most 1.30 ×',
      isKept: week.ratio <= 1.3,
    })
    say('Booking, over HTTP and through pg, 32 at once.')
    const booking = await measureBooking(postgres)
    costs.unshift({
      what: 'bookings a second over HTTP, beside the bare transaction',
      cost: ratio(booking),
      limit: 'at least 0.60 ×',
      isKept: booking.ratio >= 0.6,
    })
  })
  say(`\n${tableOf(costs)}`)
  return costs.every(({ isKept }) => isKept) ? 0 : 1
}

async function homePage(): Promise<Cost> {
  const { bytes, files } = await measureHomePage()
  return {
    what: `script of the home page, brotli (${files.length} files)`,
    cost: `${bytes.toLocaleString('en-GB')} bytes`,
    limit: 'at most 120,000 bytes',
    isKept: bytes <= 120_000,
  }
}

function ratio({ ratio, each }: Comparison): string {
  const [least, most] = [Math.min(...each), Math.max(...each)]
  return `${ratio.toFixed(2)} × (${each.length} rounds: ${least.toFixed(2)} to ${most.toFixed(2)})`
}

/** Gone again whatever happens, Ctrl-C included. */
async function withPostgres(work: (postgres: OwnPostgres) => Promise<void>): Promise<void> {
  const postgres = await startOwnPostgres()
  const interrupted = () => void postgres.stop().finally(() => process.exit(130))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted)
  try {
    await work(postgres)
  } finally {
    await postgres.stop()
  }
}

process.exitCode = await main()
