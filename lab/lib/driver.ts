import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A process that does timed work on request, so that who measures does not stand in its own way. */
export type Driver<Work> = AsyncDisposable & {
  /** Does one piece of work and answers how many milliseconds it took. */
  run(work: Work): Promise<number>
}

type Said = { ready: true } | { ms: number } | { failed: string }

/**
 * Starts `lab/drivers/<name>.ts`.
 *
 * @param setup handed to {@link drive} in that process; must survive JSON
 */
export async function startDriver<Setup, Work>(name: string, setup: Setup): Promise<Driver<Work>> {
  const child = fork(join(import.meta.dirname, '../drivers', `${name}.ts`), { stdio: 'inherit' })
  const gone = once(child, 'exit').then((): [Said] => [{ failed: `the driver ${name} ended` }])
  const heard = async (): Promise<number> => {
    const told = new AbortController()
    const message = once(child, 'message', { signal: told.signal }) as Promise<[Said]>
    const [said] = await Promise.race([message, gone])
    told.abort()
    message.catch(() => {})
    if ('failed' in said) throw new Error(said.failed)
    return 'ms' in said ? said.ms : 0
  }
  const stop = async () => {
    if (child.connected) child.disconnect()
    await gone
  }
  const ask = (asked: Setup | Work) => {
    child.send(asked as object)
    return heard()
  }
  try {
    await ask(setup)
  } catch (error) {
    await stop()
    throw error
  }
  return { run: ask, [Symbol.asyncDispose]: stop }
}

/** The driver's side: prepares once, then does what it is asked for, until its parent lets go. */
export async function drive<Setup, Work>(prepare: (setup: Setup) => Promise<(work: Work) => Promise<number>>) {
  const tell = (said: Said) => process.send?.(said)
  const [setup] = (await once(process, 'message')) as [Setup]
  const work = await prepare(setup)
  process.on('message', (asked: Work) => {
    work(asked).then(
      (ms) => tell({ ms }),
      (error: unknown) => tell({ failed: String(error) }),
    )
  })
  process.once('disconnect', () => process.exit(0))
  tell({ ready: true })
}
