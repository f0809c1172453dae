/** Shares one call of `load` among concurrent callers. */
export function singleFlight<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  return () => {
    running ??= load().finally(() => {
      running = undefined
    })
    return running
  }
}
