/** One line of the bench: what was measured and whether it keeps its limit. */
export type Cost = { what: string; cost: string; limit: string; isKept: boolean }

/** A small table for a terminal: what it costs, beside the limit. */
export function tableOf(costs: readonly Cost[]): string {
  const head = ['what', 'costs', 'limit', '']
  const rows = costs.map(({ what, cost, limit, isKept }) => [what, cost, limit, isKept ? 'kept' : 'MISSED'])
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(head), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}
