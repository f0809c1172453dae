import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { LIVE } from '#testing/live.ts'
import { Person } from '#testing/person.ts'
import { openEmptyStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'

/** A live site behind a proxy, with somebody whose password is guessed. */
async function openLive() {
  const studio = await openEmptyStudio({ env: { ...LIVE, TRUST_PROXY: 'loopback' } })
  return { studio, ana: await studio.member('Ana') }
}

const guess = (studio: StudioUnderTest, username: string, from: string, headers: Record<string, string> = {}) =>
  studio
    .visitor()
    .request('POST', '/api/login', { username, password: 'not-the-one' }, { 'x-forwarded-for': from, ...headers })

/** How many guesses were looked at: the others were told to wait. */
async function lookedAt(guesses: Iterable<() => Promise<{ status: number }>>): Promise<number> {
  let looked = 0
  for (const one of guesses) {
    const { status } = await one()
    expect([401, 429]).toContain(status)
    if (status === 401) looked++
  }
  return looked
}

const ways = <Way>(many: number, way: (i: number) => Way) => Array.from({ length: many }, (_, i) => way(i))

test('one account from two hundred addresses: thirty guesses are looked at', async () => {
  const { studio, ana } = await openLive()
  expect(await lookedAt(ways(200, (i) => () => guess(studio, ana.email, `198.51.100.${i + 1}`)))).toBe(30)
  // Whose account it is is not kept out for long: it waits a minute at most.
  const kept = await studio.visitor().request('POST', '/api/login', { username: ana.email, password: ana.password })
  expect(kept.status).toBe(429)
  expect(Number(kept.headers.get('retry-after'))).toBeLessThanOrEqual(60)
})

test('two hundred accounts from one address, and from all addresses of one home: sixty', async () => {
  const { studio } = await openLive()
  expect(await lookedAt(ways(100, (i) => () => guess(studio, `nobody-${i}`, '203.0.113.9')))).toBe(60)
  expect(
    await lookedAt(ways(100, (i) => () => guess(studio, `nobody-${i}`, `2001:db8:7:7:${i.toString(16)}::1`))),
  ).toBe(60)
  // The neighbours are not kept out with them.
  expect(
    await lookedAt([
      () => guess(studio, 'nobody-7', '203.0.113.10'),
      () => guess(studio, 'nobody-8', '2001:db8:7:8::1'),
    ]),
  ).toBe(2)
})

test('the same account under other spellings, and the same address in other words', async () => {
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
    await lookedAt(ways(30, (i) => () => guess(studio, spellings[i % spellings.length] as string, '203.0.113.11'))),
  ).toBe(5)
  const boris = await studio.member('Boris')
  const written = ['203.0.113.12', '::ffff:203.0.113.12', '::FFFF:203.0.113.12', '::ffff:cb00:710c']
  expect(await lookedAt(ways(40, (i) => () => guess(studio, boris.email, written[i % written.length] as string)))).toBe(
    5,
  )
})

test('guesses sent at once are no way around, nor do they keep others from an answer', async () => {
  const { studio, ana } = await openLive()
  // Passwords are hashed in earnest here: that is what puts guesses one behind the other.
  const { server } = await studio.opensAgain()
  const from = ['x-real-ip', 'x-client-ip', 'cf-connecting-ip', 'true-client-ip', 'x-cluster-client-ip']
  const visitor = () => new Person(server.origin, 'Mallory')
  const body = { username: ana.email, password: 'not-the-one' }
  const sent = ways(60, (i) =>
    visitor().request('POST', '/api/login', body, {
      'x-forwarded-for': '203.0.113.13',
      [from[i % from.length] as string]: `192.0.2.${i}`,
      forwarded: `for=192.0.2.${i}`,
    }),
  )
  const meanwhile = ways(20, () => visitor().request('GET', '/api/packages'))
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  // Those that are being hashed when the fifth is counted are looked at as well.
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(5 + 2 * availableParallelism())
  // The line for passwords is of bounded length: who finds it full comes again shortly.
  expect(statuses.filter((status) => ![401, 429, 503].includes(status))).toEqual([])
  expect((await Promise.all(meanwhile)).map(({ status }) => status)).toEqual(ways(20, () => 200))
})

test('a client that writes itself into the proxy’s header is the one before the proxy’s own word', async () => {
  const { studio } = await openLive()
  const boris = await studio.member('Boris')
  expect(await lookedAt(ways(30, (i) => () => guess(studio, boris.email, `192.0.2.${i}, 203.0.113.14`)))).toBe(5)
})

test('mails are no weapon: an inbox gets five links an hour, whoever asks', async () => {
  const { studio, ana } = await openLive()
  for (let i = 0; i < 30; i++) {
    const asked = await studio
      .visitor()
      .request('POST', '/api/password-reset', { email: ana.email }, { 'x-forwarded-for': `198.51.100.${i}` })
    expect(asked.status).toBe(200)
  }
  await studio.works('mail-link')
  const links = "select count(*) from pgboss.job where data ->> 'mail' = 'set-password'"
  expect(await studio.count(links)).toBeLessThanOrEqual(5)
})
