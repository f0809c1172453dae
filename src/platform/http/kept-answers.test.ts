import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify, { type LightMyRequestResponse } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { knownHosts } from './guards.ts'
import { KeptAnswers } from './kept-answers.ts'

/** A server whose application says `state.text`, and how often it was asked over the network. */
async function openServer() {
  const state = { text: 'first', headers: { vary: 'accept-encoding' } as Record<string, string>, status: 200, asked: 0 }
  const heard: unknown[] = []
  const answers = new KeptAnswers(knownHosts([]), ({ url }, { statusCode }) => heard.push([url, statusCode]))
  const app = fastify()
  app.get('/page', (_request, reply) => reply.code(state.status).headers(state.headers).send(state.text))
  await app.ready()
  const server = createServer(
    answers.before((request, response) => {
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
  return { state, heard, answers, get, ask: () => app.inject('/page') }
}

test('a page is asked of the application until its answer is known, and not again', async () => {
  const { state, heard, answers, get, ask } = await openServer()
  await get()
  expect([state.asked, heard]).toEqual([1, []]) // nothing is kept yet
  answers.keep('/page', ask)
  await expect.poll(async () => [await get(), heard.length > 0]).toEqual(['first', true])
  const { asked } = state
  expect(await get()).toBe('first')
  expect(state.asked).toBe(asked)
  expect(heard.at(-1)).toEqual(['/page', 200])
  answers.forgetAll()
  await get()
  expect(state.asked).toBe(asked + 1)
})

test('an answer to what was asked before the page changed is given to nobody', async () => {
  const { state, heard, answers, get, ask } = await openServer()
  const late = Promise.withResolvers<LightMyRequestResponse>()
  answers.keep('/page', () => late.promise)
  await get()
  const before = await ask()
  state.text = 'second'
  answers.keep('/page', ask)
  late.resolve(before)
  await expect.poll(async () => [await get(), heard.length > 0]).toEqual(['second', true])
})

test.each([
  ['depends on more than its encoding', { headers: { vary: 'accept-encoding, cookie' } }],
  ['does not say what it depends on', { headers: {} }],
  ['sets a cookie', { headers: { vary: 'accept-encoding', 'set-cookie': 'a=b' } }],
  ['is no success', { status: 404 }],
])('an answer that %s is not kept, and asked for once', async (_, wrong) => {
  const { state, heard, answers, get, ask } = await openServer()
  Object.assign(state, wrong)
  const learned: Promise<unknown>[] = []
  answers.keep('/page', () => {
    const answer = ask()
    learned.push(answer)
    return answer
  })
  await get()
  await Promise.all(learned)
  await get()
  await get()
  expect([state.asked, heard, learned.length]).toEqual([3, [], 1])
})
