import type { SignedIn } from '../lib/fill.ts'

/** 503 is for a busy machine: nothing was changed. A deadlock is found in the database. */
const EXPECTED_STATUSES = [200, 201, 400, 404, 409, 503]

export type Tally = { calls: number; granted: number; busy: number; faults: string[] }

/**
 * Members book, cancel, move and wait, each request at a random site, so that one release changes what another has
 * written.
 *
 * @param origins sites on one database
 * @param calls requests per member
 */
export async function crosswise(
  origins: readonly string[],
  members: readonly SignedIn[],
  classIds: readonly number[],
  calls: number,
): Promise<Tally> {
  const tally: Tally = { calls: 0, granted: 0, busy: 0, faults: [] }
  const call = async ({ cookie }: SignedIn, method: string, path: string, body?: unknown) => {
    const response = await fetch(any(origins) + path, {
      method,
      headers: { cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    tally.calls++
    if (!EXPECTED_STATUSES.includes(response.status)) tally.faults.push(`${method} ${path}: ${response.status} ${text}`)
    if (response.status < 300) tally.granted++
    if (response.status === 503) tally.busy++
    return response.status < 300 ? JSON.parse(text) : undefined
  }

  const oneMember = async (member: SignedIn) => {
    const own: { id: number }[] = await call(member, 'GET', '/api/bookings/upcoming')
    let held = own.map(({ id }) => id)
    for (let done = 0; done < calls; done++) {
      const classId = any(classIds)
      const dice = Math.random()
      const chosen = any(held)
      if (chosen === undefined || dice < 0.5) {
        const booking: { id: number } | undefined = await call(member, 'POST', '/api/bookings', { classId })
        if (booking) held.push(booking.id)
        else await call(member, 'POST', `/api/classes/${classId}/waitlist`)
      } else if (dice < 0.75) {
        await call(member, 'PUT', `/api/bookings/${chosen}/cancel`)
        held = held.filter((id) => id !== chosen)
      } else {
        const moved: { id: number } | undefined = await call(member, 'POST', `/api/bookings/${chosen}/reschedule`, {
          classId,
        })
        if (moved) held = [...held.filter((id) => id !== chosen), moved.id]
      }
    }
  }
  await Promise.all(members.map(oneMember))
  return tally
}

function any<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item
}
