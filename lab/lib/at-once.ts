/** Does `work` for each item, `lanes` at once, each lane taking the next item when it is free. Answers the milliseconds. */
export async function timedAtOnce<Item>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item, lane: number) => Promise<void>,
): Promise<number> {
  let next = 0
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      while (next < items.length) await work(items[next++] as Item, lane)
    }),
  )
  return performance.now() - begun
}
