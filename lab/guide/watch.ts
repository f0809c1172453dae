import { setTimeout as pause } from 'node:timers/promises'

const EVERY_MS = 50

/** Looks at an address again and again until told to stop; anything but 200 is a fault. */
export function watchFor(address: string): { stop(): Promise<string> } {
  let isOver = false
  let looks = 0
  const bad: string[] = []
  const watching = (async () => {
    while (!isOver) {
      looks++
      const status = await fetch(address).then(
        async (answer) => {
          await answer.text()
          return answer.status
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
      if (bad.length > 0) throw new Error(`Of ${looks} looks meanwhile ${bad.length} failed: ${bad.slice(0, 5)}`)
      return `Somebody looked ${looks} times meanwhile, and each time the site answered.`
    },
  }
}
