import { withCleanUp } from './clean-up.ts'

/** Registers a function that closes something. */
export type OnFinished = (close: () => Promise<unknown>) => void

/**
 * Runs a check, prints up to twenty faults, and sets exit code 1 if there are any.
 *
 * @param work registers with `onFinished` what must be closed, last first, whatever happens
 * @param successMessage printed if there are no faults
 */
export async function check(
  work: (onFinished: OnFinished) => Promise<string[]>,
  successMessage: string,
): Promise<void> {
  const opened: (() => Promise<unknown>)[] = []
  const faults = await withCleanUp(
    () => work((close) => opened.unshift(close)),
    async () => {
      for (const close of opened) await close()
    },
  )
  console.log(
    faults.length > 0 ? `\n${faults.length} FAULTS\n${faults.slice(0, 20).join('\n')}` : `\n${successMessage}`,
  )
  process.exitCode = faults.length > 0 ? 1 : 0
}
