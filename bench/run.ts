import { availableParallelism } from 'node:os'
import { measureAdminTabs } from './admin-tabs.ts'
import { measureBooking } from './booking.ts'
import { measureHomePage } from './home-page.ts'
import { withCleanUp } from './lib/clean-up.ts'
import { startOwnPostgres } from './lib/own-postgres.ts'
import type { Comparison } from './lib/rounds.ts'
import { type Cost, tableOf } from './lib/table.ts'
import { measureWeekList } from './week-list.ts'

/**
 * Of the bare transaction's rate, the least; of the short history's cost, the most; bytes; milliseconds in which 95 of
 * 100 openings of an admin's tab are answered; and of what a list costs with 50 users, the most.
 */
const LIMITS = { bookingRate: 0.6, weekListCost: 1.3, scriptBytes: 120_000, tabMs: 300, listCost: 2 }

/** `npm run bench`: what it costs, beside the limit. Ends with 1 when a limit is missed. */
async function main(): Promise<number> {
  const say = (sentence: string) => console.log(sentence)
  say(
    `Node ${process.versions.node}, ${availableParallelism()} cores. Ratios where they can be had: lone times say more of a machine than of a program.\n`,
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
    say("The admin's tabs, with 5,000 users, 50,000 classes and 200,000 bookings, and with 50 users.")
    for (const { tab, ms95, beside } of await measureAdminTabs(postgres)) {
      costs.push({
        what: `${tab}: first rows, 95 of 100 openings`,
        cost: `${ms95.toFixed(0)} ms`,
        limit: `at most ${LIMITS.tabMs} ms`,
        isKept: ms95 <= LIMITS.tabMs,
      })
      if (!beside) continue
      costs.push({
        what: `${tab}: its list, beside one of 50 users`,
        cost: ratio(beside),
        limit: `at most ${LIMITS.listCost.toFixed(2)} ×`,
        isKept: beside.ratio <= LIMITS.listCost,
      })
    }
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
