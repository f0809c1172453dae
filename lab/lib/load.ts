import { commonRefusals } from '#foundation/refusal.ts'
import type { SignedIn } from './fill.ts'

const READ_SHARE = 0.5
const CANCEL_SHARE = 0.2
/** The longest a response may take: 12 s, and some more on a busy machine. */
const MAX_RESPONSE_MS = 20_000
const REFUSED_STATUSES = [400, 404, 409]

/** What the site acknowledged about a booking. */
type State = 'booked' | 'cancelling' | 'cancelled'

/** What the members have experienced. */
export class LoadResult {
  readonly counts: Record<string, number> = {}
  /** Missing and late responses, and those that a member cannot act on. */
  readonly faults: string[] = []
  readonly bookings = new Map<number, { userId: string; classId: number; state: State }>()
  /** Member and class of bookings whose outcome is unknown. */
  readonly unknown = new Set<string>()
}

/**
 * Members read, book and cancel at a fixed rate, however slowly the site responds. `stop` resolves when the last
 * request has been answered.
 *
 * @param options.origins each request goes to a random one
 */
export function startLoad(options: {
  origins: readonly string[]
  members: readonly SignedIn[]
  classIds: readonly number[]
  perSecond: number
}): { stop(): Promise<LoadResult> } {
  const { origins, members, classIds, perSecond } = options
  const result = new LoadResult()
  const held: { id: number; member: SignedIn }[] = []
  const underway = new Set<Promise<void>>()
  const startedAt = performance.now()
  let sent = 0

  async function act(): Promise<void> {
    const dice = Math.random()
    const member = any(members)
    if (dice < READ_SHARE) await ask(member, 'GET', any(['/api/classes', '/api/bookings/upcoming', '/']))
    else if (dice < READ_SHARE + CANCEL_SHARE && held.length > 0) await cancel()
    else await book(member, any(classIds))
  }

  async function book(member: SignedIn, classId: number): Promise<void> {
    const received = await ask(member, 'POST', '/api/bookings', { classId })
    if (received?.status === 201) {
      const { id } = received.body as { id: number }
      result.bookings.set(id, { userId: member.id, classId, state: 'booked' })
      held.push({ id, member })
    } else if (!received || isUnknown(received)) result.unknown.add(`${member.id} ${classId}`)
  }

  async function cancel(): Promise<void> {
    const [own] = held.splice(Math.floor(Math.random() * held.length), 1)
    const known = own && result.bookings.get(own.id)
    if (!known) return
    known.state = 'cancelling'
    const received = await ask(own.member, 'PUT', `/api/bookings/${own.id}/cancel`)
    if (received?.status === 200) known.state = 'cancelled'
    else if (received && !isUnknown(received)) known.state = 'booked'
  }

  async function ask({ cookie }: SignedIn, method: string, path: string, body?: object) {
    const since = performance.now()
    const what = `${method} ${path}`
    const headers = { cookie, ...(body && { 'content-type': 'application/json' }) }
    try {
      const response = await fetch(any(origins) + path, { method, headers, body: body ? JSON.stringify(body) : null })
      const text = await response.text()
      const { status } = response
      result.counts[status] = (result.counts[status] ?? 0) + 1
      const seconds = (performance.now() - since) / 1000
      if (seconds * 1000 > MAX_RESPONSE_MS) result.faults.push(`${what} took ${seconds.toFixed(1)} s`)
      const isLater = status === 503 && response.headers.has('retry-after')
      if (status >= 300 && !REFUSED_STATUSES.includes(status) && !isLater)
        result.faults.push(`${what}: ${status} ${text.slice(0, 200)}`)
      return { status, body: path.startsWith('/api') ? JSON.parse(text || '{}') : text }
    } catch (error) {
      result.faults.push(`${what}: ${error instanceof Error ? (error.cause ?? error) : error}`)
    }
  }

  const timer = setInterval(() => {
    // All that are due: a late timer must not reduce the load.
    for (const due = ((performance.now() - startedAt) * perSecond) / 1000; sent < due; sent++) {
      const one = act().finally(() => underway.delete(one))
      underway.add(one)
    }
  }, 10)

  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(underway)
      return result
    },
  }
}

const isUnknown = ({ status, body }: { status: number; body: { message?: string } }) =>
  status === 503 && body.message === commonRefusals.outcome_unknown.message

function any<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item
}
