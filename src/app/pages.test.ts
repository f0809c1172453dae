import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendSecurityHeaders } from '../platform/http/security-headers.ts'
import { DRAWN_IN_THE_BROWSER, NAMES_THE_SITE, STAND_IN } from '../site-map.ts'
import { servePages } from './pages.ts'

const ORIGIN = 'https://www.studio.example'
const sha = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`
const SCRIPT = (origin: string) => `window.origin = "${origin}"`
const page = (title: string, origin = STAND_IN) => `<!DOCTYPE html><html data-origin="${origin}"><head>
<title>${title}</title><link rel="canonical" href="${origin}/about"/>
<script type="application/ld+json">{"@id":"${origin}/#studio"}</script></head>
<body><script>${SCRIPT(origin)}</script></body></html>`

const folder = mkdtempSync(join(tmpdir(), 'studio-pages-'))
let app: FastifyInstance

function write(file: string, text: string) {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

beforeAll(async () => {
  for (const path of ['', 'about', '404', 'blog/new-article'])
    write(join(path, 'index.html'), page(path).padEnd(3000, ' '))
  write('__spa-fallback.html', page('the app'))
  for (const path of Object.keys(NAMES_THE_SITE)) write(path, `${STAND_IN}/blog`)
  write('assets/entry-abc.js', `export const standIn = "${STAND_IN}"`)
  app = await open(ORIGIN)
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

async function open(origin: string): Promise<FastifyInstance> {
  const opened = fastify()
  await sendSecurityHeaders(opened, true)
  await servePages(opened, { origin, stripe: false, live: true, folder })
  await opened.ready()
  return opened
}
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers })
const scriptsOf = (answer: { headers: Record<string, unknown> }) =>
  String(answer.headers['content-security-policy']).match(/script-src ([^;]*)/)?.[1]

test.each(['br', 'gzip', 'identity'])('a page names the address it is served under, also as %s', async (encoding) => {
  const answer = await get('/about', { 'accept-encoding': encoding })
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes }[encoding]
  expect(unpack?.(answer.rawPayload).toString().trimEnd()).toBe(page('about', ORIGIN))
  expect(answer.headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding)
  expect(answer.headers.vary).toMatch(/accept-encoding/i)
})

test('its policy knows the scripts as they are sent, and asks nothing about data', async () => {
  expect(scriptsOf(await get('/about'))).toBe(`'self' ${sha(SCRIPT(ORIGIN))}`)
})

test.each(Object.entries(NAMES_THE_SITE))('%s names it too', async (path, type) => {
  const answer = await get(path)
  expect([answer.body, answer.headers['content-type']]).toEqual([`${ORIGIN}/blog`, type])
  expect(answer.headers['cache-control']).toBe('no-cache')
})

test('hashed files are sent as they were written', async () => {
  expect((await get('/assets/entry-abc.js')).body).toContain(STAND_IN)
})

test.each(['br', 'identity'])('whoever has a page is told that nothing changed (%s)', async (encoding) => {
  const first = await get('/about', { 'accept-encoding': encoding })
  const { etag } = first.headers
  const again = await get('/about', { 'accept-encoding': encoding, 'if-none-match': String(etag) })
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
  // A browser takes a 304's headers over: the strict default in their place would stop the page's own scripts.
  expect(again.headers['content-security-policy']).toBe(first.headers['content-security-policy'])
  expect((await get('/about', { 'accept-encoding': encoding, 'if-none-match': '"another"' })).statusCode).toBe(200)
})

test('a version is one of content, address and encoding', async () => {
  const tagOf = async (from: FastifyInstance, url: string, encoding: string) =>
    (await from.inject({ url, headers: { 'accept-encoding': encoding } })).headers.etag
  const elsewhere = await open('https://other.example')
  const tags = [
    await tagOf(app, '/about', 'br'),
    await tagOf(app, '/about', 'identity'),
    await tagOf(app, '/', 'br'),
    await tagOf(elsewhere, '/about', 'br'),
  ]
  await elsewhere.close()
  expect(new Set(tags).size).toBe(tags.length)
})

test('the 404 page never becomes a 304', async () => {
  const { headers } = await get('/nothing')
  expect((await get('/nothing', { 'if-none-match': String(headers.etag) })).statusCode).toBe(404)
})

test('a page that the build wrote is served without being listed anywhere', async () => {
  expect((await get('/blog/new-article')).statusCode).toBe(200)
  expect((await get('/blog/new-article/')).headers.location).toBe('/blog/new-article')
})

test.each([...DRAWN_IN_THE_BROWSER, '/404', '/nothing'])('%s is nobody’s search result', async (path) => {
  expect((await get(path)).headers['x-robots-tag']).toBe('noindex')
})

test.each(['/', '/about', '/sitemap.xml'])('%s may be found', async (path) => {
  expect((await get(path)).headers['x-robots-tag']).toBeUndefined()
})
