import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A separate process that does timed work, so that the measurement does not slow itself down. */
export type Driver<Work> = AsyncDisposable & {
  /** Runs the work and returns the milliseconds it took. */
  run(work: Work): Promise<number>
}

type Reply = { ready: true } | { ms: number } | { failed: string }

/**
 * Starts `lab/drivers/<name>.ts`.
 *
 * @param setup passed to {@link drive} in that process as JSON
 */
export async function startDriver<Setup, Work>(name: string, setup: Setup): Promise<Driver<Work>> {
  const child = fork(join(import.meta.dirname, '../drivers', `${name}.ts`), { stdio: 'inherit' })
  const exited = once(child, 'exit').then((): [Reply] => [{ failed: `the driver ${name} ended` }])
  const nextReply = async (): Promise<number> => {
    const waiting = new AbortController()
    const message = once(child, 'message', { signal: waiting.signal }) as Promise<[Reply]>
    const [reply] = await Promise.race([message, exited])
    waiting.abort()
    message.catch(() => {})
    if ('failed' in reply) throw new Error(reply.failed)
    return 'ms' in reply ? reply.ms : 0
  }
  const stop = async () => {
    if (child.connected) child.disconnect()
    await exited
  }
  const send = (work: Setup | Work) => {
    child.send(work as object)
    return nextReply()
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
export async function drive<Setup, Work>(prepare: (setup: Setup) => Promise<(work: Work) => Promise<number>>) {
  const send = (reply: Reply) => process.send?.(reply)
  const [setup] = (await once(process, 'message')) as [Setup]
  const work = await prepare(setup)
  process.on('message', (message: Work) => {
    work(message).then(
      (ms) => send({ ms }),
      (error: unknown) => send({ failed: String(error) }),
    )
  })
  process.once('disconnect', () => process.exit(0))
  send({ ready: true })
}
