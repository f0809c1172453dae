import { availableParallelism } from 'node:os'
import { measureBooking } from './booking.ts'
import { measureHomePage } from './home-page.ts'
import { withCleanUp } from './lib/clean-up.ts'
import { startOwnPostgres } from './lib/own-postgres.ts'
import type { Comparison } from './lib/rounds.ts'
import { type Cost, tableOf } from './lib/table.ts'
import { measureWeekList } from './week-list.ts'

/** Of the bare transaction's rate, the least; of the short history's cost, the most; and bytes. */
const LIMITS = { bookingRate: 0.6, weekListCost: 1.3, scriptBytes: 120_000 }

/** `npm run bench`: what it costs, beside the limit. Ends with 1 when a limit is missed. */
async function main(): Promise<number> {
  const say = (sentence: string) => console.log(sentence)
  say(
    `Node ${process.versions.node}, ${availableParallelism()} cores. Ratios only: lone times say more of a machine than of a program.\n`,
  )
  const costs: Cost[] = [await homePage()]
  const postgres = await startOwnPostgres()
  const measure = async () => {
    say('Listing a week, with eight weeks and with ten years of classes.')
    const week = await measureWeekList(postgres)
    costs.unshift({
      what: "a week's list with 10 years of classes, beside 8 weeks",
      cost: ratio(week),
      limit: `at most ${LIMITS.weekListCost.toFixed(2)} ×`,
      isKept: week.ratio <= LIMITS.weekListCost,
    })
    say('Booking, over HTTP and through pg, 32 at once.')
    const booking = await measureBooking(postgres)
    costs.unshift({
      what: 'bookings a second over HTTP, beside the bare transaction',
      cost: ratio(booking),
      limit: `at least ${LIMITS.bookingRate.toFixed(2)} ×`,
      isKept: booking.ratio >= LIMITS.bookingRate,
    })
  }
  await withCleanUp(measure, () => postgres.stop())
  say(`\n${tableOf(costs)}`)
  return costs.every(({ isKept }) => isKept) ? 0 : 1
}

async function homePage(): Promise<Cost> {
  const { bytes, files } = await measureHomePage()
  return {
    what: `script of the home page, brotli (${files.length} files)`,
    cost: `${bytes.toLocaleString('en-GB')} bytes`,
    limit: `at most ${LIMITS.scriptBytes.toLocaleString('en-GB')} bytes`,
    isKept: bytes <= LIMITS.scriptBytes,
  }
}

function ratio({ ratio, each }: Comparison): string {
  const [least, most] = [Math.min(...each), Math.max(...each)]
  return `${ratio.toFixed(2)} × (${each.length} rounds: ${least.toFixed(2)} to ${most.toFixed(2)})`
}

process.exitCode = await main()
