import { parseArgs } from 'node:util'
import { openSite } from './lib/bench.ts'
import { addClasses, addMembers, FIRST_DAY } from './lib/fill.ts'
import { startOwnPostgres } from './lib/own-postgres.ts'
import { alternate, BRIEF, median } from './lib/rounds.ts'

const MEMBERS = 20

type Side = { freeTimes(): Promise<unknown>; book(): Promise<unknown> }

/**
 * `npm run lab -- beside <address> [--service 1] [--provider 2]`: compares reading a week's free times, and one
 * booking, with Easy!Appointments 1.5 on the same machine, in pairs. How to install it: docs/performance.md.
 */
async function main(): Promise<void> {
  const options = { service: { type: 'string', default: '1' }, provider: { type: 'string', default: '2' } } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [address] = positionals
  if (!address) throw new Error('Name the address of Easy!Appointments.')
  await using started = new AsyncDisposableStack()
  const peer = peerSide(address.replace(/\/$/, ''), values)
  const postgres = await startOwnPostgres()
  started.defer(postgres.stop)
  const site = started.use(
    await openSite(
      { postgres, against: undefined, print: console.log },
      {
        name: 'beside',
        async fillWith(client, secrets) {
          const members = await addMembers(client, MEMBERS, secrets)
          return { members, classIds: await addClasses(client, { days: 60, aDay: 14 }) }
        },
      },
    ),
  )
  const ours = ownSide(site.origin, site.filled)
  for (const what of ['freeTimes', 'book'] as const) {
    const times = { ours: [] as number[], peer: [] as number[] }
    const timed = (side: Side, into: number[]) => async () => {
      const startedAt = performance.now()
      await side[what]()
      into.push(performance.now() - startedAt)
      return into.at(-1) ?? 0
    }
    const { ratio } = await alternate(BRIEF, timed(peer, times.peer), timed(ours, times.ours))
    const [own, theirs] = [times.ours, times.peer].map((each) => `${median(each).toFixed(1)} ms`)
    console.log(`${what}: ours ${own}, Easy!Appointments ${theirs}; theirs / ours ${ratio.toFixed(1)}`)
  }
}

const week = (from: Temporal.PlainDate) => Array.from({ length: 7 }, (_, days) => from.add({ days }).toString())

function ownSide(origin: string, { members, classIds }: { members: { cookie: string }[]; classIds: number[] }): Side {
  const [from, , , , , , to] = week(FIRST_DAY)
  let booked = 0
  return {
    freeTimes: () => answer(`${origin}/api/classes?from=${from}&to=${to}`),
    book: () => {
      const { cookie = '' } = members[booked++ % members.length] ?? {}
      const headers = { cookie, 'content-type': 'application/json' }
      return answer(`${origin}/api/bookings`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ classId: classIds.shift() }),
      })
    },
  }
}

/** Its public booking page: free times day by day, then the form. Each booking takes the next free time. */
function peerSide(origin: string, { service, provider }: { service: string; provider: string }): Side {
  const hoursOf = async (date: string): Promise<string[]> =>
    await post('get_available_hours', { service_id: service, provider_id: provider, selected_date: date })
  const post = (action: string, form: Record<string, string>) =>
    answer(`${origin}/index.php/booking/${action}`, { method: 'POST', body: new URLSearchParams(form) })
  const free: string[] = []
  let day = FIRST_DAY
  return {
    freeTimes: async () => {
      for (const date of week(FIRST_DAY)) await hoursOf(date)
    },
    async book() {
      for (let days = 0; free.length === 0 && days < 60; days++) {
        const date = day.toString()
        free.push(...(await hoursOf(date)).map((hour) => `${date} ${hour}:00`))
        day = day.add({ days: 1 })
      }
      const start = free.shift()
      if (!start) throw new Error('Easy!Appointments has no free times in the next weeks')
      const customer = {
        first_name: 'Imogen',
        last_name: 'Hartley',
        email: `${Date.now()}@people.example`,
        phone_number: '01632960147',
      }
      const booking = await post('register', {
        'post_data[manage_mode]': 'false',
        'post_data[appointment][id_services]': service,
        'post_data[appointment][id_users_provider]': provider,
        'post_data[appointment][start_datetime]': start,
        ...Object.fromEntries(Object.entries(customer).map(([name, value]) => [`post_data[customer][${name}]`, value])),
      })
      if (!booking.appointment_id) throw new Error(`Easy!Appointments did not book: ${JSON.stringify(booking)}`)
    },
  }
}

async function answer(url: string, init?: RequestInit) {
  const response = await fetch(url, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${text.slice(0, 200)}`)
  return JSON.parse(text)
}

await main()
