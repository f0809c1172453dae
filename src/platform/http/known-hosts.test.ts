import { request } from 'node:http'
import { expect, test } from 'vitest'
import { openPages } from '#app/pages/pages-under-test.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { LIVE } from '#testing/live-settings.ts'
import { openEmptyStudio, type StudioUnderTest, shareStudio } from '#testing/studio-under-test.ts'
import { knownHosts } from './guards.ts'

const knows = knownHosts(['studio.example', 'old.example'])

test.each([
  ['studio.example', true],
  ['STUDIO.example:8443', true],
  ['old.example', true],
  ['localhost', true],
  ['localhost:3000', true],
  ['app.localhost', true],
  ['127.0.0.1:3000', true],
  ['192.168.1.20', true],
  ['[::1]:3000', true],
  ['evil.example', false],
  ['www.studio.example', false],
  ['studio.example.evil.example', false],
  ['evil-studio.example', false],
  ['studio.example.', false],
  ['localhost.evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['evil.example/studio.example', false],
  ['studio.example@evil.example', false],
  ['studio.example/..', false],
  ['evil.example#studio.example', false],
  ['', false],
  ['a b', false],
  [undefined, false],
])('host %j is known: %s', (host, isKnown) => {
  expect(knows(host)).toBe(isKnown)
  expect(knows(host)).toBe(isKnown)
})

test('accepts every host when any name is allowed', () => {
  expect(knownHosts('any')('evil.example')).toBe(true)
})

/** `fetch` sets the host itself, so the request is written by hand. */
function statusOf(studio: StudioUnderTest, path: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(studio.server.origin + path, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .once('error', reject)
      .end()
  })
}

const story = shareStudio()

test('refuses a foreign host name that points here', async () => {
  const { studio } = story
  const evil = { host: 'evil.example' }
  for (const path of ['/api/packages', '/api/auth/user', '/', '/nowhere', '/dev/mailbox.json', '/api/logout'])
    expect([path, await statusOf(studio, path, evil)]).toEqual([path, commonRefusals.unknown_host.status])
  expect(studio.logged.some((line) => line.includes('ALLOWED_HOSTS') && line.includes('evil.example'))).toBe(true)
  for (const host of ['localhost', '127.0.0.1', 'localhost:3000'])
    expect(await statusOf(studio, '/api/packages', { host })).toBe(200)
})

test('serves health checks under any name', async () => {
  for (const path of ['/healthz', '/readyz']) expect(await statusOf(story.studio, path, { host: 'one:3000' })).toBe(200)
})

test('serves a demo that listens elsewhere under any name', async () => {
  const studio = await openEmptyStudio({ env: { HOST: '127.0.0.1' } })
  expect(await statusOf(studio, '/api/packages', { host: 'my-machine.local' })).toBe(200)
})

test('serves a live site under its own name and the allowed ones', async () => {
  const own = {
    ...LIVE,
    ALLOWED_HOSTS: 'www.studio.example, old.example',
    TRUST_PROXY: 'off',
    METRICS_TOKEN: 'a-token-of-the-tests',
  }
  const studio = await openEmptyStudio({ env: own })
  for (const [host, status] of [
    ['studio.example', 200],
    ['www.studio.example', 200],
    ['old.example:443', 200],
    ['evil.example', 421],
    // Only a trusted proxy may name another host.
  ] as const)
    expect([host, await statusOf(studio, '/api/packages', { host })]).toEqual([host, status])
  const forwarded = { host: 'evil.example', 'x-forwarded-host': 'studio.example' }
  expect(await statusOf(studio, '/api/packages', forwarded)).toBe(421)
  const authorization = 'Bearer a-token-of-the-tests'
  expect(await statusOf(studio, '/metrics', { host: 'one:3000', authorization })).toBe(200)
})

test('checks the forwarded host behind a trusted proxy', async () => {
  const studio = await openEmptyStudio({ env: { ...LIVE, TRUST_PROXY: 'loopback' } })
  const forwardedStatus = (forwarded: string) =>
    statusOf(studio, '/api/packages', { host: 'upstream', 'x-forwarded-host': forwarded })
  expect(await forwardedStatus('studio.example')).toBe(200)
  expect(await forwardedStatus('evil.example')).toBe(421)
})

test('serves prerendered pages under known names only', async () => {
  const kept: (string | undefined)[] = []
  const { app } = await openPages({
    render: () => '<p>kept</p>',
    knows: (host) => host === 'studio.example',
    onKept: (path) => kept.push(path),
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const get = (host: string) =>
    new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, path: '/pricing', headers: { host } }, (response) => {
        response.resume().once('end', resolve)
      })
        .once('error', reject)
        .end()
    })
  await expect
    .poll(async () => {
      await get('studio.example')
      return kept.length > 0
    })
    .toBe(true)
  const before = kept.length
  await get('evil.example')
  expect(kept.length).toBe(before)
  await app.close()
})
