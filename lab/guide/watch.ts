import { setTimeout as pause } from 'node:timers/promises'

const EVERY_MS = 50

/** Requests an address repeatedly until stopped; anything but 200 is a fault. */
export function watchFor(address: string): { stop(): Promise<string> } {
  let isOver = false
  let requests = 0
  const bad: string[] = []
  const watching = (async () => {
    while (!isOver) {
      requests++
      const status = await fetch(address).then(
        async (response) => {
          await response.text()
          return response.status
        },
        (error: Error) => String(error.cause ?? error),
      )
      if (status !== 200) bad.push(String(status))
      await pause(EVERY_MS)
    }
  })()
  return {
    async stop() {
      isOver = true
      await watching
      if (bad.length > 0) throw new Error(`${bad.length} of ${requests} requests failed: ${bad.slice(0, 5)}`)
      return `${requests} requests in the meantime, none failed.`
    },
  }
}
