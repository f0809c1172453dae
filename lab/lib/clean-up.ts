/** Runs `work` and then cleans up, also after an error, Ctrl-C or SIGTERM. */
export async function withCleanUp<Result>(work: () => Promise<Result>, cleanUp: () => Promise<void>): Promise<Result> {
  let cleaning: Promise<void> | undefined
  const clean = () => {
    cleaning ??= cleanUp()
    return cleaning
  }
  const interrupted = () =>
    void clean()
      .catch(console.error)
      .finally(() => process.exit(130))
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, interrupted)
  try {
    return await work()
  } finally {
    await clean()
    for (const signal of signals) process.off(signal, interrupted)
  }
}
