import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A separate process that does timed work, so that the measurement does not slow itself down. */
export type Driver<Work, Result = number> = AsyncDisposable & {
  /** Runs the work and returns what it measured, usually the milliseconds it took. */
  run(work: Work): Promise<Result>
}

type Reply = { result: unknown } | { failed: string }

/**
 * Starts `lab/drivers/<name>.ts`.
 *
 * @param setup passed to {@link drive} in that process as JSON
 */
export async function startDriver<Setup, Work, Result = number>(
  name: string,
  setup: Setup,
): Promise<Driver<Work, Result>> {
  const child = fork(join(import.meta.dirname, '../drivers', `${name}.ts`), { stdio: 'inherit' })
  const exited = once(child, 'exit').then((): [Reply] => [{ failed: `the driver ${name} ended` }])
  const nextResponse = async () => {
    const waiting = new AbortController()
    const message = once(child, 'message', { signal: waiting.signal }) as Promise<[Reply]>
    const [response] = await Promise.race([message, exited])
    waiting.abort()
    message.catch(() => {})
    if ('failed' in response) throw new Error(response.failed)
    // Each driver's file exports the type of its result.
    return response.result as Result
  }
  const stop = async () => {
    if (child.connected) child.disconnect()
    await exited
  }
  const send = (work: Setup | Work) => {
    child.send(work as object)
    return nextResponse()
  }
  try {
    await send(setup)
  } catch (error) {
    await stop()
    throw error
  }
  return { run: send, [Symbol.asyncDispose]: stop }
}

/** The driver's side: prepares once, then works until its parent disconnects. */
export async function drive<Setup, Work, Result = number>(
  prepare: (setup: Setup) => Promise<(work: Work) => Promise<Result>>,
) {
  const send = (response: Reply) => process.send?.(response)
  const [setup] = (await once(process, 'message')) as [Setup]
  const work = await prepare(setup)
  process.on('message', (message: Work) => {
    work(message).then(
      (result) => send({ result }),
      (error: unknown) => send({ failed: String(error) }),
    )
  })
  process.once('disconnect', () => process.exit(0))
  send({ result: undefined })
}
