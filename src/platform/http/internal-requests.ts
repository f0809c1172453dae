import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const HEADER = 'x-internal-request'
/** Random for each process, so that no client can send it. */
const TOKEN = randomUUID()

/** Headers for requests that this process sends to its own API while it renders pages (`app.inject`). */
export const internalHeaders = { [HEADER]: TOKEN }

/** Whether a request is part of another one: it is neither logged nor measured on its own. */
export const isInternal = ({ headers }: { headers: IncomingHttpHeaders }) => headers[HEADER] === TOKEN

type Find<Request, Found> = (request: Request) => Promise<Found>

const pages = new AsyncLocalStorage<Map<unknown, Promise<unknown>>>()

/** Renders a page for one visitor, whose internal requests share what {@link oncePerPage} finds. */
export const duringPage = <Rendered>(render: () => Rendered): Rendered => pages.run(new Map(), render)

/** Runs `find` once for all internal requests of a page, and for every other request. */
export function oncePerPage<Request extends { headers: IncomingHttpHeaders }, Found>(
  find: Find<Request, Found>,
): Find<Request, Found> {
  return (request) => {
    const found = isInternal(request) ? pages.getStore() : undefined
    if (!found) return find(request)
    const known = (found.get(find) as Promise<Found> | undefined) ?? find(request)
    found.set(find, known)
    return known
  }
}
