import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'

/** Whether this process asks itself, as pages do of the API while they are drawn (`inject`): part of another request. */
export const isAskedInside = ({ raw }: { raw: IncomingMessage }) => !(raw.socket instanceof Socket)
