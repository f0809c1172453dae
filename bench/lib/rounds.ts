/** Both sides of a comparison, and what one did in the time of the other. */
export type Comparison = {
  /** The median of the rounds' ratios. */
  ratio: number
  /** The ratios, one a round, in their order. */
  each: number[]
}

/**
 * Measures two sides in turn (A B, B A, A B …), so that a busy moment of the machine and a growing database meet
 * both alike, and compares within each round only.
 *
 * @param a milliseconds of one round's work; the ratio is a / b
 */
export async function alternate(
  rounds: number,
  a: (round: number) => Promise<number>,
  b: (round: number) => Promise<number>,
): Promise<Comparison> {
  const each: number[] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      const first = await a(round)
      each.push(first / (await b(round)))
    } else {
      const first = await b(round)
      each.push((await a(round)) / first)
    }
  }
  return { ratio: median(each), each }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]] as [number, number]
  return (low + high) / 2
}
