import { withCleanUp } from './clean-up.ts'

/** Is handed what takes down something that was opened. */
export type ToClose = (close: () => Promise<unknown>) => void

/**
 * Runs a check that answers with faults, says the first twenty, and lets the process end with 1 on any.
 *
 * @param work says with `toClose` how what it opens is closed: the last first, whatever happens
 * @param allIsWell what to say when there are none
 */
export async function check(work: (toClose: ToClose) => Promise<string[]>, allIsWell: string): Promise<void> {
  const opened: (() => Promise<unknown>)[] = []
  const faults = await withCleanUp(
    () => work((close) => opened.unshift(close)),
    async () => {
      for (const close of opened) await close()
    },
  )
  console.log(faults.length > 0 ? `\n${faults.length} FAULTS\n${faults.slice(0, 20).join('\n')}` : `\n${allIsWell}`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
