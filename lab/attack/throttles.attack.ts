import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { LIVE } from '#testing/live-settings.ts'
import { Person } from '#testing/person.ts'
import { openEmptyStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'

/** A live site behind a proxy, and a member whose password is guessed. */
async function openLive() {
  const studio = await openEmptyStudio({ env: { ...LIVE, TRUST_PROXY: 'loopback' } })
  return { studio, ana: await studio.member('Ana') }
}

const guess = (studio: StudioUnderTest, username: string, from: string, headers: Record<string, string> = {}) =>
  studio
    .visitor()
    .request('POST', '/api/login', { username, password: 'not-the-one' }, { 'x-forwarded-for': from, ...headers })

/** How many guesses were checked; the others had to wait. */
async function countChecked(guesses: Iterable<() => Promise<{ status: number }>>): Promise<number> {
  let checked = 0
  for (const one of guesses) {
    const { status } = await one()
    expect([401, 429]).toContain(status)
    if (status === 401) checked++
  }
  return checked
}

const times = <Item>(many: number, make: (i: number) => Item) => Array.from({ length: many }, (_, i) => make(i))

test('checks thirty guesses for one account from two hundred addresses', async () => {
  const { studio, ana } = await openLive()
  expect(await countChecked(times(200, (i) => () => guess(studio, ana.email, `198.51.100.${i + 1}`)))).toBe(30)
  // The member waits a minute at most.
  const kept = await studio.visitor().request('POST', '/api/login', { username: ana.email, password: ana.password })
  expect(kept.status).toBe(429)
  expect(Number(kept.headers.get('retry-after'))).toBeLessThanOrEqual(60)
})

test('checks sixty guesses from one address or network for many accounts', async () => {
  const { studio } = await openLive()
  expect(await countChecked(times(100, (i) => () => guess(studio, `nobody-${i}`, '203.0.113.9')))).toBe(60)
  expect(
    await countChecked(times(100, (i) => () => guess(studio, `nobody-${i}`, `2001:db8:7:7:${i.toString(16)}::1`))),
  ).toBe(60)
  // Neighbours are not affected.
  expect(
    await countChecked([
      () => guess(studio, 'nobody-7', '203.0.113.10'),
      () => guess(studio, 'nobody-8', '2001:db8:7:8::1'),
    ]),
  ).toBe(2)
})

test('counts other spellings of an account and an address together', async () => {
  const { studio, ana } = await openLive()
  const spellings = [
    ana.email,
    ana.email.toUpperCase(),
    ` ${ana.email}`,
    `${ana.email} `,
    `\t${ana.email}`,
    'Ana@People.Example',
  ]
  expect(
    await countChecked(
      times(30, (i) => () => guess(studio, spellings[i % spellings.length] as string, '203.0.113.11')),
    ),
  ).toBe(5)
  const boris = await studio.member('Boris')
  const written = ['203.0.113.12', '::ffff:203.0.113.12', '::FFFF:203.0.113.12', '::ffff:cb00:710c']
  expect(
    await countChecked(times(40, (i) => () => guess(studio, boris.email, written[i % written.length] as string))),
  ).toBe(5)
})

test('limits concurrent guesses, and other visitors are still served', async () => {
  const { studio } = await openLive()
  // Real password hashing, which puts guesses in a queue. The member signs up there, for a hash of the real cost.
  const { server } = await studio.startSecondProcess()
  const ana = new Person(server.origin, 'Ana')
  const { email, password } = ana
  await ana.request('POST', '/api/register', { email, password, firstName: 'Ana', lastName: 'Cast' })
  const from = ['x-real-ip', 'x-client-ip', 'cf-connecting-ip', 'true-client-ip', 'x-cluster-client-ip']
  const visitor = () => new Person(server.origin, 'Mallory')
  const body = { username: ana.email, password: 'not-the-one' }
  const sent = times(60, (i) =>
    visitor().request('POST', '/api/login', body, {
      'x-forwarded-for': '203.0.113.13',
      [from[i % from.length] as string]: `192.0.2.${i}`,
      forwarded: `for=192.0.2.${i}`,
    }),
  )
  const others = times(20, () => visitor().request('GET', '/api/packages'))
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  // Guesses already being hashed when the fifth is counted are checked too.
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(5 + 2 * availableParallelism())
  // The queue for hashing is bounded: 503 when it is full.
  expect(statuses.filter((status) => ![401, 429, 503].includes(status))).toEqual([])
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual(times(20, () => 200))
})

test('trusts only the last address of x-forwarded-for', async () => {
  const { studio } = await openLive()
  const boris = await studio.member('Boris')
  expect(await countChecked(times(30, (i) => () => guess(studio, boris.email, `192.0.2.${i}, 203.0.113.14`)))).toBe(5)
})

test('sends at most five links an hour to one address', async () => {
  const { studio, ana } = await openLive()
  for (let i = 0; i < 30; i++) {
    const reply = await studio
      .visitor()
      .request('POST', '/api/password-reset', { email: ana.email }, { 'x-forwarded-for': `198.51.100.${i}` })
    expect(reply.status).toBe(200)
  }
  await studio.runQueue('mail-link')
  const links = "select count(*) from pgboss.job where data ->> 'mail' = 'set-password'"
  expect(await studio.count(links)).toBeLessThanOrEqual(5)
})
