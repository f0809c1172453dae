import { within } from '#platform/within.ts'

/** It may run twice and must survive that. */
export type MinuteTask = (data: Record<string, never>, jobId: string) => Promise<void>

/**
 * Runs tasks one after the other. A task that fails or takes too long holds up no other; at the end the job fails with
 * the messages of all.
 *
 * @param options.limitMs how long each may take
 */
export async function runMinuteTasks(
  tasks: readonly (readonly [name: string, task: MinuteTask])[],
  jobId: string,
  { limitMs, onError }: { limitMs: number; onError: (error: Error) => void },
): Promise<void> {
  const failed: string[] = []
  for (const [name, task] of tasks) {
    try {
      await within(limitMs, task({}, jobId))
    } catch (error) {
      onError(new Error(`${name} failed and will run again in a minute`, { cause: error }))
      failed.push(`${name}: ${error instanceof Error ? error.message : error}`)
    }
  }
  if (failed.length > 0) throw new Error(failed.join('; '))
}
