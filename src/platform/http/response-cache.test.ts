import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify, { type LightMyRequestResponse } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { knownHosts } from './guards.ts'
import { ResponseCache } from './response-cache.ts'

/** A server whose application answers with `state.text` and counts the requests that reach it. */
async function openServer() {
  const state = { text: 'first', headers: { vary: 'accept-encoding' } as Record<string, string>, status: 200, asked: 0 }
  const answered: unknown[] = []
  const responseCache = new ResponseCache(knownHosts([]), ({ url }, { statusCode }) => answered.push([url, statusCode]))
  const app = fastify()
  app.get('/page', (_request, reply) => reply.code(state.status).headers(state.headers).send(state.text))
  await app.ready()
  const server = createServer(
    responseCache.before((request, response) => {
      state.asked += 1
      app.routing(request, response)
    }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const get = async () => await (await fetch(`http://127.0.0.1:${port}/page`)).text()
  return { state, answered, responseCache, get, ask: () => app.inject('/page') }
}

test('serves a page without the application once its response is cached', async () => {
  const { state, answered, responseCache, get, ask } = await openServer()
  await get()
  expect([state.asked, answered]).toEqual([1, []]) // nothing is cached yet
  responseCache.keep('/page', ask)
  await expect.poll(async () => [await get(), answered.length > 0]).toEqual(['first', true])
  const { asked } = state
  expect(await get()).toBe('first')
  expect(state.asked).toBe(asked)
  expect(answered.at(-1)).toEqual(['/page', 200])
  responseCache.forgetAll()
  await get()
  expect(state.asked).toBe(asked + 1)
})

test('discards a response that was requested before the page changed', async () => {
  const { state, answered, responseCache, get, ask } = await openServer()
  const late = Promise.withResolvers<LightMyRequestResponse>()
  responseCache.keep('/page', () => late.promise)
  await get()
  const before = await ask()
  state.text = 'second'
  responseCache.keep('/page', ask)
  late.resolve(before)
  await expect.poll(async () => [await get(), answered.length > 0]).toEqual(['second', true])
})

test.each([
  ['varies by more than its encoding', { headers: { vary: 'accept-encoding, cookie' } }],
  ['has no Vary header', { headers: {} }],
  ['sets a cookie', { headers: { vary: 'accept-encoding', 'set-cookie': 'a=b' } }],
  ['failed', { status: 404 }],
])('does not cache a response that %s, and requests it once', async (_, wrong) => {
  const { state, answered, responseCache, get, ask } = await openServer()
  Object.assign(state, wrong)
  const loading: Promise<unknown>[] = []
  responseCache.keep('/page', () => {
    const response = ask()
    loading.push(response)
    return response
  })
  await get()
  await Promise.all(loading)
  await get()
  await get()
  expect([state.asked, answered, loading.length]).toEqual([3, [], 1])
})

test.each([
  ['could not be requested', () => Promise.reject(new Error('no connection'))],
  ['failed on the server', async () => ({ statusCode: 503, headers: {} }) as LightMyRequestResponse],
])('requests a response that %s again', async (_, fail) => {
  const { answered, responseCache, get, ask } = await openServer()
  let isFailing = true
  responseCache.keep('/page', () => (isFailing ? fail() : ask()))
  await get()
  isFailing = false
  await expect.poll(async () => [await get(), answered.length > 0]).toEqual(['first', true])
})
