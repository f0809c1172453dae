import { type Bench, openSite } from '../lib/bench.ts'
import { addBookings, addClasses, addMembers, FIRST_DAY } from '../lib/fill.ts'
import { alternate, BRIEF } from '../lib/rounds.ts'
import { bookingsOf, startSender } from '../lib/sender.ts'
import { type Cost, costOf } from '../lib/table.ts'

/** Ten years of classes with two bookings each: one a day, and 7. */
const STUDIOS = [
  { members: 10, aDay: 1 },
  { members: 1_000, aDay: 7 },
  { members: 100_000, aDay: 7 },
]
const DAYS = 3572
/** Highest cost of a booking compared with the smallest studio. */
const MAX_COST_TO_SMALL = 1.25
const AT_ONCE = 8
const PER_ROUND = 100
const MAX_ROUNDS = BRIEF.warmUp.atMost + BRIEF.rounds.atMost

/**
 * Compares bookings of studios with ten years of history and 10, 1,000 and 100,000 members, with a new studio of 10.
 */
export async function measureGrowth(bench: Bench): Promise<Cost[]> {
  await using small = await openSide(bench, { members: 10, aDay: 0 })
  const costs: Cost[] = []
  for (const studio of STUDIOS) {
    await using grown = await openSide(bench, studio)
    const many = studio.members.toLocaleString('en-GB')
    bench.print(`Booking with ${many} members and ten years, and with 10 and none.`)
    const comparison = await alternate(BRIEF, grown.book, small.book)
    const what = `a booking with ${many} members and ten years, compared with 10 and none`
    costs.push(costOf(what, comparison, { atMost: MAX_COST_TO_SMALL }))
  }
  return costs
}

async function openSide(bench: Bench, { members: count, aDay }: (typeof STUDIOS)[number]) {
  await using started = new AsyncDisposableStack()
  const site = started.use(
    await openSite(bench, {
      name: `growth_${count}_${aDay}`,
      async fillWith(client, secrets) {
        const members = await addMembers(client, count, secrets)
        if (aDay > 0) {
          await addClasses(client, { days: DAYS, aDay, from: FIRST_DAY.subtract({ days: DAYS }).toString() })
          await addBookings(client)
        }
        const days = Math.ceil((STUDIOS.length * MAX_ROUNDS * PER_ROUND) / 100)
        return { members: members.slice(0, PER_ROUND), classIds: await addClasses(client, { days, aDay: 100 }) }
      },
    }),
  )
  const { members, classIds } = site.filled
  const sender = started.use(await startSender())
  const stop = started.move()
  const book = async () => {
    const requests = bookingsOf(members, classIds.splice(0, PER_ROUND))
    return (await sender.run({ origins: [site.origin], requests, atOnce: AT_ONCE, statuses: [201] })).ms
  }
  return { book, [Symbol.asyncDispose]: () => stop.disposeAsync() }
}
