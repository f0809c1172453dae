import type { Comparison } from './rounds.ts'

export type Cost = { what: string; cost: string; limit: string; isKept: boolean }

/** The row of a comparison with a limit for its ratio. */
export function costOf(
  what: string,
  { ratio, each }: Comparison,
  limit: { atLeast: number } | { atMost: number },
): Cost {
  const [least, most] = [Math.min(...each), Math.max(...each)]
  const [words, number] = 'atLeast' in limit ? ['at least', limit.atLeast] : ['at most', limit.atMost]
  return {
    what,
    cost: `${ratio.toFixed(2)} × (${each.length} rounds: ${least.toFixed(2)} to ${most.toFixed(2)})`,
    limit: `${words} ${number.toFixed(2)} ×`,
    isKept: 'atLeast' in limit ? ratio >= number : ratio <= number,
  }
}

/** The costs and their limits as a table for a terminal. */
export function tableOf(costs: readonly Cost[]): string {
  const head = ['what', 'costs', 'limit', '']
  const rows = costs.map(({ what, cost, limit, isKept }) => [what, cost, limit, limit && (isKept ? 'kept' : 'MISSED')])
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(head), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}
