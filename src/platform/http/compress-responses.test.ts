import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { compressResponses, WrittenFile } from './written-file.ts'

const list = Array.from({ length: 1000 }, (_, id) => ({ id, title: 'Reformer Pilates Duo' }))

async function open() {
  const app = fastify()
  onTestFinished(() => app.close())
  await compressResponses(app)
  app.get('/api/classes', async () => list)
  app.get('/api/classes/1', async () => list[1])
  app.post('/api/classes', async ({ body }) => body)
  const page = new WrittenFile('a page '.repeat(300), 'text/html; charset=utf-8')
  app.get('/', (request, response) => page.send(request, response))
  await app.ready()
  return app
}

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('compresses a long response as %s', async (encoding, unpack) => {
  const response = await (await open()).inject({ url: '/api/classes', headers: { 'accept-encoding': encoding } })
  expect(response.headers['content-encoding']).toBe(encoding)
  expect(response.headers.vary).toMatch(/accept-encoding/i)
  expect(response.rawPayload.length).toBeLessThan(JSON.stringify(list).length / 4)
  // It was compressed at once, not streamed.
  expect(response.headers['content-length']).toBe(`${response.rawPayload.length}`)
  expect(JSON.parse(unpack(response.rawPayload).toString())).toEqual(list)
})

test('sends short responses, and those for clients without compression, as they are', async () => {
  const app = await open()
  const short = await app.inject({ url: '/api/classes/1', headers: { 'accept-encoding': 'br' } })
  expect([short.headers['content-encoding'], short.json()]).toEqual([undefined, list[1]])
  const plain = await app.inject('/api/classes')
  expect([plain.headers['content-encoding'], plain.json()]).toEqual([undefined, list])
})

test('does not compress twice', async () => {
  const response = await (await open()).inject({ url: '/', headers: { 'accept-encoding': 'br' } })
  expect(brotliDecompressSync(response.rawPayload).toString()).toBe('a page '.repeat(300))
})

test('refuses compressed requests, which could unpack to gigabytes', async () => {
  const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' }
  const response = await (await open()).inject({ method: 'POST', url: '/api/classes', headers, payload: '{"id":1}' })
  expect(response.json()).toEqual({ id: 1 })
})
