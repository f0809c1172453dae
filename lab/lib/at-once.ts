/** Runs `work` for each item in `lanes` concurrent lanes. Returns the milliseconds taken. */
export async function timedAtOnce<Item>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item, lane: number) => Promise<void>,
): Promise<number> {
  let next = 0
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      while (next < items.length) await work(items[next++] as Item, lane)
    }),
  )
  return performance.now() - startedAt
}
