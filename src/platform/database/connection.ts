import pg from 'pg'

/** A statement is prepared when it comes again; those that come once (odd searches, start-up) are not worth a plan. */
const PREPARED_FROM = 3
/** Each connection keeps a plan for each of them, some kilobytes. */
const MOST_PREPARED = 200
/** Texts that are counted but not prepared yet; texts built out of lists of any length must not fill the memory. */
const MOST_COUNTED = 1000

const counts = new Map<string, number>()
const names = new Map<string, string>()

/** The name under which connections prepare a text, or undefined while it is not worth it. */
function nameOf(text: string): string | undefined {
  const name = names.get(text)
  if (name || names.size >= MOST_PREPARED) return name
  const count = (counts.get(text) ?? 0) + 1
  if (count < PREPARED_FROM) {
    if (counts.size >= MOST_COUNTED) counts.clear()
    counts.set(text, count)
    return undefined
  }
  counts.delete(text)
  names.set(text, `studio_${names.size}`)
  return names.get(text)
}

/**
 * A connection that keeps PostgreSQL and the network from doing the same work again. Measured by `npm run bench`,
 * most of a booking went into parsing its nine statements anew and into as many waits for an answer.
 *
 * - A statement with parameters that comes often is parsed and planned once a connection.
 * - Statements that are asked for together (`Promise.all`) travel together; they still run in the order of the asking.
 * - `begin` is not waited for and travels with the first statement, which fails when it does.
 */
export class Connection extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, pipeline: true } as pg.ClientConfig)
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares a dozen overloads; the arguments pass through untouched
  override query(...[asked, values, ...rest]: any[]): any {
    this.#holdUntilAllIsAsked()
    const text = typeof asked === 'string' ? asked : asked?.text
    const send = super.query.bind(this) as (...args: unknown[]) => unknown
    if (text === 'begin' && typeof values !== 'function') {
      ;(send(text) as Promise<unknown>).catch(() => {})
      return Promise.resolve({ command: 'BEGIN', rowCount: null, rows: [], fields: [] })
    }
    const canBePrepared =
      typeof text === 'string' && !asked.name && !asked.submit && (asked.values ?? values)?.length > 0
    const name = canBePrepared ? nameOf(text) : undefined
    if (!name) return send(asked, values, ...rest)
    return send(typeof asked === 'string' ? { name, text } : { ...asked, name }, values, ...rest)
  }

  /** What is asked for before the program waits again leaves in one packet. */
  #holdUntilAllIsAsked(): void {
    const { stream } = (this as unknown as { connection: { stream: { cork(): void; uncork(): void } } }).connection
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
}
