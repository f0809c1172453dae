import { once } from 'node:events'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { errnoOf, OperatorError } from '../operator-error.ts'

/** Connections that may wait to be accepted, so that a process that stalls for a moment refuses none. */
const BACKLOG = 4096

/**
 * Listens at the address of the settings, and logs nothing.
 *
 * @param app with its own logger
 * @throws OperatorError when the address is not available
 */
export async function listen(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<void> {
  // Fastify would log a line for each address of the machine, each time that a starting site listens.
  const { level } = app.log
  app.log.level = 'silent'
  try {
    await app.listen({ host, port, backlog: BACKLOG })
  } catch (error) {
    throw addressFault(error, { host, port })
  } finally {
    app.log.level = level
  }
}

/**
 * Checks that the address is available by listening for a moment.
 *
 * @throws OperatorError when it is not
 */
export async function checkAddress({ host, port }: { host: string; port: number }): Promise<void> {
  const probe = createServer().listen({ host, port })
  try {
    await once(probe, 'listening')
  } catch (error) {
    throw addressFault(error, { host, port })
  }
  probe.close()
  await once(probe, 'close')
}

function addressFault(error: unknown, { host, port }: { host: string; port: number }): unknown {
  const why = faults[errnoOf(error) ?? '']
  return why ? new OperatorError(why(host, port), { cause: error }) : error
}

const noAddress = (host: string) => `This machine has no address ${host} to listen on. Correct HOST.`
const faults: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} of ${host} is in use by another program. Stop that program, or set PORT to a free port.`,
  EACCES: (_host, port) => `This user may not listen on port ${port}. Set PORT to one from 1024, behind a proxy.`,
  EADDRNOTAVAIL: noAddress,
  ENOTFOUND: noAddress,
}
