import type { SignedIn } from '../lib/fill.ts'
import type { LiveSite } from '../lib/live-site.ts'
import { cpuMsOf } from '../lib/process-usage.ts'
import { median } from '../lib/rounds.ts'
import type { Cost } from '../lib/table.ts'

/** Processor time for one page. */
const MAX_PRESS_MS = 15
const WARM_UP = 300
const ROUNDS = 9
const PER_ROUND = 60

/**
 * Measures the processor time of a member's page, with its API reads and compression, without PostgreSQL.
 *
 * @param words text that is in the page only with its first data
 */
export async function measureMemberPage(
  { origin, pid }: LiveSite,
  options: { path: string; member: SignedIn; words: string },
): Promise<Cost> {
  const { path, member, words } = options
  const get = async () => {
    const response = await fetch(origin + path, {
      headers: { cookie: member.cookie, 'accept-encoding': 'gzip, deflate, br' },
    })
    const html = await response.text()
    if (response.status !== 200 || !html.includes(words))
      throw new Error(`${path} returned ${response.status}, and without “${words}”`)
  }
  for (let i = 0; i < WARM_UP; i++) await get()
  const rounds: number[] = []
  while (rounds.length < ROUNDS) {
    const before = await cpuMsOf(pid)
    for (let i = 0; i < PER_ROUND; i++) await get()
    rounds.push(((await cpuMsOf(pid)) - before) / PER_ROUND)
  }
  const [middle, least, most] = [median(rounds), Math.min(...rounds), Math.max(...rounds)].map((ms) => ms.toFixed(1))
  return {
    what: `${path.split('?')[0]}: processor time, rendered for a member`,
    cost: `${middle} ms (${ROUNDS} rounds: ${least} to ${most})`,
    limit: `at most ${MAX_PRESS_MS} ms`,
    isKept: Number(middle) <= MAX_PRESS_MS,
  }
}
