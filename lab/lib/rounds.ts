export type Comparison = {
  /** The median of the rounds' ratios. */
  ratio: number
  /** The ratio of each round. */
  each: number[]
}

/** How many rounds, and for how long: a slow machine does fewer. */
export type Effort = { atLeast: number; atMost: number; seconds: number }

export const THOROUGH = {
  warmUp: { atLeast: 2, atMost: 8, seconds: 5 },
  rounds: { atLeast: 5, atMost: 31, seconds: 15 },
}
export const BRIEF = { warmUp: { atLeast: 1, atMost: 4, seconds: 1 }, rounds: { atLeast: 5, atMost: 31, seconds: 3 } }

/**
 * Measures two sides in turn (A B, B A, A B …), so that load and a growing database affect both alike.
 *
 * @param a returns the milliseconds of one round; the ratio is a / b
 */
export async function alternate(
  effort: { warmUp: Effort; rounds: Effort },
  a: () => Promise<number>,
  b: () => Promise<number>,
): Promise<Comparison> {
  await ratios(effort.warmUp, a, b)
  const each = await ratios(effort.rounds, a, b)
  return { ratio: median(each), each }
}

async function ratios(effort: Effort, a: () => Promise<number>, b: () => Promise<number>): Promise<number[]> {
  const each: number[] = []
  const startedAt = performance.now()
  const isTimeUp = () => performance.now() - startedAt > effort.seconds * 1000
  while (each.length < effort.atLeast || (each.length < effort.atMost && !isTimeUp())) {
    if (each.length % 2 === 0) {
      const first = await a()
      each.push(first / (await b()))
    } else {
      const first = await b()
      each.push((await a()) / first)
    }
  }
  return each
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]] as [number, number]
  return (low + high) / 2
}

/** The value that this share of all values does not exceed. */
export function nearestRank(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.ceil(share * sorted.length) - 1] ?? 0
}
