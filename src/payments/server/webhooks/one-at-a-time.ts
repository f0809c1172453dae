/**
 * Runs work on the same thing one after the other. Whoever comes while it runs shares the one run that follows: it begins
 * later than all of them came, so a thousand calls at once are two runs.
 */
export function oneAtATime(work: (key: string) => Promise<void>): (key: string) => Promise<void> {
  const running = new Map<string, Promise<void>>()
  const following = new Map<string, Promise<void>>()

  function run(key: string): Promise<void> {
    const run = work(key).finally(() => running.delete(key))
    running.set(key, run)
    return run
  }

  return (key) => {
    const current = running.get(key)
    if (!current) return run(key)
    const waiting = following.get(key)
    if (waiting) return waiting
    const next = current
      .catch(() => undefined)
      .then(() => {
        following.delete(key)
        return run(key)
      })
    following.set(key, next)
    return next
  }
}
