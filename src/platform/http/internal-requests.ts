import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const HEADER = 'x-internal-request'
/** Random for each process, so that no client can send it. */
const TOKEN = randomUUID()

/** Headers for requests that this process sends to itself (`app.inject`). */
export const internalHeaders = { [HEADER]: TOKEN }

/** Whether a request is part of another one: it is neither logged nor measured on its own. */
export const isInternal = ({ headers }: { headers: IncomingHttpHeaders }) => headers[HEADER] === TOKEN
