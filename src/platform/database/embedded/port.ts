import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { PlainFault } from '../../plain-fault.ts'

/** Whether nobody listens on this port of 127.0.0.1. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

/** A free port below those that systems hand out to outgoing connections, so that it is still free next time. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = randomInt(20_000, 32_000)
    if (await isFree(port)) return port
  }
  throw new PlainFault('No port is free for the database on 127.0.0.1.')
}
