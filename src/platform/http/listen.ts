import type { FastifyInstance } from 'fastify'
import { errnoOf } from '../errno.ts'
import { PlainFault } from '../plain-fault.ts'

/** Connections that may wait to be accepted, where the machine allows as many: a process that stands still for a while refuses nobody. */
const BACKLOG = 4096

/**
 * Listens at the address that the settings name.
 *
 * @throws PlainFault when that address cannot be had
 */
export async function listen(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<void> {
  try {
    await app.listen({ host, port, backlog: BACKLOG })
  } catch (error) {
    const why = faults[errnoOf(error) ?? '']
    throw why ? new PlainFault(why(host, port), { cause: error }) : error
  }
}

const noAddress = (host: string) => `This machine has no address ${host} to listen on. Correct HOST.`
const faults: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} of ${host} is taken by another program. Stop that one, or set PORT to a free one.`,
  EACCES: (_host, port) => `This user may not listen on port ${port}. Set PORT to one from 1024, behind a proxy.`,
  EADDRNOTAVAIL: noAddress,
  ENOTFOUND: noAddress,
}
