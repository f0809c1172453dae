import { commonRefusals } from '#foundation/refusal.ts'
import type { SignedIn } from './fill.ts'

/** Half look, the others book, and give back what they have booked. */
const READS = 0.5
const CANCELS = 0.2
/** Nobody is kept longer, however busy the machine: an answer takes 12 s at most, and what is on its way may add to it. */
export const ANSWERED_WITHIN_MS = 20_000
/** What somebody waits who is not answered at all. */
const PATIENCE_MS = 180_000
const REFUSED_IN_WORDS = [400, 404, 409]
const NO_ANSWER = 'no answer'

/** What somebody was told of a booking: it may or may not have happened where the answer says so, or was lost. */
type State = 'booked' | 'cancelling' | 'cancelled'

/** What visitors have heard since they came. */
export class Heard {
  readonly counts: Record<string, number> = {}
  /** What is no answer, or none that a member can act on. */
  readonly faults: string[] = []
  /** Answers of "not now", in words. */
  later = 0
  readonly bookings = new Map<number, { userId: string; classId: number; state: State }>()
  /** Member and class of every booking that may have happened although nobody was told so. */
  readonly unknown = new Set<string>()
  writes = 0
  slowestMs = 0
  /** When the last answer of "not now", or none, was heard. */
  lastTroubleAt = 0

  get requests(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0)
  }

  get unanswered(): number {
    return this.counts[NO_ANSWER] ?? 0
  }

  get summary(): string {
    const kinds = Object.entries(this.counts).map(([status, count]) => `${count} × ${status}`)
    return `${this.requests} requests (${this.writes} writes): ${kinds.join(', ')}; the slowest took ${(this.slowestMs / 1000).toFixed(1)} s`
  }
}

export type Load = {
  readonly heard: Heard
  /** Resolves when everybody who is waiting now has been answered; others go on coming. */
  waiting(): Promise<void>
  /** Nobody comes any more; resolves when the last has been answered. */
  stop(): Promise<Heard>
}

/**
 * Members look, book and cancel, so many a second whatever the site answers: who waits keeps nobody else from coming.
 *
 * @param options.origins each visitor goes to any of them
 */
export function startLoad(options: {
  origins: readonly string[]
  members: readonly SignedIn[]
  classIds: readonly number[]
  perSecond: number
}): Load {
  const { origins, members, classIds, perSecond } = options
  const heard = new Heard()
  const held: { id: number; member: SignedIn }[] = []
  const underway = new Set<Promise<void>>()
  const begun = performance.now()
  let sent = 0

  async function act(): Promise<void> {
    const dice = Math.random()
    const member = any(members)
    if (dice < READS) await ask(member, 'GET', any(['/api/classes', '/api/bookings/upcoming', '/']))
    else if (dice < READS + CANCELS && held.length > 0) await cancel()
    else await book(member, any(classIds))
  }

  async function book(member: SignedIn, classId: number): Promise<void> {
    const answer = await ask(member, 'POST', '/api/bookings', { classId })
    if (answer?.status === 201) {
      const { id } = answer.body as { id: number }
      heard.bookings.set(id, { userId: member.id, classId, state: 'booked' })
      held.push({ id, member })
    } else if (!answer || isUnknown(answer)) heard.unknown.add(`${member.id} ${classId}`)
  }

  async function cancel(): Promise<void> {
    const [own] = held.splice(Math.floor(Math.random() * held.length), 1)
    const known = own && heard.bookings.get(own.id)
    if (!known) return
    known.state = 'cancelling'
    const answer = await ask(own.member, 'PUT', `/api/bookings/${own.id}/cancel`)
    if (answer?.status === 200) known.state = 'cancelled'
    else if (answer && !isUnknown(answer)) known.state = 'booked'
  }

  async function ask({ cookie }: SignedIn, method: string, path: string, body?: object) {
    const since = performance.now()
    if (method !== 'GET') heard.writes++
    try {
      const response = await fetch(any(origins) + path, {
        method,
        headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      const text = await response.text()
      const answer = { status: response.status, body: path.startsWith('/api') ? JSON.parse(text || '{}') : text }
      count(String(response.status), since)
      judge(answer, `${method} ${path}`, response.headers.get('retry-after'))
      return answer
    } catch (error) {
      count(NO_ANSWER, since)
      heard.lastTroubleAt = performance.now()
      heard.faults.push(`${method} ${path}: ${error instanceof Error ? (error.cause ?? error) : error}`)
    }
  }

  function count(kind: string, since: number): void {
    heard.counts[kind] = (heard.counts[kind] ?? 0) + 1
    const ms = performance.now() - since
    heard.slowestMs = Math.max(heard.slowestMs, ms)
    if (ms > ANSWERED_WITHIN_MS) heard.faults.push(`an answer took ${(ms / 1000).toFixed(1)} s`)
  }

  function judge({ status, body }: { status: number; body: unknown }, what: string, retryAfter: string | null): void {
    if (status < 300 || REFUSED_IN_WORDS.includes(status)) return
    heard.lastTroubleAt = performance.now()
    if (status === 503 && retryAfter) heard.later++
    else heard.faults.push(`${what}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
  }

  const timer = setInterval(() => {
    // As many as are due: a timer that comes late must not make it a lighter day.
    for (const due = ((performance.now() - begun) * perSecond) / 1000; sent < due; sent++) {
      const one = act().finally(() => underway.delete(one))
      underway.add(one)
    }
  }, 10)

  return {
    heard,
    async waiting() {
      await Promise.all(underway)
    },
    async stop() {
      clearInterval(timer)
      await Promise.all(underway)
      return heard
    },
  }
}

const isUnknown = ({ status, body }: { status: number; body: { message?: string } }) =>
  status === 503 && body.message === commonRefusals.outcome_unknown.message

function any<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item
}
