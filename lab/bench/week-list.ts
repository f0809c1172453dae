import { type Bench, compareWithBefore, openSite } from '../lib/bench.ts'
import { addBookings, addClasses, addMembers, FIRST_DAY } from '../lib/fill.ts'
import { alternate, THOROUGH } from '../lib/rounds.ts'
import { startSender } from '../lib/sender.ts'
import { type Cost, costOf } from '../lib/table.ts'

/** Highest cost compared with a short history. */
const MAX_COST_TO_SHORT = 1.3
const AT_ONCE = 8
/** Requests per round. */
const PER_ROUND = 100
/** Both histories have as many classes a week, so that both responses are alike. */
const TEN_YEARS = { days: 3572, aDay: 14 }
const EIGHT_WEEKS = { days: 56, aDay: 14 }
type History = typeof TEN_YEARS
const MEMBERS = 500

/**
 * Compares the public list of a week's classes with eight weeks and with ten years of history (50,000 classes, 100,000
 * bookings).
 */
export async function measureWeekList(bench: Bench): Promise<Cost[]> {
  await using long = await openSide(bench, 'ten_years', TEN_YEARS)
  await using short = await openSide(bench, 'eight_weeks', EIGHT_WEEKS)
  bench.print('Listing a week, with eight weeks and with ten years of classes.')
  const comparison = await alternate(THOROUGH, long.get, short.get)
  const what = "a week's list with 10 years of classes, compared with 8 weeks"
  const costs = [costOf(what, comparison, { atMost: MAX_COST_TO_SHORT })]
  if (!bench.against) return costs
  await using before = await openSide(bench, 'eight_weeks_before', EIGHT_WEEKS, bench.against)
  bench.print('Listing a week, here and before.')
  return [...costs, await compareWithBefore("a week's list", short.get, before.get)]
}

/** A site with this much history, and a driver that requests the fourth week. */
async function openSide(bench: Bench, name: string, history: History, checkout?: string) {
  await using started = new AsyncDisposableStack()
  const site = started.use(
    await openSite(bench, {
      name,
      checkout,
      async fillWith(client, secrets) {
        const from = FIRST_DAY.subtract({ days: history.days - EIGHT_WEEKS.days }).toString()
        await addMembers(client, MEMBERS, secrets)
        await addClasses(client, { ...history, from })
        await addBookings(client)
      },
    }),
  )
  const [from, to] = [FIRST_DAY.add({ weeks: 3 }).toString(), FIRST_DAY.add({ weeks: 3, days: 6 }).toString()]
  const path = `/api/classes?from=${from}&to=${to}`
  await checkWeek(site.origin + path)
  const sender = started.use(await startSender())
  const stop = started.move()
  const requests = [{ method: 'GET', path }]
  const sending = { origins: [site.origin], requests, atOnce: AT_ONCE, statuses: [200], times: PER_ROUND }
  return { get: async () => (await sender.run(sending)).ms, [Symbol.asyncDispose]: () => stop.disposeAsync() }
}

async function checkWeek(url: string): Promise<void> {
  const classes = (await (await fetch(url)).json()) as { bookedCount: number }[]
  const isRight = classes.length === 7 * EIGHT_WEEKS.aDay && classes.every(({ bookedCount }) => bookedCount === 2)
  if (!isRight) throw new Error(`the week's list holds ${classes.length} classes`)
}
